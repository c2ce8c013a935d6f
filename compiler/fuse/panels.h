// Decides which constants are stored in panels (compiler/tensor/panels.h).
#pragma once

#include "compiler/fuse/fused_graph.h"

namespace wick::compiler {

// A right factor of fewer bytes stays in the caches beside what it is multiplied with, and then its
// order makes no difference. From here on rows of it that lie apart cost a product of many rows a
// copy at run time, and one of a single row the stream: panels save 3 to 22% (docs/performance.md).
inline constexpr Bytes kLeastPanelBytes{std::int64_t{1} << 20};
// All constants in panels together: each is held in memory once more while the file is written.
inline constexpr Bytes kMostPanelBytes{std::int64_t{16} << 20};

// Requires: the kernels of `fused` are complete. Guarantees: a tensor is marked only if it is a
// constant matrix of f32 or f64, wider than a panel, and everybody who reads it is a product whose
// right factor it is. Cost: linear.
void choose_panels(FusedGraph& fused);

}  // namespace wick::compiler

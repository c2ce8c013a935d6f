// The call of the runtime that computes a kernel.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/symbols.h"
#include "compiler/fuse/fused_graph.h"

namespace wick::compiler::cpp {

// The statement of kernel `id` on results and operands as they are written there. `workspace` is
// what stands for its scratch memory.
Call kernel_call(const FusedGraph& fused, const Symbols& symbols, KernelId id,
                 const std::vector<std::string>& results, const std::vector<std::string>& reads,
                 const std::string& workspace, bool in_place);

}  // namespace wick::compiler::cpp

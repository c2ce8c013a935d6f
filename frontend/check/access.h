// How the elements of a tensor are read out of packed storage: the algebra of layouts that both
// sides of the proof of faithfulness share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/tensor/layout.h"

namespace wick::frontend::check {

using compiler::Layout;
using compiler::Shape;

// The layout with the stride of each axis that is never walked along set to 0, so that two layouts
// that read the same places in the same order are equal.
Layout canonical(const Layout& layout);

// A tensor that `inner` reads from some storage is written down packed, and `outer` reads that
// copy. The layout that reads the same elements from the storage itself; nothing if strides cannot
// say it.
//
// Each stride of `outer` is written in the mixed radix of the copy's extents (axes that lie one
// inside the other without gaps count as one); it composes if no index carries from one digit into
// the next.
std::optional<Layout> composed(const Layout& outer, const Layout& inner);

// The least iteration space of an operation: axes of extent 1 are left out, axes along which no
// operand moves as well (unless they are reduced), and axes that lie one inside the other without
// gaps for every operand are one. Whatever shape an operation is written in, its space is the same.
struct Space {
  Shape shape;
  std::vector<std::int64_t> reduced;  // for each axis: 1 if it is
  std::vector<Layout> operands;       // of that shape
  Shape result;                       // the axes that are not reduced
  // Where the packed result lies along the axes of the original shape; 0 along reduced ones.
  std::vector<std::int64_t> strides;
};

// `operands` have the shape `shape`; `is_reduced` has an entry for each axis of it, or none at all.
Space space_of(const Shape& shape, std::span<const Layout> operands,
               std::span<const bool> is_reduced);

}  // namespace wick::frontend::check

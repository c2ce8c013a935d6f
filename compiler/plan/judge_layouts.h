// What the judge asks about layouts: in its own words, for it takes nothing from those who plan.
#pragma once

#include <cstdint>

#include "compiler/tensor/layout.h"

namespace wick::compiler::judge {

// Both reach the same elements by the same indices. Strides of axes that have one element do not
// matter, nor does anything if there are no elements.
inline bool same_elements(const Layout& a, const Layout& b) {
  if (a.shape() != b.shape()) return false;
  if (a.shape().element_count() == 0) return true;
  if (a.offset() != b.offset()) return false;
  for (std::size_t axis = 0; axis < a.shape().rank(); ++axis) {
    if (a.shape()[axis] > 1 && a.stride(axis) != b.stride(axis)) return false;
  }
  return true;
}

// Row-major without gaps, from wherever it starts.
inline bool is_row_major(const Layout& layout) {
  if (layout.shape().element_count() == 0) return true;
  std::int64_t step = 1;
  for (std::size_t axis = layout.shape().rank(); axis-- > 0;) {
    if (layout.shape()[axis] > 1 && layout.stride(axis) != step) return false;
    step *= layout.shape()[axis];
  }
  return true;
}

inline bool is_whole(const Layout& layout) {
  return is_row_major(layout) && (layout.offset() == 0 || layout.shape().element_count() == 0);
}

// Every element lies within `count` elements from the start.
inline bool stays_within(const Layout& layout, std::int64_t count) {
  if (layout.shape().element_count() == 0) return true;
  std::int64_t first = layout.offset(), last = layout.offset();
  for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
    const std::int64_t reach = (layout.shape()[axis] - 1) * layout.stride(axis);
    (reach < 0 ? first : last) += reach;
  }
  return first >= 0 && last < count;
}

}  // namespace wick::compiler::judge

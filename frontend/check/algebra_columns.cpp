// The law of columns: some columns of x @ [A | B] are x @ A, and what elementwise operations make
// of some columns is made of those alone.
//
// A product with a constant matrix of N columns, and everything that is computed element by element
// from it, has its elements packed in rows of N. A reading of them that touches the columns
// [first, first + count) alone is read from the term of these columns, in rows of `count`.
#include <algorithm>
#include <array>
#include <utility>

#include "frontend/check/algebra.h"
#include "frontend/check/constants.h"

namespace wick::frontend::check {
namespace {

// Elementwise operations between a reading and the product: as many as a kernel finishes it with.
constexpr int kMostFinishing = 4;

}  // namespace

// The columns of the product that the term is, or is made of element by element; 0 if none is.
std::int64_t Algebra::columns_below(TermId id, int depth) const {
  const Term& term = terms_[id];
  if (term.kind == TermKind::kProduct) {
    const TermView& right = term.operands[1];
    if (terms_[right.base].kind != TermKind::kConstant) return 0;
    const Shape& shape = right.shape();
    for (std::size_t axis = 0; axis + 2 < shape.rank(); ++axis) {
      if (right.layout.stride(axis) != 0) return 0;
    }
    return shape[shape.rank() - 1];
  }
  const bool finishes = term.kind == TermKind::kElementwise ||
                        (term.kind == TermKind::kAffine && term.chains[0].steps == 1);
  if (!finishes || depth == 0) return 0;
  for (const TermView& operand : term.operands) {
    const Term& below = terms_[operand.base];
    if (below.shape.element_count() != term.shape.element_count()) continue;
    const std::int64_t columns = columns_below(operand.base, depth - 1);
    if (columns > 0) return columns;
  }
  return 0;
}

// The reading of a term through `layout` as a reading of fewer columns.
std::optional<TermView> Algebra::columns_of(const TermView& reading) {
  const std::int64_t columns = columns_below(reading.base, kMostFinishing);
  if (columns < 2) return std::nullopt;
  const Layout& layout = reading.layout;
  std::int64_t first = layout.offset() % columns, last = first;
  std::vector<std::int64_t> extents, strides;
  for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
    if (layout.stride(axis) < 0) return std::nullopt;
    last += (layout.shape()[axis] - 1) * (layout.stride(axis) % columns);
  }
  const std::int64_t count = last - first + 1;
  // One column is summed up in another order.
  if (last >= columns || count == columns || count < 2) return std::nullopt;
  for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
    strides.push_back(layout.stride(axis) / columns * count + layout.stride(axis) % columns);
  }
  const auto narrow = narrowed(reading.base, {first, count, columns}, kMostFinishing);
  if (!narrow) return std::nullopt;
  const std::int64_t row = layout.offset() / columns;
  const auto composed_layout =
      composed(Layout(layout.shape(), strides, row * count), narrow->layout);
  if (!composed_layout) return std::nullopt;
  return over(narrow->base, *composed_layout);
}

// All rows of some columns of a term, [rows, count].
std::optional<TermView> Algebra::narrowed(TermId id, const Columns& columns, int depth) {
  const std::int64_t rows = terms_[id].shape.element_count() / columns.of;
  const Layout box(Shape::of({rows, columns.count}), std::array{columns.of, std::int64_t{1}},
                   columns.first);
  Term term = terms_[id];
  if (term.kind == TermKind::kProduct) {
    if (terms_[id].operands[1].shape()[term.operands[1].shape().rank() - 1] != columns.of)
      return std::nullopt;
    TermView& right = term.operands[1];
    const std::size_t rank = right.shape().rank();
    const std::int64_t k = right.shape()[rank - 2];
    const Layout part(Shape::of({k, columns.count}),
                      std::array{right.layout.stride(rank - 2), right.layout.stride(rank - 1)},
                      right.layout.offset() + columns.first * right.layout.stride(rank - 1));
    const TermView constant = this->constant(elements(terms_[right.base].data, part));
    std::vector<std::int64_t> extents(right.shape().extents().begin(),
                                      right.shape().extents().end());
    std::vector<std::int64_t> strides(rank, 0);
    extents[rank - 1] = columns.count;
    strides[rank - 2] = constant.layout.stride(0);
    strides[rank - 1] = constant.layout.stride(1);
    right = {constant.base,
             canonical(Layout(Shape::of(extents), strides, constant.layout.offset()))};
    term.shape = Shape::of({rows * columns.count});
    return settled(intern(std::move(term)), Layout(Shape::of({rows, columns.count})));
  }
  if (depth == 0) return std::nullopt;
  std::vector<TermView> operands;
  for (const TermView& operand : term.operands) {
    const bool is_whole = operand.layout == canonical(Layout(term.shape)) &&
                          terms_[operand.base].shape.element_count() == rows * columns.of &&
                          columns_below(operand.base, depth - 1) == columns.of;
    const auto part = composed(box, operand.layout);
    if (!part) return std::nullopt;
    std::optional<TermView> read;
    if (is_whole) read = narrowed(operand.base, columns, depth - 1);
    if (!read && terms_[operand.base].kind == TermKind::kConstant) read = viewed(operand, box);
    if (!read) read = over(operand.base, *part);
    operands.push_back(*read);
  }
  if (term.kind == TermKind::kElementwise)
    return elementwise(*term.op, term.dtype, std::move(operands), box.shape());
  return affine({operands[0], term.chains[0].last}, term.dtype, box.shape());
}

}  // namespace wick::frontend::check

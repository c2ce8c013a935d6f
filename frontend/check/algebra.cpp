// Leaves, views, reductions, products and calls. Elementwise operations are in
// algebra_elements.cpp, the law of columns in algebra_columns.cpp.
#include "frontend/check/algebra.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/support/check.h"
#include "compiler/tensor/scalar.h"
#include "frontend/check/constants.h"

namespace wick::frontend::check {

using compiler::HostTensor;
using compiler::kMaxRank;

namespace {

Layout packed(const Shape& shape) { return canonical(Layout(shape)); }

bool is_constant(const Term& term) { return term.kind == TermKind::kConstant; }

}  // namespace

TermId Algebra::intern(Term term) {
  term.origin = origin;
  return terms_.intern(std::move(term));
}

// ---- Leaves -------------------------------------------------------------------------------------

TermView Algebra::empty(DType dtype, const Shape& shape) {
  Term term;
  term.kind = TermKind::kEmpty;
  term.dtype = dtype;
  return {intern(std::move(term)), packed(shape)};
}

TermView Algebra::input(std::uint32_t index, DType dtype, const Shape& shape) {
  if (!shape.has_elements()) return empty(dtype, shape);
  Term term;
  term.kind = TermKind::kInput;
  term.dtype = dtype;
  term.shape = shape;
  term.index = index;
  return {intern(std::move(term)), packed(shape)};
}

TermView Algebra::constant(const HostTensor& data) {
  if (!data.shape().has_elements()) return empty(data.dtype(), data.shape());
  Term term;
  term.kind = TermKind::kConstant;
  term.dtype = data.dtype();
  Layout layout = packed(data.shape());
  if (byte_size(data.dtype(), data.shape()) <= kMostFoldedBytes) {
    std::tie(term.data, layout) = distilled(data);
  } else {
    const auto owner = std::make_shared<const HostTensor>(data);
    term.data = HostTensor(data.dtype(), Shape::of({data.element_count()}), owner->bytes(), owner);
  }
  term.shape = term.data.shape();
  return {intern(std::move(term)), layout};
}

TermView Algebra::literal(Literal literal) {
  return constant(compiler::Scalar{literal.dtype, literal.bits}.to_tensor());
}

TermView Algebra::unknown(DType dtype, const Shape& shape) {
  Term term;
  term.dtype = dtype;
  term.shape = shape;
  term.index = unknowns_++;
  return {intern(std::move(term)), packed(shape)};
}

std::optional<Literal> Algebra::scalar(const TermView& reading) const {
  const Term& term = terms_[reading.base];
  if (!is_constant(term) || term.data.element_count() != 1) return std::nullopt;
  const compiler::Scalar scalar = compiler::Scalar::of_tensor(term.data);
  return Literal{scalar.dtype, scalar.bits};
}

// ---- Views --------------------------------------------------------------------------------------

TermView Algebra::over(TermId base, const Layout& layout) {
  TermView view{base, layout};
  while (terms_[view.base].kind == TermKind::kMove) {
    const TermView& from = terms_[view.base].operands[0];
    const auto through = composed(view.layout, from.layout);
    if (!through) break;
    view = {from.base, *through};
  }
  view.layout = canonical(view.layout);
  return view;
}

// The elements written down packed, in a storage of their own, and read from there.
TermView Algebra::moved(const TermView& content, const Layout& outer) {
  const std::size_t rank = content.shape().rank();
  std::array<bool, kMaxRank> all{};
  all.fill(true);
  const std::array<Layout, 1> operand{content.layout};
  const Space space = space_of(content.shape(), operand, std::span<const bool>(all.data(), rank));
  Term term;
  term.kind = TermKind::kMove;
  term.dtype = dtype(content);
  term.shape = Shape::of({content.shape().element_count()});
  term.operands = {{content.base, space.operands[0]}};
  return {intern(std::move(term)), canonical(outer)};
}

TermView Algebra::viewed(const TermView& content, const Layout& outer) {
  if (!outer.shape().has_elements()) return empty(dtype(content), outer.shape());
  const Term& term = terms_[content.base];
  const bool small = is_constant(term) &&
                     byte_size(term.dtype, content.shape()) <= kMostFoldedBytes &&
                     byte_size(term.dtype, outer.shape()) <= kMostFoldedBytes;
  const auto layout = composed(outer, content.layout);
  if (small && layout) return constant(elements(term.data, *layout));
  if (small) return constant(elements(elements(term.data, content.layout), outer));
  if (!layout) return moved(content, outer);
  TermView result = over(content.base, *layout);
  if (const auto columns = columns_of(result)) return *columns;
  if (result.base == content.base) result.chain = content.chain;
  return result;
}

// ---- Constants ----------------------------------------------------------------------------------

bool Algebra::is_foldable(const compiler::ops::OpRecord& op, std::span<const TermView> operands,
                          std::span<const TensorType> results) const {
  if (!op.traits.exactly_rounded || op.evaluate == nullptr) return false;
  std::int64_t bytes = 0;
  for (const TermView& operand : operands) {
    const Term& term = terms_[operand.base];
    if (!is_constant(term) && term.kind != TermKind::kEmpty) return false;
    bytes += byte_size(term.dtype, operand.shape());
  }
  if (bytes > kMostFoldedBytes) return false;
  return std::ranges::all_of(results, [](const TensorType& type) {
    return type.shape().has_elements() && byte_size(type.dtype, type.shape()) <= kMostFoldedBytes;
  });
}

TermView Algebra::fold(const TermView& computed, const HostTensor& value) {
  const Term& term = terms_[computed.base];
  if (is_constant(term) || term.kind == TermKind::kEmpty) return computed;
  // The elements in the order in which the term has them.
  HostTensor own(term.dtype, term.shape);
  const std::size_t size = size_of(term.dtype);
  const std::size_t rank = value.shape().rank();
  std::array<std::int64_t, kMaxRank> index{};
  std::int64_t to = computed.layout.offset();
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const auto from = static_cast<std::size_t>(i) * size;
    std::copy_n(value.bytes().begin() + static_cast<std::ptrdiff_t>(from), size,
                own.mutable_bytes().begin() + to * static_cast<std::ptrdiff_t>(size));
    for (std::size_t axis = rank; axis-- > 0;) {
      to += computed.layout.stride(axis);
      if (++index[axis] < value.shape()[axis]) break;
      to -= value.shape()[axis] * computed.layout.stride(axis);
      index[axis] = 0;
    }
  }
  folded_.insert_or_assign(computed.base, constant(own));
  return settled(computed.base, computed.layout);
}

TermView Algebra::settled(TermId base, const Layout& layout) {
  const auto found = folded_.find(base);
  if (found == folded_.end()) return over(base, layout);
  const TermView value = found->second;
  return viewed(value, layout);
}

// ---- Reductions, products, calls ----------------------------------------------------------------

TermView Algebra::reduced(const std::string& reducer, const TermView& operand,
                          const std::vector<std::int64_t>& axes, const Shape& result) {
  if (!result.has_elements()) return empty(dtype(operand), result);
  const Shape& shape = operand.shape();
  std::array<bool, kMaxRank> is_reduced{};
  for (const std::int64_t axis : axes) is_reduced[static_cast<std::size_t>(axis)] = true;
  Term term;
  term.kind = TermKind::kReduce;
  term.dtype = dtype(operand);
  term.text = reducer;
  term.shown = operand;
  term.shown_axes = axes;
  std::vector<std::int64_t> strides(shape.rank(), 0);
  if (!shape.has_elements()) {
    term.operands = {operand};  // of no elements: the same for each element of the result
  } else {
    const std::array<Layout, 1> operands{operand.layout};
    Space space = space_of(shape, operands, std::span<const bool>(is_reduced.data(), shape.rank()));
    term.operands = {{operand.base, space.operands[0]}};
    term.numbers = std::move(space.reduced);
    term.shape = space.result;
    strides = std::move(space.strides);
  }
  std::vector<std::int64_t> places;
  const bool keeps = result.rank() == shape.rank();
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (keeps || !is_reduced[axis]) places.push_back(strides[axis]);
  }
  compiler::check(places.size() == result.rank(), "the result of a reduction has another rank");
  return settled(intern(std::move(term)), Layout(result, places, 0));
}

namespace {

// The operand of a product as a stack of matrices: [batch…, rows, columns].
Layout matrices(const Layout& layout, bool left, const Shape& batch) {
  const std::size_t rank = layout.shape().rank();
  const std::size_t own = rank < 2 ? 0 : rank - 2;
  std::vector<std::int64_t> extents, strides;
  for (std::size_t axis = 0; axis < batch.rank(); ++axis) {
    const std::size_t added = batch.rank() - own;
    const bool moves = axis >= added && layout.shape()[axis - added] > 1;
    if (batch[axis] == 1) continue;
    extents.push_back(batch[axis]);
    strides.push_back(moves ? layout.stride(axis - added) : 0);
  }
  if (rank == 1 && left) {
    extents.push_back(1);
    strides.push_back(0);
  }
  for (std::size_t axis = own; axis < rank; ++axis) {
    extents.push_back(layout.shape()[axis]);
    strides.push_back(layout.stride(axis));
  }
  if (rank == 1 && !left) {
    extents.push_back(1);
    strides.push_back(0);
  }
  return canonical(Layout(Shape::of(extents), strides, layout.offset()));
}

Shape batch_of(const Shape& shape) {
  return shape.rank() < 2 ? Shape() : Shape::of(shape.extents().first(shape.rank() - 2));
}

}  // namespace

TermView Algebra::product(const TermView& a, const TermView& b, const Shape& result) {
  if (!result.has_elements()) return empty(dtype(a), result);
  const auto batch = compiler::broadcast(batch_of(a.shape()), batch_of(b.shape()));
  compiler::check(batch.has_value(), "the operands of a product do not fit");
  Term term;
  term.kind = TermKind::kProduct;
  term.dtype = dtype(a);
  term.shape = Shape::of({result.element_count()});
  term.operands = {{a.base, matrices(a.layout, true, *batch)},
                   {b.base, matrices(b.layout, false, *batch)}};
  return settled(intern(std::move(term)), Layout(result));
}

std::vector<TermView> Algebra::call(const CallText& text, const std::vector<TermView>& operands,
                                    std::span<const TensorType> results) {
  Term term;
  term.kind = TermKind::kCall;
  term.text = text.function + ":" + text.reducer;
  term.operands = operands;
  term.numbers = text.template_numbers;
  for (const Literal& literal : text.literals) term.operands.push_back(this->literal(literal));
  for (const TensorType& type : results) {
    term.numbers.push_back(static_cast<std::int64_t>(type.dtype));
    term.numbers.push_back(static_cast<std::int64_t>(type.shape().rank()));
    std::ranges::copy(type.shape().extents(), std::back_inserter(term.numbers));
  }
  std::vector<TermView> readings;
  for (std::uint32_t i = 0; i < results.size(); ++i) {
    const Shape& shape = results[i].shape();
    term.dtype = results[i].dtype;
    term.shape = shape;
    term.index = i;
    if (!shape.has_elements()) {
      readings.push_back(empty(term.dtype, shape));
      continue;
    }
    if (text.is_idempotent && operands.size() == 1 && operands[0].layout == packed(shape)) {
      const Term& below = terms_[operands[0].base];
      if (below.kind == TermKind::kCall && below.text == term.text &&
          below.numbers == term.numbers) {
        readings.push_back(operands[0]);
        continue;
      }
    }
    readings.push_back(settled(intern(term), Layout(shape)));
  }
  return readings;
}

}  // namespace wick::frontend::check

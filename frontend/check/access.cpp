#include "frontend/check/access.h"

#include <array>
#include <cstdint>

namespace wick::frontend::check {
namespace {

using compiler::kMaxRank;

// One axis of the copy, after axes without gaps were joined.
struct Digit {
  std::int64_t extent = 1;
  std::int64_t stride = 0;  // in the storage
  std::int64_t weight = 1;  // in the copy: the product of the inner extents
  // What the offset and the axes of the outer layout add to it, at least and at most.
  std::int64_t low = 0;
  std::int64_t high = 0;
};

class Radix {
 public:
  explicit Radix(const Layout& inner) {
    for (std::size_t axis = 0; axis < inner.shape().rank(); ++axis) {
      const std::int64_t extent = inner.shape()[axis];
      const std::int64_t stride = inner.stride(axis);
      if (extent == 1) continue;
      if (rank_ > 0 && digits_[rank_ - 1].stride == stride * extent) {
        digits_[rank_ - 1].extent *= extent;
        digits_[rank_ - 1].stride = stride;
      } else {
        digits_[rank_++] = {.extent = extent, .stride = stride};
      }
    }
    std::int64_t weight = 1;
    for (std::size_t i = rank_; i-- > 0;) {
      digits_[i].weight = weight;
      weight *= digits_[i].extent;
    }
    size_ = weight;
  }

  // The stride in the storage of a step of `step` in the copy, taken `count` times at most.
  std::optional<std::int64_t> walk(std::int64_t step, std::int64_t count) {
    const bool backwards = step < 0;
    std::int64_t rest = backwards ? -step : step, result = 0;
    if (rest >= size_) return std::nullopt;
    for (std::size_t i = 0; i < rank_; ++i) {
      Digit& digit = digits_[i];
      const std::int64_t amount = rest / digit.weight;
      rest %= digit.weight;
      result += amount * digit.stride;
      (backwards ? digit.low : digit.high) += (backwards ? -count : count) * amount;
    }
    return backwards ? -result : result;
  }

  // Where element `offset` of the copy lies in the storage.
  std::optional<std::int64_t> start(std::int64_t offset) {
    if (offset < 0 || offset >= size_) return std::nullopt;
    std::int64_t result = 0;
    for (std::size_t i = 0; i < rank_; ++i) {
      Digit& digit = digits_[i];
      const std::int64_t amount = offset / digit.weight;
      offset %= digit.weight;
      result += amount * digit.stride;
      digit.low += amount;
      digit.high += amount;
    }
    return result;
  }

  bool carries() const {
    for (std::size_t i = 0; i < rank_; ++i) {
      if (digits_[i].low < 0 || digits_[i].high >= digits_[i].extent) return true;
    }
    return false;
  }

 private:
  std::array<Digit, kMaxRank> digits_{};
  std::size_t rank_ = 0;
  std::int64_t size_ = 1;
};

}  // namespace

Layout canonical(const Layout& layout) {
  const Shape& shape = layout.shape();
  std::array<std::int64_t, kMaxRank> strides{};
  const bool has_elements = shape.has_elements();
  for (std::size_t axis = 0; has_elements && axis < shape.rank(); ++axis) {
    if (shape[axis] > 1) strides[axis] = layout.stride(axis);
  }
  return Layout(shape, std::span<const std::int64_t>(strides.data(), shape.rank()),
                has_elements ? layout.offset() : 0);
}

std::optional<Layout> composed(const Layout& outer, const Layout& inner) {
  const Shape& shape = outer.shape();
  std::array<std::int64_t, kMaxRank> strides{};
  const std::span<const std::int64_t> all(strides.data(), shape.rank());
  if (!shape.has_elements()) return Layout(shape, all, 0);
  if (!inner.shape().has_elements()) return std::nullopt;
  Radix radix(inner);
  const auto start = radix.start(outer.offset());
  if (!start) return std::nullopt;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    const auto stride = radix.walk(outer.stride(axis), shape[axis] - 1);
    if (!stride) return std::nullopt;
    strides[axis] = *stride;
  }
  if (radix.carries()) return std::nullopt;
  return Layout(shape, all, inner.offset() + *start);
}

namespace {

// Axes of the original shape that become one axis of the space.
struct Joined {
  std::int64_t extent = 1;
  bool is_reduced = false;
  std::vector<std::size_t> axes;  // outermost first
};

bool follows(std::span<const Layout> operands, std::size_t outer, std::size_t inner) {
  for (const Layout& operand : operands) {
    if (operand.stride(outer) != operand.stride(inner) * operand.shape()[inner]) return false;
  }
  return true;
}

std::vector<Joined> joined_axes(const Shape& shape, std::span<const Layout> operands,
                                std::span<const bool> is_reduced) {
  std::vector<Joined> joined;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    const bool reduced = !is_reduced.empty() && is_reduced[axis];
    bool moves = reduced;
    for (const Layout& operand : operands) moves = moves || operand.stride(axis) != 0;
    if (!moves) continue;
    const bool joins = !joined.empty() && joined.back().is_reduced == reduced &&
                       follows(operands, joined.back().axes.back(), axis);
    if (!joins) joined.push_back({1, reduced, {}});
    joined.back().extent *= shape[axis];
    joined.back().axes.push_back(axis);
  }
  return joined;
}

}  // namespace

Space space_of(const Shape& shape, std::span<const Layout> operands,
               std::span<const bool> is_reduced) {
  const std::vector<Joined> joined = joined_axes(shape, operands, is_reduced);
  Space space;
  std::vector<std::int64_t> extents, kept;
  for (const Joined& axis : joined) {
    extents.push_back(axis.extent);
    if (!axis.is_reduced) kept.push_back(axis.extent);
    space.reduced.push_back(axis.is_reduced ? 1 : 0);
  }
  space.shape = Shape::of(extents);
  space.result = Shape::of(kept);
  for (const Layout& operand : operands) {
    std::vector<std::int64_t> strides;
    for (const Joined& axis : joined) strides.push_back(operand.stride(axis.axes.back()));
    space.operands.push_back(Layout(space.shape, strides, operand.offset()));
  }
  space.strides.assign(shape.rank(), 0);
  std::int64_t weight = 1;
  for (std::size_t i = joined.size(); i-- > 0;) {
    if (joined[i].is_reduced) continue;
    for (std::size_t k = joined[i].axes.size(); k-- > 0;) {
      space.strides[joined[i].axes[k]] = weight;
      weight *= shape[joined[i].axes[k]];
    }
  }
  return space;
}

}  // namespace wick::frontend::check

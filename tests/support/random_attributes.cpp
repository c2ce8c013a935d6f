#include "tests/support/random_attributes.h"

#include <algorithm>
#include <numeric>

namespace wick::compiler::testing {
namespace {

using ops::AttributeKind;
using ops::AttributeSpec;
using ops::AttributeValue;
using ops::Integers;

class AttributeChooser {
 public:
  AttributeChooser(Random& random, std::span<const ops::TensorType> operands) : random_(random) {
    if (!operands.empty()) shape_ = operands[0].shape();
    if (operands.size() > 1) second_ = operands[1].shape();
  }

  // Nothing if the attribute is to be left out.
  std::optional<AttributeValue> choose(const AttributeSpec& spec) {
    // Groups are those of the weights, which were drawn before.
    const bool follows = spec.name == "groups";
    if (!spec.required && !follows && random_.chance(40)) return std::nullopt;
    switch (spec.kind) {
      case AttributeKind::kFlag:
        return random_.chance(50);
      case AttributeKind::kInteger:
        return integer(spec);
      case AttributeKind::kNumber:
        return static_cast<double>(random_.in(-8, 9)) / 4;
      case AttributeKind::kText:
        return text(spec);
      case AttributeKind::kIntegers:
        return integers(spec);
      case AttributeKind::kRanges:
        return ranges();
      case AttributeKind::kPairs:
        return pairs(spec.name == "pads" ? 2 : 0);
      case AttributeKind::kDType:
        return static_cast<DType>(random_.index(kDTypes.size()));
      case AttributeKind::kStrides:
      case AttributeKind::kParts:
        break;
    }
    return std::nullopt;
  }

 private:
  std::int64_t rank() const { return static_cast<std::int64_t>(shape_.rank()); }

  std::int64_t any_axis() { return rank() == 0 ? 0 : axis_ = random_.in(-rank(), rank()); }

  // The extent of the axis chosen before, or of the last one.
  std::int64_t extent() const {
    if (rank() == 0) return 1;
    return shape_[static_cast<std::size_t>((axis_ + rank()) % rank())];
  }

  std::optional<AttributeValue> integer(const AttributeSpec& spec) {
    if (spec.name == "axis") return any_axis();
    if (spec.name == "k") return random_.in(1, std::max<std::int64_t>(extent(), 1) + 1);
    if (spec.name == "groups") return groups();
    return random_.in(1, 5);
  }

  // The parts that weights of as many axes leave the channels in.
  std::int64_t groups() const {
    const bool fits = rank() > 2 && second_.rank() == shape_.rank() && second_[1] > 0;
    return fits ? std::max<std::int64_t>(shape_[1] / second_[1], 1) : 1;
  }

  std::optional<AttributeValue> text(const AttributeSpec& spec) {
    if (spec.choices.empty()) return std::nullopt;
    return std::string(random_.of(spec.choices));
  }

  std::optional<AttributeValue> integers(const AttributeSpec& spec) {
    if (spec.name == "sizes") return sizes();
    if (spec.name == "axes") return axes(spec.required);
    if (spec.name == "kernel") return spatial(3);
    if (spec.name == "strides" || spec.name == "dilations") return spatial(2);
    Integers numbers(shape_.rank() + random_.index(2));
    for (std::int64_t& number : numbers) number = random_.in(1, 3);
    return numbers;
  }

  // A number up to `most` for each axis but batch and channels, or one for all.
  Integers spatial(std::int64_t most) {
    Integers numbers(rank() > 2 && !random_.chance(25) ? shape_.rank() - 2 : 1);
    for (std::int64_t& number : numbers) number = random_.in(1, most + 1);
    return numbers;
  }

  // A permutation of all axes, some of them, or axes to add.
  Integers axes(bool required) {
    Integers chosen(shape_.rank());
    std::iota(chosen.begin(), chosen.end(), std::int64_t{0});
    random_.shuffle(chosen);
    if (!required || random_.chance(50)) {
      chosen.resize(std::min(chosen.size(), 1 + random_.index(chosen.size() + 1)));
    }
    if (chosen.empty() && required) chosen.push_back(0);
    for (std::int64_t& axis : chosen) {
      if (random_.chance(20)) axis -= rank();
    }
    return chosen;
  }

  Integers sizes() {
    Integers parts;
    std::int64_t left = extent();
    while (left > 0 && parts.size() < 3) {
      parts.push_back(random_.in(1, left + 1));
      left -= parts.back();
    }
    if (left > 0 || parts.empty()) parts.push_back(left);
    return parts;
  }

  ops::Ranges ranges() {
    ops::Ranges chosen(random_.index(shape_.rank() + 1));
    for (std::size_t axis = 0; axis < chosen.size(); ++axis) {
      ops::Range& range = chosen[axis];
      const std::int64_t extent = shape_[axis];
      if (random_.chance(70)) range.start = random_.in(-extent - 1, extent + 1);
      if (random_.chance(70)) range.stop = random_.in(-extent - 1, extent + 2);
      if (random_.chance(40))
        range.step = random_.chance(50) ? random_.in(1, 4) : -random_.in(1, 4);
    }
    return chosen;
  }

  // One for each axis from `first` on.
  ops::Pairs pairs(std::size_t first) {
    ops::Pairs chosen(std::max(shape_.rank(), first + 1) - first);
    for (auto& [before, after] : chosen) {
      before = random_.in(0, 3);
      after = random_.in(0, 3);
    }
    return chosen;
  }

  Random& random_;
  Shape shape_;
  Shape second_;
  std::int64_t axis_ = -1;
};

// Another shape of as many elements, or one that `shape` can be stretched to.
Integers wanted_shape(Random& random, const Shape& shape) {
  Integers extents(shape.extents().begin(), shape.extents().end());
  switch (random.in(0, 6)) {
    case 0:
      return {-1};
    case 1:
      random.shuffle(extents);
      return extents;
    case 2:
      if (extents.size() > 1) {
        const std::int64_t last = extents.back();
        extents.pop_back();
        extents.back() *= last;
      }
      return extents;
    case 3:
      if (!extents.empty() && extents.back() % 2 == 0) {
        extents.back() /= 2;
        extents.push_back(2);
      }
      return extents;
    case 4:
      for (std::int64_t& extent : extents) {
        if (extent == 1) extent = random.in(1, 4);
      }
      return extents;
    default:
      extents.insert(extents.begin(), random.in(1, 4));
      return extents;
  }
}

}  // namespace

ops::Attributes random_attributes(Random& random, const ops::OpRecord& op,
                                  std::span<const ops::TensorType> operands) {
  AttributeChooser chooser(random, operands);
  ops::Attributes attributes;
  for (const AttributeSpec& spec : op.attributes) {
    if (auto value = chooser.choose(spec)) attributes.set(spec.name, std::move(*value));
  }
  return attributes;
}

Stated random_statement(Random& random, const ops::OpRecord& op,
                        std::span<const ops::TensorType> operands) {
  Stated stated;
  if (op.uses_dtype) stated.dtype = static_cast<DType>(random.index(kDTypes.size()));
  if (op.uses_shape) {
    stated.shape = operands.empty() ? random_extents(random, 64, true)
                                    : wanted_shape(random, operands[0].shape());
  }
  return stated;
}

std::vector<std::int64_t> random_extents(Random& random, std::int64_t most, bool zeros) {
  // Rank 2 and 3 are common, 0 and 1 not rare, more than 4 rare.
  static const std::vector<std::size_t> kRanks = {0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5};
  std::vector<std::int64_t> extents(random.of(kRanks));
  std::int64_t count = 1;
  for (std::int64_t& extent : extents) {
    extent = random.chance(15) ? 1 : random.in(1, random.chance(20) ? 40 : 7);
    while (extent > 1 && count * extent > most) extent /= 2;
    count *= extent;
  }
  if (zeros && !extents.empty() && random.chance(4)) extents[random.index(extents.size())] = 0;
  return extents;
}

bool slides_windows(const ops::OpRecord& op) {
  const auto at = std::ranges::find(op.attributes, "pads", &AttributeSpec::name);
  return at != op.attributes.end();
}

std::vector<std::int64_t> image_extents(Random& random, std::int64_t most) {
  std::vector<std::int64_t> extents = {random.in(1, 3), random.in(1, 5), random.in(1, 9)};
  if (random.chance(60)) extents.push_back(random.in(1, 8));
  for (std::int64_t count = 1; std::int64_t& extent : extents) {
    while (extent > 1 && count * extent > most) extent /= 2;
    count *= extent;
  }
  return extents;
}

std::vector<std::int64_t> weights_extents(Random& random, const Shape& operand) {
  if (operand.rank() < 2) return {1};
  const std::int64_t channels = operand[1];
  std::int64_t groups = 1;
  if (channels > 0 && random.chance(35)) groups = channels;  // depthwise
  if (channels > 0 && channels % 2 == 0 && random.chance(25)) groups = 2;
  std::vector<std::int64_t> extents = {groups * random.in(1, groups > 1 ? 3 : 7),
                                       channels / groups};
  for (std::size_t axis = 2; axis < operand.rank(); ++axis) extents.push_back(random.in(1, 4));
  return extents;
}

std::vector<std::int64_t> fitting_extents(Random& random, const Shape& shape) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  if (random.chance(50)) return extents;
  for (std::int64_t& extent : extents) {
    if (random.chance(40)) extent = 1;
  }
  const std::size_t dropped = extents.empty() ? 0 : random.index(extents.size() + 1);
  extents.erase(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(dropped));
  return extents;
}

}  // namespace wick::compiler::testing

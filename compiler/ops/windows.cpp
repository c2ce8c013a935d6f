#include "compiler/ops/windows.h"

#include <algorithm>
#include <string>

#include "compiler/ops/infer.h"

namespace wick::compiler::ops {
namespace {

// Whether there are as many entries as spatial axes; a fault if not.
bool counts_match(Inference& inference, std::string_view name, std::string_view what,
                  std::size_t found, std::size_t rank) {
  if (found == rank) return true;
  const std::string one = "one " + std::string(what) + " per spatial axis of ";
  inference.fail("/" + std::string(name), "expected " + one + text_of(inference.operands[0]) +
                                              ", or one for all; found " + std::to_string(found));
  return false;
}

std::string entry_path(std::string_view name, std::size_t entry) {
  return "/" + std::string(name) + "/" + std::to_string(entry);
}

}  // namespace

// ---- Attributes ---------------------------------------------------------------------------------

AttributeSpec strides_attribute() {
  return {.name = "strides",
          .kind = AttributeKind::kIntegers,
          .default_value = Integers{1},
          .summary = "from window to window, for each spatial axis, or one number for all"};
}

AttributeSpec dilations_attribute() {
  return {.name = "dilations",
          .kind = AttributeKind::kIntegers,
          .default_value = Integers{1},
          .summary = "from element to element of a window, likewise"};
}

AttributeSpec pads_attribute() {
  return {.name = "pads",
          .kind = AttributeKind::kPairs,
          .default_value = Pairs{{0, 0}},
          .summary = "[before, after] for each spatial axis, or one pair for all"};
}

std::optional<std::size_t> spatial_rank(Inference& inference) {
  const std::size_t rank = inference.operands[0].shape().rank();
  if (rank == 3 || rank == 4) return rank - 2;
  inference.fail(operand_path(0),
                 "expected [batch, channels, width] or [batch, channels, height, width]; found " +
                     text_of(inference.operands[0]),
                 "\"unsqueeze\" adds a batch of one");
  return std::nullopt;
}

std::optional<Integers> spatial_integers(Inference& inference, std::string_view name,
                                         std::size_t rank) {
  Integers numbers = inference.attributes.integers(name);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= 1 && numbers[i] <= kMostSpatial) continue;
    inference.fail(entry_path(name, i), "expected 1 to " + std::to_string(kMostSpatial) +
                                            "; found " + std::to_string(numbers[i]));
    return std::nullopt;
  }
  if (numbers.size() == 1) numbers.resize(rank, numbers[0]);
  if (!counts_match(inference, name, "number", numbers.size(), rank)) return std::nullopt;
  return numbers;
}

std::optional<Pairs> spatial_pads(Inference& inference, std::size_t rank) {
  Pairs pads = inference.attributes.pairs("pads");
  for (std::size_t i = 0; i < pads.size(); ++i) {
    const auto [least, most] = std::ranges::minmax(pads[i]);
    if (least >= 0 && most <= kMostSpatial) continue;
    inference.fail(entry_path("pads", i), "cannot pad by " + text_of(pads[i]) + ": expected 0 to " +
                                              std::to_string(kMostSpatial));
    return std::nullopt;
  }
  if (pads.size() == 1) pads.resize(rank, std::array(pads[0]));
  if (!counts_match(inference, "pads", "pair", pads.size(), rank)) return std::nullopt;
  return pads;
}

// ---- Windows ------------------------------------------------------------------------------------

std::int64_t WindowAxis::count() const {
  const std::int64_t left = extent + before + after - span();
  return left < 0 ? 0 : left / step + 1;
}

std::array<std::int64_t, 2> WindowAxis::inside(std::int64_t window) const {
  const std::int64_t start = at(window, 0);
  const std::int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
  const std::int64_t last = start >= extent ? 0 : (extent - start + dilation - 1) / dilation;
  return {std::min(first, size), std::clamp(last, std::min(first, size), size)};
}

WindowAxis window_axis(const Attributes& normal, const Shape& operand, const Integers& sizes,
                       std::size_t axis) {
  const auto& pads = normal.pairs("pads")[axis];
  return {.extent = operand[axis + 2],
          .size = sizes[axis],
          .step = normal.integers("strides")[axis],
          .dilation = normal.has("dilations") ? normal.integers("dilations")[axis] : 1,
          .before = pads[0],
          .after = pads[1]};
}

std::optional<Integers> windows_extents(Inference& inference, std::int64_t channels,
                                        const Integers& sizes) {
  const Shape& operand = inference.operands[0].shape();
  Integers extents = {operand[0], channels};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const WindowAxis windows = window_axis(inference.normal, operand, sizes, axis);
    if (windows.count() < 1) {
      inference.fail("",
                     "a window spans " + std::to_string(windows.span()) +
                         " elements of spatial axis " + std::to_string(axis) + ", but " +
                         text_of(inference.operands[0]) + " has only " +
                         std::to_string(windows.extent + windows.before + windows.after) +
                         " there with its padding",
                     "pad the operand, or make the window smaller");
      return std::nullopt;
    }
    extents.push_back(windows.count());
  }
  return extents;
}

// ---- Evaluation ---------------------------------------------------------------------------------

WindowAxes window_axes(const Attributes& normal, const Shape& operand, const Integers& sizes) {
  WindowAxes axes;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    axes[axes.size() - sizes.size() + axis] = window_axis(normal, operand, sizes, axis);
  }
  return axes;
}

}  // namespace wick::compiler::ops

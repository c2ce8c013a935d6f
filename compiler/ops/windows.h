// What convolution and pooling have in common: windows that slide over the spatial axes of
// [batch, channels, spatial...] with a step, a distance between the elements that they take, and
// padding at both ends. Along one axis, element j of window i stands at
//
//     i * step - before + j * dilation
//
// and outside of the operand, in the padding, if that is negative or not below the extent. There
// are as many windows as fit: floor((extent + before + after - span) / step) + 1 of them, where a
// window spans dilation * (size - 1) + 1 elements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/ops/record.h"

namespace wick::compiler::ops {

// ---- Attributes ---------------------------------------------------------------------------------

AttributeSpec strides_attribute();
AttributeSpec dilations_attribute();
AttributeSpec pads_attribute();

// How many spatial axes operand 0 has: 1 or 2, else a fault.
std::optional<std::size_t> spatial_rank(Inference& inference);

// The attribute's numbers, one for each spatial axis, each at least 1; one alone stands for all.
std::optional<Integers> spatial_integers(Inference& inference, std::string_view name,
                                         std::size_t rank);

// The same for the pairs of "pads", each number at least 0.
std::optional<Pairs> spatial_pads(Inference& inference, std::size_t rank);

// ---- Windows ------------------------------------------------------------------------------------

// The windows along one axis. No member exceeds kMostSpatial, so that no product overflows; an
// extent may be larger.
struct WindowAxis {
  std::int64_t extent = 1;
  std::int64_t size = 1;
  std::int64_t step = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;

  std::int64_t span() const { return dilation * (size - 1) + 1; }
  // How many windows fit; 0 or less if none does.
  std::int64_t count() const;
  // The element of the operand, or outside of it, that element `index` of window `window` is.
  std::int64_t at(std::int64_t window, std::int64_t index) const {
    return window * step - before + index * dilation;
  }
  // Whether this is an element of the operand, not of the padding.
  bool has(std::int64_t element) const { return element >= 0 && element < extent; }
  // Elements [first, second) of a window lie inside of the operand.
  std::array<std::int64_t, 2> inside(std::int64_t window) const;
};

// The largest size, step, dilation and padding.
inline constexpr std::int64_t kMostSpatial = 2147483647;

// The axis numbered `axis` of the spatial ones, as normal attributes say. The windows' sizes are
// given: an operation has them from an attribute or from an operand.
WindowAxis window_axis(const Attributes& normal, const Shape& operand, const Integers& sizes,
                       std::size_t axis);

// The extents of [batch, channels] and of the windows along each spatial axis of operand 0; a fault
// if a window does not fit. Reads the normal attributes.
std::optional<Integers> windows_extents(Inference& inference, std::int64_t channels,
                                        const Integers& sizes);

// ---- Evaluation ---------------------------------------------------------------------------------

// Both spatial axes of an operation; of one with a single one, the first is an axis of one element.
using WindowAxes = std::array<WindowAxis, 2>;
WindowAxes window_axes(const Attributes& normal, const Shape& operand, const Integers& sizes);

}  // namespace wick::compiler::ops

#include "frontend/cli/tensor_text.h"

#include "compiler/support/text.h"

namespace wick::frontend {
namespace {

using compiler::HostTensor;

std::string element_text(const HostTensor& tensor, std::int64_t index) {
  return compiler::dispatch(tensor.dtype(), [&](auto zero) -> std::string {
    using E = decltype(zero);
    const E value = tensor.at<E>(index);
    if constexpr (std::is_same_v<E, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<E>) {
      return compiler::shortest(value);
    } else {
      return std::to_string(value);
    }
  });
}

// The part of the tensor under one index of the axes before `axis`; `next` is its first element.
std::string part_text(const HostTensor& tensor, std::size_t axis, std::int64_t& next) {
  if (axis == tensor.shape().rank()) return element_text(tensor, next++);
  const bool innermost = axis + 1 == tensor.shape().rank();
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape()[axis]; ++i) {
    if (i > 0) text += innermost ? ", " : ",\n" + std::string(axis + 1, ' ');
    text += part_text(tensor, axis + 1, next);
  }
  return text + "]";
}

}  // namespace

std::string tensor_text(const HostTensor& tensor) {
  if (tensor.element_count() > kMostPrintedElements) {
    return "(" + compiler::grouped(tensor.element_count()) + " elements)";
  }
  // Without elements the other extents may be as large as they like.
  if (!tensor.shape().has_elements()) return "(no elements)";
  std::int64_t next = 0;
  return part_text(tensor, 0, next);
}

}  // namespace wick::frontend

#include "compiler/emit/types.h"

#include <algorithm>
#include <utility>

namespace wick::compiler::cpp {
namespace {

std::string_view prefix(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return "";
    case DType::kF64:
      return "F64";
    case DType::kI8:
      return "I8";
    case DType::kU8:
      return "U8";
    case DType::kI32:
      return "I32";
    case DType::kI64:
      return "I64";
    case DType::kBool:
      return "Bool";
  }
  return "";
}

}  // namespace

std::string type_name(DType dtype, const Shape& shape) {
  std::string name(prefix(dtype));
  const std::size_t rank = shape.rank();
  if (rank == 0) return name + "Scalar";
  if (rank == 2 && shape[0] == 1) return name + "Row" + std::to_string(shape[1]);
  name += rank == 1 ? "Vector" : rank == 2 ? "Matrix" : "Tensor";
  for (std::size_t axis = 0; axis < rank; ++axis)
    name += (axis > 0 ? "x" : "") + std::to_string(shape[axis]);
  return name;
}

std::string tensor_text(DType dtype, const Shape& shape) {
  std::string text = "wick::Tensor<" + std::string(info(dtype).cpp_name);
  for (const std::int64_t extent : shape.extents()) text += ", " + std::to_string(extent);
  return text + ">";
}

std::string panels_name(DType dtype, const Shape& shape) {
  return std::string(prefix(dtype)) + "Panels" + std::to_string(shape[0]) + "x" +
         std::to_string(shape[1]);
}

std::string TypeTable::packed(DType dtype, const Shape& shape, const std::string& user) {
  return declared(type_name(dtype, shape), tensor_text(dtype, shape), user);
}

std::string TypeTable::panels(DType dtype, const Shape& shape, const std::string& user) {
  const std::string text = "wick::Panels<" + std::string(info(dtype).cpp_name) + ", " +
                           std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ">";
  return declared(panels_name(dtype, shape), text, user);
}

std::string TypeTable::declared(std::string name, std::string text, const std::string& user) {
  const auto [at, added] = by_name_.try_emplace(name, aliases_.size());
  if (added) aliases_.push_back({name, std::move(text), {}});
  std::vector<std::string>& users = aliases_[at->second].users;
  constexpr std::size_t kMostUsers = 8;
  if (!user.empty() && users.size() <= kMostUsers &&
      std::ranges::find(users, user) == users.end()) {
    users.push_back(users.size() == kMostUsers ? "..." : user);
  }
  return name;
}

std::string TypeTable::of(DType dtype, const Layout& layout) {
  const std::string alias = packed(dtype, layout.shape(), "");
  if (layout.is_contiguous()) return alias;
  std::string text = "wick::Strided<" + alias;
  for (const std::int64_t stride : layout.strides()) text += ", " + std::to_string(stride);
  return text + ">";
}

}  // namespace wick::compiler::cpp

// Names for tensor descriptions: "Row64", "Matrix2x3", "I64Vector5".
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/emit/names.h"
#include "compiler/tensor/dtype.h"
#include "compiler/tensor/layout.h"

namespace wick::compiler::cpp {

// "[1, 64]" of f32 -> Row64; a scalar -> Scalar; other ranks by their extents. Dtypes but f32 stand
// in front.
std::string type_name(DType dtype, const Shape& shape);

// wick::Tensor<float, 1, 64>
std::string tensor_text(DType dtype, const Shape& shape);

// wick::Panels<float, 64, 96>, called Panels64x96.
std::string panels_name(DType dtype, const Shape& shape);

// The aliases that one emitted file declares, in order of first use, each with the identifiers of
// the tensors that have it.
class TypeTable {
 public:
  struct Alias {
    std::string name;
    std::string text;
    std::vector<std::string> users;
  };

  // The alias of a packed tensor; `user` is an identifier for the comment, may be empty.
  std::string packed(DType dtype, const Shape& shape, const std::string& user);
  // The same of a constant in panels.
  std::string panels(DType dtype, const Shape& shape, const std::string& user);
  // A layout as a type: the alias itself, or wick::Strided<alias, …>.
  std::string of(DType dtype, const Layout& layout);

  const std::vector<Alias>& aliases() const { return aliases_; }

 private:
  std::string declared(std::string name, std::string text, const std::string& user);

  std::vector<Alias> aliases_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace wick::compiler::cpp

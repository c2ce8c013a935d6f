// Elements written in a graph file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/tensor/host_tensor.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

struct ElementFault {
  std::size_t index = 0;
  TextSpan where;  // within the list
  std::string message;
  std::string hint;
};

// Reads the elements of `list`, a JSON list of known structure: numbers, true, false, "inf",
// "-inf", "nan", as many as `tensor` has. Floating point is rounded once from the decimal text;
// integers must be exactly representable; bool takes true and false. The first element that does
// not fit is returned, and ends the reading.
std::optional<ElementFault> read_elements(std::string_view list, compiler::HostTensor& tensor);

}  // namespace wick::frontend

// The JSON at the start of a .safetensors file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/json/safetensors.h"

namespace wick::frontend {

// Reads {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}; beside the tensors
// there may be "__metadata__", an object of strings. On a fault, nothing, and why in `fault`, to
// follow "its header ".
std::optional<std::map<std::string, Safetensors::Entry>> read_safetensors_header(
    std::string_view text, std::string& fault);

}  // namespace wick::frontend

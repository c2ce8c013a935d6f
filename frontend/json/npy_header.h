// The text at the start of a .npy file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wick::frontend {

struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Reads the header: a Python dictionary of exactly the keys descr (a string), fortran_order (True
// or False) and shape (a tuple of integers), then white space. On a fault, nothing, and why in
// `fault`, to follow "its header ".
std::optional<NpyHeader> read_npy_header(std::string_view text, std::string& fault);

}  // namespace wick::frontend

// Sizes as people write them.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/support/ids.h"

namespace wick::frontend {

// "65536", "65536B", "64KiB", "1MiB", "2GiB" (powers of 1024), "64kB", "1MB", "2GB" (powers of
// 1000). A whole number, no sign, no space. Nothing if it is anything else or beyond 2^63 - 1.
std::optional<compiler::Bytes> parse_byte_size(std::string_view text);

}  // namespace wick::frontend

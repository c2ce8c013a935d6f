// Numbers from their text, without a detour through another type: an i64 never passes through
// double, an f32 is rounded once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wick::frontend {

// The value of a JSON number that is an integer of 64 bits, however it is written: "3", "3.0",
// "30e-1"; "-0" is 0. Nothing otherwise.
std::optional<std::int64_t> read_integer(std::string_view written);

// How the graph language writes what JSON cannot: "inf", "-inf", "nan".
bool is_non_finite(std::string_view text);

}  // namespace wick::frontend

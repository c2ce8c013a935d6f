// Small services for text: numbers as people read them, lists, quoting, and the nearest of several
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wick::compiler {

// 1234567 -> "1,234,567".
std::string grouped(std::int64_t number);

// The elements with `separator` between them.
std::string joined(std::span<const std::string> parts, std::string_view separator);

// `text` in double quotes as a JSON string: quotes, backslashes and control characters escaped, the
// rest as it is.
std::string quoted(std::string_view text);

// The candidate nearest to `name` by edit distance (insert, delete, substitute, swap neighbours),
// if it is near enough to be what was meant; the first of equals. Cost: O(candidates * length^2),
// names longer than 64 bytes are never suggested.
std::optional<std::string> nearest(std::string_view name,
                                   std::span<const std::string_view> candidates);

// "did you mean \"exp\"?" or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// The shortest decimal text that reads back as the same value ("inf", "-inf", "nan" for the
// others).
std::string shortest(double value);
std::string shortest(float value);

}  // namespace wick::compiler

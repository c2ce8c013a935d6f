// Parts of messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wick::frontend {

// At most the first 40 bytes of a text.
std::string excerpt(std::string_view text);

// "1 value", "1,234 values".
std::string counted(std::int64_t count, std::string_view noun);

// A name as a token of a JSON pointer (RFC 6901), with the slash before it.
std::string pointer_token(std::string_view name);

}  // namespace wick::frontend

#include "frontend/cli/byte_size.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace wick::frontend {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};

constexpr std::array<Unit, 9> kUnits = {{{"", 1},
                                         {"B", 1},
                                         {"KiB", std::int64_t{1} << 10},
                                         {"MiB", std::int64_t{1} << 20},
                                         {"GiB", std::int64_t{1} << 30},
                                         {"kB", 1'000},
                                         {"KB", 1'000},
                                         {"MB", 1'000'000},
                                         {"GB", 1'000'000'000}}};

}  // namespace

std::optional<compiler::Bytes> parse_byte_size(std::string_view text) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || count < 0 || text.front() == '-') return std::nullopt;
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    if (count > std::numeric_limits<std::int64_t>::max() / unit.bytes) return std::nullopt;
    return compiler::Bytes{count * unit.bytes};
  }
  return std::nullopt;
}

}  // namespace wick::frontend

#include "tests/unit/clang/emitted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace wick::frontend::check::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = R"(#pragma once

#include "wick/runtime.h"

namespace small {

WICK_REQUIRE_RUNTIME(1, 1);

using Matrix2x3 = wick::Tensor<float, 2, 3>;

inline constexpr std::size_t kArenaBytes = 64;
inline constexpr std::size_t kArenaAlignment = 64;

void run(wick::In<Matrix2x3> x, wick::Out<Matrix2x3> y, std::byte* arena) noexcept;

}  // namespace small
)";

constexpr std::string_view kSource = R"(#include "small.h"

#include "wick/runtime.h"

namespace small {
namespace {

constexpr auto y_kernel = [](auto s, auto x) {
  const auto sum = s + x;
  return wick::relu(sum);
};

constexpr std::size_t kS = 0;

}  // namespace

void run(wick::In<Matrix2x3> x, wick::Out<Matrix2x3> y, std::byte* arena) noexcept {
  wick::enter(arena, kArenaBytes, x, y);
  const auto s = wick::slot<Matrix2x3>(arena, kS);
  wick::scan<1>(s, wick::Sum{}, x);
  wick::map(y, y_kernel, s, x);
  wick::free(s);
  wick::leave(arena, kArenaBytes);
}

}  // namespace small
)";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void replace_first(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

}  // namespace

Emitted emitted(const std::string& stem) {
  const fs::path path = fs::path(WICK_SOURCE_DIR) / stem;
  const std::string name = path.filename().string();
  return {{name + ".cpp", contents(path.string() + ".cpp")},
          {name + ".h", contents(path.string() + ".h")}};
}

std::vector<std::string> all_emitted() {
  std::vector<std::string> stems;
  for (const char* folder : {"samples", "tests/golden"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(WICK_SOURCE_DIR) / folder)) {
      const std::string name = entry.path().filename().string();
      if (fs::exists(entry.path() / "graph.json") && fs::exists(entry.path() / (name + ".cpp")))
        stems.push_back(std::string(folder) + "/" + name + "/" + name);
    }
  }
  std::ranges::sort(stems);
  return stems;
}

Emitted small() { return {{"small.cpp", std::string(kSource)}, {"small.h", std::string(kHeader)}}; }

Emitted small_with(std::string_view from, std::string_view to) {
  Emitted files = small();
  replace_first(files.source.text, from, to);
  return files;
}

Emitted small_with_header(std::string_view from, std::string_view to) {
  Emitted files = small();
  replace_first(files.header.text, from, to);
  return files;
}

std::vector<std::string> lines_of(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) {
    lines.push_back((finding.place.file == Place::File::kHeader ? "h" : "") +
                    std::to_string(finding.place.line) + ":" +
                    std::to_string(finding.place.column) + " " + finding.message);
  }
  return lines;
}

}  // namespace wick::frontend::check::testing

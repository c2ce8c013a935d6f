// Constants in panels: what the weights file holds against what the graph says.
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/check/comparison.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"
#include "wick/hash.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::testing::Described;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// y = x @ w with w [3, 18] in panels: 16 columns of three rows, then two.
Faithfulness with_panels(const std::vector<float>& values) {
  std::vector<float> rows(54);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  const Graph graph =
      Described()
          .input("x", DType::kF32, {2, 3})
          .constant("w", compiler::HostTensor::of<float>(f32({3, 18}).shape(), rows))
          .node("y", "matmul", {"x", "w"})
          .output("y")
          .verified();
  Source s(0);
  const auto x = s.input("x", f32({2, 3})), w = s.constant("w", f32({3, 18}), 0);
  s.program().weights[0].panels = true;
  const auto y = s.output("y", f32({2, 18}));
  s.call("matmul", {}, {out(y), in(x), in(w)});
  return compare(s.done(), graph, bytes_of(values));
}

TEST(FaithfulPanels, AreTheElementsOfTheGraph) {
  std::vector<float> panels, rows;
  for (int i = 0; i < 54; ++i) rows.push_back(static_cast<float>(i));
  for (const int row : {0, 18, 36})
    for (int i = 0; i < 16; ++i) panels.push_back(static_cast<float>(row + i));
  for (const int row : {0, 18, 36})
    for (int i = 16; i < 18; ++i) panels.push_back(static_cast<float>(row + i));
  EXPECT_THAT(with_panels(panels).findings, IsEmpty());
  // Left as it was, two elements of a panel swapped, the narrow panel as wide as the others.
  EXPECT_THAT(only(with_panels(rows)).message, HasSubstr("`weights.w` is"));
  std::swap(panels[50], panels[52]);
  EXPECT_THAT(only(with_panels(panels)).message, HasSubstr("`weights.w` is"));
  std::swap(panels[50], panels[52]);
  panels.insert(panels.begin() + 50, 14, 0.0f);
  EXPECT_THAT(only(with_panels(panels)).message, HasSubstr("`weights.w` is"));
}

// A program that names its weights file names the hash by which callers know it.
TEST(FaithfulPanels, LieInTheFileThatIsNamed) {
  std::vector<float> values(54);
  const std::vector<std::byte> file = bytes_of(values);
  const Graph graph = Described()
                          .input("x", DType::kF32, {2, 3})
                          .constant("w", compiler::HostTensor(DType::kF32, f32({3, 18}).shape()))
                          .node("y", "matmul", {"x", "w"})
                          .output("y")
                          .verified();
  Source s(0);
  const auto x = s.input("x", f32({2, 3})), w = s.constant("w", f32({3, 18}), 0);
  const auto y = s.output("y", f32({2, 18}));
  s.call("matmul", {}, {out(y), in(x), in(w)});
  Program program = s.done();
  program.packed_name = "model.weights";
  program.packed_bytes = static_cast<std::int64_t>(file.size());
  program.packed_hash = hash64(file.data(), file.size());
  EXPECT_THAT(compare(program, graph, file).findings, IsEmpty());
  ++program.packed_hash;
  EXPECT_THAT(only(compare(program, graph, file)).message, HasSubstr("another hash"));
  --program.packed_hash;
  program.packed_bytes += 64;
  EXPECT_THAT(only(compare(program, graph, file)).message, HasSubstr("216 bytes instead of 280"));
}

}  // namespace
}  // namespace wick::frontend::check

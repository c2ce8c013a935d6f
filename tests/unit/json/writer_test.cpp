#include "frontend/json/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "compiler/graph/print.h"
#include "compiler/graph/verify.h"
#include "frontend/json/npy.h"
#include "tests/unit/json/files.h"

namespace wick::frontend {
namespace {

using compiler::DType;
using compiler::GraphDescription;
using compiler::HostTensor;
using compiler::Shape;
using testing::HasSubstr;
using testing::Not;

TEST(Writer, WritesALineForEachThing) {
  const std::string text = R"({
  "wick": 1,
  "name": "a \"graph\"",
  "description": "of two lines\nand more",
  "inputs": [
    {"name": "x", "dtype": "f32", "shape": [2, 3], "role": "parameter"},
    {"name": "y", "dtype": "i64", "shape": [], "donate": true, "description": "d"}
  ],
  "constants": [
    {"name": "c", "dtype": "f32", "shape": [2, 2], "values": [0.1, -0, "inf", "nan"]},
    {"name": "b", "dtype": "bool", "shape": [2], "values": [true, false]},
    {"name": "i", "dtype": "i64", "shape": [1], "values": [-9223372036854775808]}
  ],
  "nodes": [
    {"name": "a", "op": "add", "inputs": ["x", 0.10, "inf"], "alpha": -0.5, "mode": "edge"},
    {"op": "split", "inputs": ["a"], "axis": 1, "sizes": [1, 2], "outputs": ["p", "q"]},
    {"name": "s", "op": "slice", "inputs": ["a"], "ranges": [[0, 1], null, [null, -1, 2]]},
    {"name": "t", "op": "f", "dtype": "f32", "shape": [-1, 3], "cache": true, "description": "n"}
  ],
  "outputs": ["p", "s"]
}
)";
  const Read result = read(text);
  ASSERT_TRUE(result.graph) << result.error();
  EXPECT_EQ(to_json(*result.graph), text);
}

TEST(Writer, LeavesOutEmptyTables) {
  EXPECT_EQ(to_json(GraphDescription{"g", "", {}, {}, {}, {"x"}}),
            "{\n  \"wick\": 1,\n  \"name\": \"g\",\n  \"nodes\": [],\n  \"outputs\": [\"x\"]\n}\n");
}

TEST(Writer, NumbersReadBackAsTheSameBits) {
  std::vector<float> values;
  for (std::uint32_t bits = 1; bits < 0xFF800000u - 9'999'991u; bits += 9'999'991u) {
    values.push_back(std::bit_cast<float>(bits));
  }
  const auto count = static_cast<std::int64_t>(values.size());
  GraphDescription graph{"g", "", {}, {}, {}, {"x"}};
  graph.constants.push_back({"c", HostTensor::of<float>(Shape::of({count}), values), ""});
  graph.constants.push_back(
      {"d",
       HostTensor::of<double>(Shape::of({4}),
                              std::vector<double>{5e-324, 1.7976931348623157e308, -0.0, 1.0 / 3}),
       ""});
  const Read result = read(to_json(graph));
  ASSERT_TRUE(result.graph) << result.error();
  EXPECT_TRUE(same_values(result.graph->constants[0].data, graph.constants[0].data));
  EXPECT_TRUE(same_values(result.graph->constants[1].data, graph.constants[1].data));
}

TEST(Writer, RefersToTheFilesOfLargeConstants) {
  const Folder folder;
  const HostTensor large(DType::kU8, Shape::of({65})), small(DType::kU8, Shape::of({64}));
  ASSERT_FALSE(write_npy(folder.path("large.npy"), large));
  ASSERT_FALSE(write_npy(folder.path("small.npy"), small));
  const std::string text = graph_with(R"("constants": [
      {"name": "l", "dtype": "u8", "shape": [65], "file": "large.npy"},
      {"name": "s", "dtype": "u8", "shape": [64], "file": "small.npy"}])");
  Read result = read(text, folder.path());
  ASSERT_TRUE(result.graph) << result.error();
  const std::string written = to_json(*result.graph, &result.files);
  EXPECT_THAT(written, HasSubstr(R"("shape": [65], "file": "large.npy"})"));
  EXPECT_THAT(written, HasSubstr(R"("shape": [64], "values": [0, 0)"));
  EXPECT_THAT(to_json(*result.graph), Not(HasSubstr("file")));
  const Read again = read(written, folder.path());
  ASSERT_TRUE(again.graph) << again.error();
  EXPECT_TRUE(same_values(again.graph->constants[0].data, large));
  // Other data of the same name is not what the file holds.
  result.graph->constants[0].data = HostTensor(DType::kU8, Shape::of({65}));
  EXPECT_THAT(to_json(*result.graph, &result.files), Not(HasSubstr("file")));
}

// A verified graph, printed and read again, is the same graph.
TEST(Writer, VerifiedGraphsReadBackAsTheyWere) {
  const std::string text = R"({
    "wick": 1, "name": "g",
    "inputs": [{"name": "x", "dtype": "f32", "shape": [4, 6]},
               {"name": "i", "dtype": "i32", "shape": [3]},
               {"name": "inf", "dtype": "f32", "shape": []}],
    "constants": [{"name": "c", "dtype": "f32", "shape": [6], "values": [1, 2, 3, 4, 5, 6]}],
    "nodes": [
      {"name": "back", "op": "slice", "inputs": ["x"], "ranges": [[null, null, -1], [5, null, -2]]},
      {"name": "part", "op": "slice", "inputs": ["x"], "ranges": [[1, 1], [0, 99, 4]]},
      {"name": "whole", "op": "cast", "inputs": ["i"], "dtype": "i64"},
      {"name": "count", "op": "iota", "dtype": "f64", "shape": [3], "axis": 0},
      {"name": "five", "op": "add", "inputs": [2, 3], "dtype": "i32"},
      {"name": "far", "op": "minimum", "inputs": ["x", "-inf"]},
      {"name": "taken", "op": "gather", "inputs": ["x", 3], "axis": 1},
      {"op": "split", "inputs": ["x"], "axis": 1, "sizes": [1, 2, 3], "outputs": ["p", "q", "r"]},
      {"name": "y", "op": "reshape", "inputs": ["x"], "shape": [3, -1]},
      {"name": "m", "op": "mean", "inputs": ["y"], "axes": [-1], "keepdims": true, "cache": false},
      {"name": "z", "op": "softmax", "inputs": ["y"], "axis": -1},
      {"name": "k", "op": "mul", "inputs": ["c", 0.1], "cache": true},
      {"name": "w", "op": "clamp", "inputs": ["x"], "min": "-inf", "max": 1e30}
    ],
    "outputs": ["back", "part", "whole", "count", "five", "far", "taken", "q", "m", "z", "k",
                "w"]})";
  Read first = read(text);
  ASSERT_TRUE(first.graph) << first.error();
  const auto graph = compiler::verify(std::move(*first.graph), first.diagnostics);
  ASSERT_TRUE(graph) << first.error();
  Read second = read(to_json(*graph));
  ASSERT_TRUE(second.graph) << second.error() << to_json(*graph);
  const auto again = compiler::verify(std::move(*second.graph), second.diagnostics);
  ASSERT_TRUE(again) << second.error() << to_json(*graph);
  EXPECT_EQ(compiler::to_text(*again), compiler::to_text(*graph));
  EXPECT_EQ(to_json(*again), to_json(*graph));
}

}  // namespace
}  // namespace wick::frontend

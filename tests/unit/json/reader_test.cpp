#include "frontend/json/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/json/files.h"

namespace wick::frontend {
namespace {

using compiler::DType;
using compiler::Literal;
using compiler::ops::AttributeValue;
using compiler::ops::Integers;
using compiler::ops::Range;
using compiler::ops::Ranges;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Reader, TakesInEveryKey) {
  const Read result = read(R"({
    "wick": 1, "name": "all", "description": "of it",
    "inputs": [{"name": "x", "dtype": "i64", "shape": [2, 0], "role": "parameter", "donate": true,
                "description": "an input"},
               {"name": "y", "dtype": "bool", "shape": []}],
    "constants": [{"name": "c", "dtype": "u8", "shape": [2], "values": [7, 255],
                   "description": "a constant"}],
    "nodes": [{"op": "split", "inputs": ["x", 2.50], "axis": 1, "outputs": ["a", "b"],
               "dtype": "f64", "shape": [-1, 3], "cache": true, "description": "a node"}],
    "outputs": ["b", "a"]})");
  ASSERT_TRUE(result.graph) << result.error();
  const auto& graph = *result.graph;
  EXPECT_EQ(graph.name, "all");
  EXPECT_EQ(graph.description, "of it");
  ASSERT_EQ(graph.inputs.size(), 2u);
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.inputs[0].dtype, DType::kI64);
  EXPECT_THAT(graph.inputs[0].shape, ElementsAre(2, 0));
  EXPECT_TRUE(graph.inputs[0].parameter);
  EXPECT_TRUE(graph.inputs[0].donate);
  EXPECT_EQ(graph.inputs[0].description, "an input");
  EXPECT_EQ(graph.inputs[1].dtype, DType::kBool);
  EXPECT_TRUE(graph.inputs[1].shape.empty());
  EXPECT_FALSE(graph.inputs[1].parameter);
  EXPECT_FALSE(graph.inputs[1].donate);
  ASSERT_EQ(graph.constants.size(), 1u);
  EXPECT_EQ(graph.constants[0].name, "c");
  EXPECT_EQ(graph.constants[0].description, "a constant");
  EXPECT_EQ(graph.constants[0].data.at<std::uint8_t>(0), 7);
  EXPECT_EQ(graph.constants[0].data.at<std::uint8_t>(1), 255);
  ASSERT_EQ(graph.nodes.size(), 1u);
  const auto& node = graph.nodes[0];
  EXPECT_EQ(node.name, "");
  EXPECT_EQ(node.op, "split");
  ASSERT_EQ(node.operands.size(), 2u);
  EXPECT_EQ(std::get<std::string>(node.operands[0].what), "x");
  EXPECT_EQ(std::get<Literal>(node.operands[1].what).text, "2.50");
  EXPECT_EQ(node.attributes.integer("axis"), 1);
  EXPECT_EQ(node.attributes.entries().size(), 1u);
  EXPECT_THAT(node.outputs, ElementsAre("a", "b"));
  EXPECT_EQ(node.dtype, DType::kF64);
  EXPECT_THAT(*node.shape, ElementsAre(-1, 3));
  EXPECT_TRUE(node.cache);
  EXPECT_EQ(node.description, "a node");
  EXPECT_THAT(graph.outputs, ElementsAre("b", "a"));
}

TEST(Reader, KeepsOperandsAsWritten) {
  const Read result = read(graph_with_node(
      R"("inputs": [-0, 9007199254740993, 18446744073709551617, 1e-400, true, "inf", "-inf"])"));
  ASSERT_TRUE(result.graph) << result.error();
  std::vector<std::string> texts;
  for (const auto& operand : result.graph->nodes[0].operands) {
    texts.push_back(std::get<Literal>(operand.what).text);
  }
  EXPECT_THAT(texts, ElementsAre("-0", "9007199254740993", "18446744073709551617", "1e-400", "true",
                                 "inf", "-inf"));
}

TEST(Reader, AValueMayBeNamedLikeANumber) {
  const Read result = read(R"({"wick": 1, "name": "g", "outputs": ["n"],
    "inputs": [{"name": "inf", "dtype": "f32", "shape": []}],
    "nodes": [{"op": "f", "name": "nan", "inputs": ["inf", "-inf", "nan"]}]})");
  ASSERT_TRUE(result.graph) << result.error();
  const auto& operands = result.graph->nodes[0].operands;
  EXPECT_EQ(std::get<std::string>(operands[0].what), "inf");
  EXPECT_EQ(std::get<Literal>(operands[1].what).text, "-inf");
  EXPECT_EQ(std::get<std::string>(operands[2].what), "nan");
}

TEST(Reader, DecodesNames) {
  const Read result = read(R"({"wick": 1, "name": "\u00e9\ud83d\ude00\n\u0000\/", "nodes": [],
                               "outputs": ["x"]})");
  ASSERT_TRUE(result.graph) << result.error();
  EXPECT_EQ(result.graph->name, std::string("\xC3\xA9\xF0\x9F\x98\x80\n\0/", 9));
}

TEST(Reader, PassesOverAByteOrderMark) {
  const Read result = read("\xEF\xBB\xBF" + graph_with(R"("inputs": [])"));
  EXPECT_TRUE(result.graph) << result.error();
  const Read wrong = read("\xEF\xBB\xBF" + graph_with(R"("inputs": 7)"));
  ASSERT_FALSE(wrong.graph);
  // Three bytes of mark, then {"wick": 1, "name": "g", "nodes": [], "outputs": ["x"], "inputs": 7}.
  EXPECT_EQ(wrong.diagnostics.all()[0].site.offset, 3u + 66u);
}

AttributeValue attribute(std::string_view value) {
  const Read result = read(graph_with_node("\"a\": " + std::string(value)));
  if (!result.graph) return result.error();
  return *result.graph->nodes[0].attributes.find("a");
}

TEST(Reader, AttributesAreWhatTheyLookLike) {
  EXPECT_EQ(attribute("true"), AttributeValue(true));
  EXPECT_EQ(attribute("\"edge\""), AttributeValue(std::string("edge")));
  EXPECT_EQ(attribute("3"), AttributeValue(std::int64_t{3}));
  EXPECT_EQ(attribute("-1.0"), AttributeValue(std::int64_t{-1}));
  EXPECT_EQ(attribute("2e3"), AttributeValue(std::int64_t{2000}));
  EXPECT_EQ(attribute("-9223372036854775808"),
            AttributeValue(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(attribute("9223372036854775808"), AttributeValue(9223372036854775808.0));
  EXPECT_EQ(attribute("0.1"), AttributeValue(0.1));
  EXPECT_EQ(attribute("[]"), AttributeValue(Integers{}));
  EXPECT_EQ(attribute("[0, -2, 3.0]"), AttributeValue(Integers{0, -2, 3}));
  EXPECT_EQ(attribute("[null, [1, 2], [null, -1, 3], [4, null, null]]"),
            AttributeValue(Ranges{Range{}, Range{1, 2, 1}, Range{{}, -1, 3}, Range{4, {}, 1}}));
  const AttributeValue zero = attribute("-0.0");
  ASSERT_TRUE(std::holds_alternative<double>(zero));
  EXPECT_TRUE(std::signbit(std::get<double>(zero)));
}

TEST(Reader, ExtentsMayBeWrittenAsDecimals) {
  const Read result = read(graph_with(
      R"("inputs": [{"name": "x", "dtype": "f32", "shape": [1.0, 2e1, 140737488355328]}])"));
  ASSERT_TRUE(result.graph) << result.error();
  EXPECT_THAT(result.graph->inputs[0].shape, ElementsAre(1, 20, 140737488355328));
}

TEST(Reader, ReportsSeveralErrorsAtOnce) {
  const Read result =
      read(R"({"wick": 1, "name": "g", "nodes": [{"name": "a"}, {"op": 1, "name": "b"}],
                               "outputs": []})");
  ASSERT_FALSE(result.graph);
  ASSERT_EQ(result.diagnostics.error_count(), 3u);
  EXPECT_EQ(result.diagnostics.all()[0].site.pointer, "/nodes/0");
  EXPECT_EQ(result.diagnostics.all()[0].site.node, "a");
  EXPECT_EQ(result.diagnostics.all()[1].site.pointer, "/nodes/1/op");
  EXPECT_EQ(result.diagnostics.all()[1].site.node, "b");
  EXPECT_EQ(result.diagnostics.all()[2].site.pointer, "/outputs");
  EXPECT_EQ(result.diagnostics.all()[2].site.node, "");
}

TEST(Reader, EscapesPointers) {
  EXPECT_EQ(read(graph_with_node(R"("a/b~c": null)")).error().substr(0, 18), "/nodes/0/a~1b~0c: ");
}

TEST(Reader, LimitsTheNumberOfAttributes) {
  std::string keys;
  for (int i = 0; i < 62; ++i) keys += "\"a" + std::to_string(i) + "\": 1, ";
  keys.resize(keys.size() - 2);
  EXPECT_TRUE(read(graph_with_node(keys)).graph);
  EXPECT_EQ(read(graph_with_node(keys + ", \"b\": 1")).error(),
            "/nodes/0/b: a node has at most 64 keys");
}

TEST(Reader, RefusesDeepNestingWithoutFollowingIt) {
  const std::string deep(1'000'000, '[');
  const Read result = read(graph_with("\"inputs\": " + deep));
  ASSERT_FALSE(result.graph);
  // The graph is level 1, "inputs" level 2: the 64th bracket of the text is at level 65.
  const auto& last = result.diagnostics.all().back();
  EXPECT_EQ(last.message, "nested deeper than 64 levels");
  EXPECT_EQ(last.site.offset, graph_with("\"inputs\": ").size() - 1 + 63);
}

TEST(Reader, AllowsAnything64LevelsDeepToBePassedOver) {
  const Read result =
      read(graph_with("\"inputs\": " + std::string(63, '[') + std::string(63, ']')));
  ASSERT_EQ(result.diagnostics.error_count(), 1u);
  EXPECT_EQ(result.error(), "/inputs/0: element 0 of \"inputs\" must be an object, found a list");
}

TEST(Reader, LimitsTheLengthOfNumbers) {
  const std::string longest = "0." + std::string(1075, '1');
  EXPECT_TRUE(read(graph_with_node("\"inputs\": [" + longest + "]")).graph);
  EXPECT_THAT(read(graph_with_node("\"inputs\": [" + longest + "1]")).error(),
              HasSubstr("a number of 1078 characters"));
}

TEST(Reader, RefusesTextAfterANulCharacter) {
  const std::string graph = graph_with(R"("inputs": [])");
  for (const std::string& rest : {std::string(1, '\0'), std::string("\0{}", 3)}) {
    const Read result = read(graph + rest);
    ASSERT_FALSE(result.graph);
    EXPECT_EQ(result.diagnostics.all()[0].site.offset, graph.size());
    EXPECT_EQ(result.diagnostics.all()[0].message, "unexpected text after the end of the graph");
  }
}

TEST(Reader, StopsCountingTheErrorsOfOneValue) {
  std::string values = "\"x\"";
  for (int i = 0; i < 100'000; ++i) values += ",\"x\"";
  const Read result =
      read(graph_with_constant(R"("dtype": "f32", "shape": [], "values": [)" + values + "]"));
  EXPECT_FALSE(result.graph);
  EXPECT_EQ(result.diagnostics.all().size(), compiler::Diagnostics::kMost);
}

// A large file that is something else altogether is given up early.
TEST(Reader, GivesUpAfterAThousandErrors) {
  std::string nodes = "0";
  for (int i = 0; i < 100'000; ++i) nodes += ",0";
  const Read result =
      read(R"({"wick": 1, "name": "g", "outputs": ["x"], "nodes": [)" + nodes + "]}");
  EXPECT_FALSE(result.graph);
  EXPECT_EQ(result.diagnostics.error_count(), 1000u);
}

TEST(Reader, StructureAloneDoesNotOpenFiles) {
  const SourceFile source = SourceFile::of_text(
      "g", graph_with_constant(R"("dtype": "f32", "shape": [1], "file": "missing.npy")"));
  compiler::Diagnostics diagnostics;
  EXPECT_TRUE(has_valid_structure(source, diagnostics));
  EXPECT_FALSE(read_graph(source, {}, diagnostics));
}

}  // namespace
}  // namespace wick::frontend

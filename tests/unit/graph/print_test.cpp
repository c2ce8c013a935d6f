#include "compiler/graph/print.h"

#include <gtest/gtest.h>

#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

TEST(Print, OneLineForEachPart) {
  const Graph graph =
      testing::Described("digits")
          .input("pixels", DType::kF32, {1, 4})
          .parameter("w", DType::kF32, {4})
          .constant<float>("k", {2}, {1, 2})
          .node("x", "div", {"pixels", 16})
          .node("w2", "mul", {"w", 0.5})
          .cached()
          .node("s", "sum", {"x"}, {{"axes", ops::Integers{0}}})
          .node("t", "transpose", {"pixels"})
          .nodes({"a", "b"}, "split", {"x"}, {{"axis", 1}, {"sizes", ops::Integers{1, 3}}})
          .output("s")
          .output("a quoted \"name\"")
          .node("a quoted \"name\"", "neg", {"x"})
          .verified();
  const std::string text = to_text(graph);
  EXPECT_EQ(text.substr(0, text.find("\"a\"")),
            "graph \"digits\"\n"
            "input \"pixels\": f32[1, 4]\n"
            "input \"w\": f32[4] [parameter]\n"
            "constant \"k\": f32[2]\n"
            "\"x\": f32[1, 4] = div(\"pixels\", 16)\n"
            "\"w2\": f32[4] = mul(\"w\", 0.5) [cache]\n"
            "\"s\": f32[4] = sum(\"x\", axes=[0], keepdims=false)\n"
            "\"t\": f32[4, 1] = transpose(\"pixels\")\n");
  EXPECT_NE(text.find("\"b\": f32[1, 3]"), std::string::npos);
  EXPECT_NE(text.find("\noutput \"s\"\noutput \"a quoted \\\"name\\\"\"\n"), std::string::npos);
}

TEST(Print, LayoutsThatAreNotPackedAreSpeltOut) {
  const Graph graph = testing::Described()
                          .input("x", DType::kF64, {2, 3})
                          .node("t", "transpose", {"x"})
                          .output("t")
                          .verified();
  EXPECT_NE(to_text(graph).find("\"t\": f64[3, 2] strides [1, 3] = transpose(\"x\")"),
            std::string::npos);
}

TEST(Print, AttributesOfEveryKind) {
  const ops::Attributes attributes = {{"a", true},
                                      {"b", 3},
                                      {"c", 0.1},
                                      {"d", "text"},
                                      {"e", ops::Integers{1, -2}},
                                      {"f", ops::Ranges{{1, std::nullopt, 2}}},
                                      {"g", ops::Pairs{{0, 1}}},
                                      {"h", ops::Strides{{4, -1, 5}}},
                                      {"i", ops::Parts{{0, 2}, {2, 3}}},
                                      {"j", DType::kI8}};
  EXPECT_EQ(attributes_text(attributes),
            "a=true, b=3, c=0.1, d=\"text\", e=[1, -2], f=[[1, null, 2]], g=[[0, 1]], h=[4:-1:5], "
            "i=[2, 3], j=i8");
  EXPECT_EQ(attributes_text({{"axis", 0}, {"sizes", ops::Parts{{0, 2}, {2, 3}}}}, 1),
            "axis=0, sizes[1]=3");
}

}  // namespace
}  // namespace wick::compiler

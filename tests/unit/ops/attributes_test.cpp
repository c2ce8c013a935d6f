#include "compiler/ops/attributes.h"

#include <gtest/gtest.h>

#include <limits>

#include "compiler/support/check.h"

namespace wick::compiler::ops {
namespace {

TEST(Attributes, AreSortedByName) {
  const Attributes attributes{{"keepdims", true}, {"axis", std::int64_t{1}}, {"beta", 2.0}};
  ASSERT_EQ(attributes.entries().size(), 3u);
  EXPECT_EQ(attributes.entries()[0].first, "axis");
  EXPECT_EQ(attributes.entries()[1].first, "beta");
  EXPECT_EQ(attributes.entries()[2].first, "keepdims");
}

TEST(Attributes, SetReplaces) {
  Attributes attributes{{"axis", std::int64_t{1}}};
  attributes.set("axis", std::int64_t{2});
  EXPECT_EQ(attributes.integer("axis"), 2);
  EXPECT_EQ(attributes.entries().size(), 1u);
}

TEST(Attributes, GettersGiveWhatWasSet) {
  const Attributes attributes{{"a", true},
                              {"b", std::int64_t{3}},
                              {"c", 0.5},
                              {"d", std::string("edge")},
                              {"e", Integers{1, 2}},
                              {"f", Ranges{{.start = 1, .stop = {}, .step = -1}}},
                              {"g", Pairs{{1, 2}}},
                              {"h", Strides{{1, 2, 3}}},
                              {"i", Parts{{1, 2}, {3, 4}}},
                              {"j", DType::kI8}};
  EXPECT_TRUE(attributes.flag("a"));
  EXPECT_EQ(attributes.integer("b"), 3);
  EXPECT_EQ(attributes.number("c"), 0.5);
  EXPECT_EQ(attributes.text("d"), "edge");
  EXPECT_EQ(attributes.integers("e"), (Integers{1, 2}));
  EXPECT_EQ(attributes.ranges("f")[0].step, -1);
  EXPECT_EQ(attributes.pairs("g")[0][1], 2);
  EXPECT_EQ(attributes.strides("h")[0].count, 3);
  EXPECT_EQ(attributes.parts("i")[1].start, 3);
  EXPECT_EQ(attributes.dtype("j"), DType::kI8);
}

TEST(Attributes, AMissingOneOrAnotherKindIsOurBug) {
  const Attributes attributes{{"axis", std::int64_t{1}}};
  EXPECT_THROW(attributes.integer("axes"), InternalError);
  EXPECT_THROW(attributes.number("axis"), InternalError);
  EXPECT_EQ(attributes.find("axes"), nullptr);
}

TEST(Attributes, AreComparedByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ((Attributes{{"x", nan}}), (Attributes{{"x", nan}}));
  EXPECT_NE((Attributes{{"x", 0.0}}), (Attributes{{"x", -0.0}}));
  EXPECT_NE((Attributes{{"x", 1.0}}), (Attributes{{"x", std::int64_t{1}}}));
  EXPECT_NE((Attributes{{"x", 1.0}}), (Attributes{{"y", 1.0}}));
  EXPECT_NE((Attributes{{"x", 1.0}}), Attributes());
}

}  // namespace
}  // namespace wick::compiler::ops

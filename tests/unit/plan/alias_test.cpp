// The table of aliasing, row by row, and the map behind it.
#include <gtest/gtest.h>

#include "compiler/plan/alias_map.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

constexpr DType kF32 = DType::kF32;

// ---- The map ------------------------------------------------------------------------------------

class AliasMapTest : public ::testing::Test {
 protected:
  TensorId a{0}, b{1}, c{2}, d{3}, e{4};
  AliasMap map{5};
};

TEST_F(AliasMapTest, WhoIsNotInTheMapOwnsItself) {
  EXPECT_EQ(map.resolve(a), a);
  EXPECT_EQ(map.tag(a), std::nullopt);
}

TEST_F(AliasMapTest, AnAliasResolvesToItsOwner) {
  map.alias(b, a, AliasTag::kAnything);
  EXPECT_EQ(map.resolve(b), a);
  EXPECT_EQ(map.tag(b), AliasTag::kAnything);
  EXPECT_EQ(map.resolve(a), a);
  EXPECT_EQ(map.tag(a), std::nullopt);
}

TEST_F(AliasMapTest, ATakeoverRewritesEveryEntryThatPointedAtTheOwner) {
  map.alias(b, a, AliasTag::kAnything);
  map.alias(c, a, AliasTag::kAnything);
  map.take_over(a, d, AliasTag::kContiguous);
  for (const TensorId tensor : {a, b, c, d}) {
    EXPECT_EQ(map.resolve(tensor), d);
    EXPECT_EQ(map.tag(tensor), AliasTag::kContiguous);
  }
}

TEST_F(AliasMapTest, AnAliasOfAClaimerKeepsItsOwnTagUntilTheNextTakeover) {
  map.take_over(a, b, AliasTag::kContiguous);
  map.alias(c, b, AliasTag::kAnything);
  EXPECT_EQ(map.resolve(c), b);
  EXPECT_EQ(map.tag(c), AliasTag::kAnything);
  EXPECT_EQ(map.tag(a), AliasTag::kContiguous);
  map.take_over(b, d, AliasTag::kContiguousCached);
  for (const TensorId tensor : {a, b, c}) {
    EXPECT_EQ(map.resolve(tensor), d);
    EXPECT_EQ(map.tag(tensor), AliasTag::kContiguousCached);
  }
}

TEST_F(AliasMapTest, ATensorMayClaimItself) {
  map.take_over(a, a, AliasTag::kContiguousCached);
  EXPECT_EQ(map.resolve(a), a);
  EXPECT_EQ(map.tag(a), AliasTag::kContiguousCached);
}

// ---- The table ----------------------------------------------------------------------------------

// x transposed is strided, so that packing it is work.
Described strided() {
  return Described().input("x", kF32, {2, 3}).node("a", "exp", {"x"}).node("t", "transpose", {"a"});
}

// Everything named is read in this order.
Described reading(Described graph, std::vector<std::string> names) {
  std::string sum = names[0];
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string next = "sum" + std::to_string(i);
    graph.node(next, "sub", {sum, names[i]});
    sum = next;
  }
  return graph.output(sum);
}

void expect_alias(const Planned& it, const char* name, AliasKind kind, AliasTag tag,
                  const char* target) {
  const AliasDecision decision = it.alias(name);
  EXPECT_EQ(decision.kind, kind);
  EXPECT_EQ(decision.tag, tag);
  EXPECT_EQ(decision.target, it.tensor(target));
  EXPECT_EQ(it.has_step(name), kind == AliasKind::kTakeover);
}

TEST(AliasTable, NoOpOfAnythingIsAnAlias) {
  const Described graph = reading(strided().node("n", "identity", {"t"}), {"n", "t"});
  expect_alias(planned(graph), "n", AliasKind::kAlias, AliasTag::kAnything, "t");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, PackingOfACacheNodeIsAnAlias) {
  const Described graph = reading(Described()
                                      .parameter("p", kF32, {2, 3})
                                      .node("k", "exp", {"p"})
                                      .cached()
                                      .node("c", "as_contiguous", {"k"}),
                                  {"c", "k"});
  expect_alias(planned(graph), "c", AliasKind::kAlias, AliasTag::kContiguousCached, "k");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, ASecondPackingIsAnAliasOfTheFirst) {
  const Described graph = reading(
      strided().node("c", "as_contiguous", {"t"}).node("d", "as_contiguous", {"t"}), {"c", "d"});
  const Planned it = planned(graph);
  expect_alias(it, "c", AliasKind::kTakeover, AliasTag::kContiguous, "t");
  expect_alias(it, "d", AliasKind::kAlias, AliasTag::kContiguous, "c");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, PackingOfANoOpTakesOverItsOwner) {
  const Described graph =
      reading(strided().node("n", "identity", {"t"}).node("c", "as_contiguous", {"n"}), {"n", "c"});
  const Planned it = planned(graph);
  expect_alias(it, "c", AliasKind::kTakeover, AliasTag::kContiguous, "t");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, PackingOfAPackingIsAnAlias) {
  const Described graph = reading(
      strided().node("c", "as_contiguous", {"t"}).node("d", "as_contiguous", {"c"}), {"d", "c"});
  expect_alias(planned(graph), "d", AliasKind::kAlias, AliasTag::kContiguous, "c");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, PackingOfAnythingElseTakesItOver) {
  const Described graph = reading(strided().node("c", "as_contiguous", {"a"}), {"c", "a"});
  const Planned it = planned(graph);
  expect_alias(it, "c", AliasKind::kTakeover, AliasTag::kContiguous, "a");
  EXPECT_EQ(it.step("c").kind, StepKind::kReference);  // nothing to pack
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, CacheOfACachedValueIsAnAlias) {
  const Described graph = reading(Described()
                                      .parameter("p", kF32, {2, 3})
                                      .node("k", "exp", {"p"})
                                      .cached()
                                      .node("c", "identity", {"k"})
                                      .cached(),
                                  {"c", "k"});
  const Planned it = planned(graph);
  EXPECT_EQ(it.alias("c").kind, AliasKind::kAlias);
  EXPECT_EQ(it.alias("c").tag, AliasTag::kContiguousCached);
  EXPECT_EQ(it.plan->state, Bytes{64});
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, CacheOfAPackingTakesItOver) {
  const Described graph = reading(Described()
                                      .parameter("p", kF32, {2, 3})
                                      .node("t", "transpose", {"p"})
                                      .node("c", "as_contiguous", {"t"})
                                      .node("k", "identity", {"c"})
                                      .cached(),
                                  {"k", "k"});
  const Planned it = planned(graph);
  EXPECT_EQ(it.alias("k").kind, AliasKind::kTakeover);
  EXPECT_EQ(it.alias("k").tag, AliasTag::kContiguousCached);
  EXPECT_EQ(it.alias("k").target, it.tensor("c"));
  EXPECT_EQ(disagreement(graph), "");
}

TEST(AliasTable, AllElseOwnsItsBytes) {
  const Described graph = reading(strided().node("b", "neg", {"t"}), {"b", "t"});
  const Planned it = planned(graph);
  for (const char* name : {"a", "t", "b"}) EXPECT_EQ(it.alias(name).kind, AliasKind::kNoAlias);
}

// ---- Frozen inputs ------------------------------------------------------------------------------

TEST(FrozenInputs, WhoStandsBeforeATakeoverReadsTheOriginalWhoStandsBehindItTheClaimer) {
  const Described graph = reading(strided()
                                      .node("before", "add", {"t", 1})
                                      .node("c", "as_contiguous", {"t"})
                                      .node("behind", "add", {"t", 2}),
                                  {"before", "c", "behind"});
  const Planned it = planned(graph);
  EXPECT_EQ(it.step("before").reads[0].tensor, it.tensor("t"));
  EXPECT_EQ(it.step("behind").reads[0].tensor, it.tensor("c"));
  EXPECT_TRUE(it.step("behind").reads[0].layout.is_packed());
  EXPECT_EQ(disagreement(graph), "");
}

TEST(FrozenInputs, ATakeoverReadsWhatItTakesOver) {
  const Described graph = reading(strided().node("c", "as_contiguous", {"t"}), {"c", "t"});
  EXPECT_EQ(planned(graph).step("c").reads[0].tensor, planned(graph).tensor("t"));
}

}  // namespace
}  // namespace wick::compiler::testing

// Small fixes that a reviewer might make to emitted code after the fact, each of which breaks a
// lifetime. The checker refuses them, at the line and in words that a C++ programmer understands.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/clang/check.h"
#include "tests/golden/model.h"

namespace wick::mutation {
namespace {

using frontend::check::Finding;

// The attention sample as checked in.
class EditedByHand : public ::testing::Test {
 protected:
  void edit(const std::string& from, const std::string& to) {
    const std::size_t at = source_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    ASSERT_EQ(source_.find(from, at + 1), std::string::npos) << from << " stands there twice";
    source_.replace(at, from.size(), to);
  }

  std::uint32_t line_with(const std::string& text) const {
    const auto end = source_.begin() + static_cast<std::ptrdiff_t>(source_.find(text));
    return static_cast<std::uint32_t>(1 + std::count(source_.begin(), end, '\n'));
  }

  frontend::check::Verdict verdict() const {
    const std::string weights = golden::contents(folder_ / "attention.weights");
    const auto compilation = golden::compile_model({"attention", folder_});
    return frontend::check::check({"attention.cpp", source_},
                                  {"attention.h", golden::contents(folder_ / "attention.h")},
                                  compilation.given.get(), std::as_bytes(std::span(weights)));
  }

  // The first finding.
  Finding refusal() const {
    const auto found = verdict();
    return found.is_sound() ? Finding{{}, "accepted", {}, {}} : found.findings.front();
  }

 private:
  golden::fs::path folder_ = golden::fs::path(WICK_SOURCE_DIR) / "samples/attention";
  std::string source_ = golden::contents(folder_ / "attention.cpp");
};

TEST_F(EditedByHand, TheFileAsItIsPasses) { EXPECT_EQ(refusal().message, "accepted"); }

// "The keys have been multiplied, so their memory can go before the attention is computed": one
// line too early.
TEST_F(EditedByHand, AFreeOneLineTooEarly) {
  const std::string free =
      "  wick::free(k);                                              // last read as k_heads\n";
  const std::string product =
      "  wick::matmul(scaled, q_heads, k_heads, scaled_kernel);      // step 6: fresh\n";
  edit(free, "");
  edit(product, free + product);
  EXPECT_EQ(refusal().place.line, line_with("wick::matmul(scaled"));
  EXPECT_EQ(refusal().message, "`k_heads` is read here, but line " +
                                   std::to_string(line_with("wick::free(k);")) + " has freed `k`");
}

// "The values are read once more and are dead then, so the context may lie where they are."
TEST_F(EditedByHand, AResultOverTheOperandOfTheSameStatement) {
  edit("constexpr std::size_t kContextRows = 6144; ",
       "constexpr std::size_t kContextRows = 4096; ");
  EXPECT_EQ(refusal().place.line, line_with("wick::matmul_transposed<"));
  EXPECT_EQ(
      refusal().message,
      "`context_rows` lies in bytes [4096, 6144) of `v_heads`, which the same statement uses");
}

// "Queries and keys have one size; one slot for both saves two KiB."
TEST_F(EditedByHand, TwoLiveSlotsInOnePlace) {
  edit("constexpr std::size_t kK = 6144; ", "constexpr std::size_t kK = 4096; ");
  EXPECT_EQ(refusal().place.line, line_with("wick::matmul(scaled"));
  EXPECT_EQ(refusal().message, "`q_heads` is read here, but line " +
                                   std::to_string(line_with("wick::matmul(k, x")) +
                                   " has overwritten its bytes [4096, 6144) with `k`");
}

// "Nothing follows in the arena, so the last free is of no use."
TEST_F(EditedByHand, AFreeThatIsMissing) {
  edit("  wick::free(active);\n", "");
  EXPECT_EQ(refusal().place.line, line_with("wick::matmul_in_place(residual2"));
  EXPECT_EQ(refusal().message,
            "`active` is never freed, and this is the last statement that uses it");
}

// "The total is needed last, so it can be taken last."
TEST_F(EditedByHand, ARowThatIsReadAfterItsWrite) {
  const std::string write =
      "  row.write(attention, attention_kernel, attention_exponential, attention_total);\n";
  const std::string total =
      "  const auto attention_total = row.reduce(wick::Sum{}, attention_exponential);\n";
  edit(
      total + write,
      "  row.write(attention, attention_kernel, attention_exponential, attention_peak);\n" + total);
  EXPECT_EQ(refusal().place.line, line_with("row.write(attention,"));
  EXPECT_EQ(refusal().message,
            "`attention_rows` goes on after its write, over what has been overwritten");
}

// "The bias of q will do for k as well" keeps every lifetime, and is found by what it computes.
TEST_F(EditedByHand, AnotherBias) {
  edit("q_kernel, weights.bk);", "q_kernel, weights.bq);");
  EXPECT_EQ(refusal().place.line, line_with("wick::matmul(k, x"));
  EXPECT_EQ(refusal().message, "`k`: reads `bq`; the graph says `bk`");
}

}  // namespace
}  // namespace wick::mutation

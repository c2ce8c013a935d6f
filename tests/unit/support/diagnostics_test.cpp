#include "compiler/support/diagnostics.h"

#include <gtest/gtest.h>

namespace wick::compiler {
namespace {

TEST(Diagnostics, ThereIsNothingAtFirst) {
  const Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 0u);
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(Diagnostics, MessagesStandInTheOrderTheyCame) {
  Diagnostics diagnostics;
  diagnostics.warning({"/nodes/0", "a"}, "first");
  diagnostics.error({"/nodes/1", "b"}, "second", "do this");
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::kWarning);
  EXPECT_EQ(diagnostics.all()[0].message, "first");
  EXPECT_EQ(diagnostics.all()[1].severity, Severity::kError);
  EXPECT_EQ(diagnostics.all()[1].site.pointer, "/nodes/1");
  EXPECT_EQ(diagnostics.all()[1].site.node, "b");
  EXPECT_EQ(diagnostics.all()[1].hint, "do this");
}

TEST(Diagnostics, AWarningIsNoError) {
  Diagnostics diagnostics;
  diagnostics.warning({}, "mind this");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Diagnostics, ErrorsBeyondTheMostAreOnlyCounted) {
  Diagnostics diagnostics;
  for (int i = 0; i < 1000; ++i) diagnostics.error({}, std::to_string(i));
  EXPECT_EQ(diagnostics.error_count(), 1000u);
  ASSERT_EQ(diagnostics.all().size(), Diagnostics::kMost);
  EXPECT_EQ(diagnostics.all().back().message, std::to_string(Diagnostics::kMost - 1));
}

TEST(Diagnostics, WarningsAreBoundedAndDoNotKeepErrorsOut) {
  Diagnostics diagnostics;
  for (int i = 0; i < 1000; ++i) diagnostics.warning({}, "again");
  diagnostics.error({}, "wrong");
  EXPECT_LE(diagnostics.all().size(), 2 * Diagnostics::kMost + 1);
  EXPECT_EQ(diagnostics.all().back().message, "wrong");
}

}  // namespace
}  // namespace wick::compiler

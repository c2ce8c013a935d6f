// The simulator on small functions whose faults are known.
#include "tests/check/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/check/small_file.h"

namespace wick::mutation {
namespace {

using ::testing::HasSubstr;

constexpr char kDeclareA[] = "  const auto a = wick::slot<Row4>(arena, kA);\n";
constexpr char kDeclareB[] = "  const auto b = wick::slot<Row4>(arena, kB);\n";

std::string fault_of(const std::string& statements, const std::string& slots = "") {
  return simulate(small_file(statements, slots)).fault;
}

// a = 2x, b = 2a, y = a + b
const std::string kSound = std::string(kDeclareA) + "  wick::map(a, twice_kernel, x);\n" +
                           kDeclareB +
                           "  wick::map(b, twice_kernel, a);\n"
                           "  wick::map(y, sum_kernel, a, b);\n"
                           "  wick::free(a);\n"
                           "  wick::free(b);\n";

TEST(Simulator, FollowsASoundFunction) {
  const Simulation simulation = simulate(small_file(kSound));
  EXPECT_EQ(simulation.fault, "");
  ASSERT_EQ(simulation.calls.size(), 1u);
  const std::vector<Tag>& y = simulation.calls[0].at("y");
  EXPECT_EQ(y.size(), 16u);  // four floats
  EXPECT_EQ(std::set<Tag>(y.begin(), y.end()).size(), 16u);
  EXPECT_EQ(wrong_byte(small_file(kSound), small_file(kSound)), "");
}

TEST(Simulator, FindsAReadOfWhatNobodyWrote) {
  EXPECT_THAT(fault_of(std::string(kDeclareA) + "  wick::map(y, twice_kernel, a);\n"),
              HasSubstr("line 28: bytes of arena are read that nobody wrote"));
}

TEST(Simulator, FindsAReadAfterAFree) {
  EXPECT_THAT(
      fault_of(std::string(kDeclareA) + "  wick::map(a, twice_kernel, x);\n  wick::free(a);\n"
                                        "  wick::map(y, twice_kernel, a);\n"),
      HasSubstr("freed bytes of arena are read"));
}

TEST(Simulator, FindsASecondFree) {
  EXPECT_THAT(fault_of(kSound + "  wick::free(a);\n"), HasSubstr("a slot is freed twice"));
}

TEST(Simulator, FindsSlotsOutsideTheArena) {
  const auto slots = [](const std::string& b) {
    return "constexpr std::size_t kA = 0;\nconstexpr std::size_t kB = " + b + ";\n";
  };
  EXPECT_EQ(fault_of(kSound, slots("128")), "");
  EXPECT_THAT(fault_of(kSound, slots("192")), HasSubstr("a slot ends beyond arena"));
  EXPECT_THAT(fault_of(kSound, slots("96")), HasSubstr("a slot is misaligned"));
}

// b lies where a lies, so y = a + b reads b twice.
TEST(Simulator, FindsBytesThatWereOverwritten) {
  const std::string statements = std::string(kDeclareA) + "  wick::map(a, twice_kernel, x);\n" +
                                 kDeclareB +
                                 "  wick::map(b, sum_kernel, x, x);\n"
                                 "  wick::map(y, sum_kernel, a, b);\n";
  const std::string together = "constexpr std::size_t kA = 0;\nconstexpr std::size_t kB = 0;\n";
  EXPECT_EQ(fault_of(statements, together), "");  // each read sees bytes that were written
  EXPECT_EQ(wrong_byte(small_file(statements), small_file(statements, together)),
            "bytes of y come from somewhere else");
  // Somewhere free, it makes no difference.
  const std::string apart = "constexpr std::size_t kA = 128;\nconstexpr std::size_t kB = 0;\n";
  EXPECT_EQ(wrong_byte(small_file(statements), small_file(statements, apart)), "");
}

// The same computation in another place gives the same bytes; so does a copy.
TEST(Simulator, TellsBytesByWhatWasDoneToThem) {
  const auto tags = [](const std::string& statements) {
    return simulate(small_file(std::string(kDeclareA) + kDeclareB + statements))
        .calls.at(0)
        .at("y");
  };
  const std::vector<Tag> direct = tags("  wick::map(y, twice_kernel, x);\n");
  EXPECT_EQ(tags("  wick::map(a, twice_kernel, x);\n  wick::copy(b, a);\n  wick::copy(y, b);\n"),
            direct);
  EXPECT_NE(tags("  wick::map(a, twice_kernel, x);\n  wick::map(y, twice_kernel, a);\n"), direct);
  EXPECT_NE(tags("  const auto r = wick::view<wick::Strided<Row4, -1>, 3>(x);\n"
                 "  wick::map(y, twice_kernel, r);\n"),
            direct);
}

TEST(Simulator, TakesPaddingByNothingForACopy) {
  const auto padded = [](const std::string& before) {
    return small_file("  wick::pad_edge<wick::Before<" + before + ">, wick::After<0>>(y, x);\n");
  };
  const Emitted copied = small_file("  wick::copy(y, x);\n");
  EXPECT_EQ(wrong_byte(copied, padded("0")), "");
  EXPECT_EQ(wrong_byte(copied, padded("1")), "bytes of y come from somewhere else");
}

TEST(Simulator, FindsAWriteOverItsOwnOperand) {
  const std::string slots = "constexpr std::size_t kA = 0;\nconstexpr std::size_t kB = 0;\n";
  EXPECT_THAT(fault_of(kSound, slots), HasSubstr("a statement writes over what it uses itself"));
}

TEST(Simulator, KnowsWhatMayBeWrittenInPlace) {
  const std::string begin = std::string(kDeclareA) + "  wick::map(a, twice_kernel, x);\n";
  const std::string end = "  wick::map(y, twice_kernel, c);\n  wick::free(a);\n";
  const std::string c = "  const auto c = wick::in_place<Row4>(a);\n";
  EXPECT_EQ(fault_of(begin + c + "  wick::map_in_place(c, twice_kernel, a);\n" + end), "");
  // Backwards, an element is read after another one was written over it.
  const std::string backwards = "  const auto r = wick::view<wick::Strided<Row4, -1>, 3>(a);\n" +
                                c + "  wick::map_in_place(c, twice_kernel, r);\n" + end;
  EXPECT_THAT(fault_of(begin + backwards), HasSubstr("writes over what it uses itself"));
}

TEST(Simulator, FindsAViewThatLeavesItsTensor) {
  EXPECT_THAT(fault_of("  const auto v = wick::view<wick::Strided<Row4, 1>, 1>(x);\n"
                       "  wick::map(y, twice_kernel, v);\n"),
              HasSubstr("an element lies outside x"));
}

TEST(Simulator, FindsAWriteToAnInput) {
  EXPECT_THAT(fault_of("  wick::map(x, twice_kernel, x);\n"), HasSubstr("writes over"));
  EXPECT_THAT(fault_of("  wick::copy(y, x);\n  wick::map(x, twice_kernel, y);\n"),
              HasSubstr("x is written"));
}

TEST(Simulator, FindsScratchOverAnOperand) {
  const std::string begin = std::string(kDeclareA) + "  wick::map(a, twice_kernel, x);\n";
  const std::string end = "  wick::sort<0, false>(y, a, w);\n  wick::free(a);\n";
  EXPECT_EQ(fault_of(begin + "  const auto w = wick::workspace<64>(arena, 64);\n" + end), "");
  EXPECT_THAT(fault_of(begin + "  const auto w = wick::workspace<64>(arena, 0);\n" + end),
              HasSubstr("writes over what it uses itself"));
}

TEST(Simulator, FollowsHeapSlots) {
  const std::string begin =
      "  const auto a = wick::heap_slot<Row4>();\n  wick::map(a, twice_kernel, x);\n"
      "  const auto b = wick::heap_slot<Row4>();\n  wick::map(b, twice_kernel, a);\n";
  const std::string use =
      "  wick::map(c, twice_kernel, b);\n  wick::free(b);\n"
      "  wick::map(y, twice_kernel, c);\n";
  const std::string reuse = "  const auto c = wick::reuse<Row4>(a);\n";
  EXPECT_EQ(fault_of(begin + "  wick::retire(a);\n" + reuse + use + "  wick::free(c);\n"), "");
  EXPECT_THAT(fault_of(begin + "  wick::retire(a);\n" + reuse + use),
              HasSubstr("a heap slot is never freed"));
  EXPECT_THAT(fault_of(begin + reuse + use + "  wick::free(c);\n"),
              HasSubstr("memory is reused that was not retired"));
}

// Parts and prepare are followed into, and the second call finds what the first one kept.
TEST(Simulator, KeepsTheStateAcrossCalls) {
  const std::string header =
      "namespace t {\nusing Row4 = wick::Tensor<float, 4>;\n"
      "struct State {\n  wick::Once once;\n  alignas(64) std::byte bytes[64];\n"
      "  wick::In<Row4> gain{nullptr};\n};\n}\n";
  const auto file = [&](const std::string& condition) {
    return parse_emitted(
        "namespace t {\nconstexpr auto k = [](auto a) {\n  return -a;\n};\n"
        "constexpr std::size_t kW = 0;\n"
        "static void prepare(State& state) noexcept {\n"
        "  const auto w = wick::slot<Row4>(state.bytes, kW);\n"
        "  wick::map(w, k, state.gain);\n}\n"
        "void run(State& state, wick::Out<Row4> y) noexcept {\n" +
            condition +
            "  const auto w = wick::slot<Row4>(state.bytes, kW);\n"
            "  wick::map(y, k, w);\n}\n}\n",
        header);
  };
  const Simulation simulation = simulate(
      file("  if (state.once.begin()) {\n    prepare(state);\n    state.once.finish();\n  }\n"));
  EXPECT_EQ(simulation.fault, "");
  ASSERT_EQ(simulation.calls.size(), 2u);
  EXPECT_EQ(simulation.calls[0], simulation.calls[1]);
  EXPECT_THAT(simulate(file("")).fault,
              HasSubstr("bytes of state.bytes are read that nobody wrote"));
}

}  // namespace
}  // namespace wick::mutation

// wick run: values in, values out, by both engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <variant>

#include "compiler/tensor/host_tensor.h"
#include "frontend/json/npy.h"
#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using compiler::HostTensor;
using compiler::Shape;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Run : public testing::Test {
 protected:
  template <class E>
  void write_tensor(const std::string& name, const Shape& shape,
                    const std::vector<E>& values) const {
    const auto tensor = HostTensor::of<E>(shape, std::span<const E>(values));
    ASSERT_FALSE(frontend::write_npy(bench_.path(name).string(), tensor));
  }

  template <class E>
  std::vector<E> read_tensor(const std::string& name) const {
    const auto read = frontend::read_npy(bench_.path(name).string());
    const auto* tensor = std::get_if<HostTensor>(&read);
    if (tensor == nullptr || tensor->dtype() != compiler::dtype_of<E>()) return {};
    std::vector<E> values;
    for (std::int64_t i = 0; i < tensor->element_count(); ++i) values.push_back(tensor->at<E>(i));
    return values;
  }

  Outcome run(std::vector<std::string> more,
              std::map<std::string, std::string> environment = {}) const {
    more.insert(more.begin(), {"run", "g.json"});
    return bench_.wick(more, "", std::move(environment));
  }

  void small() const {
    bench_.write("g.json", kSmallGraph);
    write_tensor<float>("x.npy", Shape::of({4}), {1, 2, -3, 0.5F});
  }

  Workbench bench_;
};

// (x + 1) * 3
const std::vector<float> kSmallResult = {6, 9, -6, 4.5F};

TEST_F(Run, TheReferenceWritesTheOutput) {
  small();
  const Outcome outcome = run({"--input", "x=x.npy", "-o", "out", "--engine=reference"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench_.list("out"), ElementsAre("y.npy"));
  EXPECT_EQ(read_tensor<float>("out/y.npy"), kSmallResult);
}

TEST_F(Run, CompiledCodeWritesTheOutputAndIsKept) {
  small();
  const Outcome first = run({"--input", "x=x.npy", "-o", "out"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(read_tensor<float>("out/y.npy"), kSmallResult);
  const std::vector<std::string> kept = bench_.list(".cache/wick");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_THAT(kept[0], StartsWith("run-"));

  // Another value of the input, the same code.
  const auto made = fs::last_write_time(bench_.path(".cache/wick/" + kept[0]));
  write_tensor<float>("x.npy", Shape::of({4}), {0, 0, 0, 1});
  ASSERT_EQ(run({"--input", "x=x.npy", "-o", "out"}).code, 0);
  EXPECT_EQ(read_tensor<float>("out/y.npy"), (std::vector<float>{3, 3, 3, 6}));
  EXPECT_THAT(bench_.list(".cache/wick"), ElementsAre(kept[0]));
  EXPECT_EQ(fs::last_write_time(bench_.path(".cache/wick/" + kept[0])), made);

  // What is no shared object any more is made anew.
  bench_.write(".cache/wick/" + kept[0], "cut off");
  ASSERT_EQ(run({"--input", "x=x.npy", "-o", "out"}).code, 0);
  EXPECT_GT(fs::file_size(bench_.path(".cache/wick/" + kept[0])), 1000U);
}

// Row sums 3 and 12 (t), sums of the running sums 0+1+3 = 4 and 3+7+12 = 22 (v), and their
// differences; the parameter's cached exponential of 0 is 1; the donated input is overwritten in
// memory and its file is not.
const char* const kEverything = R"({
  "wick": 1, "name": "everything",
  "inputs": [
    {"name": "x", "dtype": "f32", "shape": [2, 3]},
    {"name": "p", "dtype": "f32", "shape": [2], "role": "parameter"},
    {"name": "d", "dtype": "f32", "shape": [2], "donate": true}
  ],
  "constants": [{"name": "c", "dtype": "f32", "shape": [2], "values": [10, 20]}],
  "nodes": [
    {"name": "t", "op": "sum", "inputs": ["x"], "axes": [1]},
    {"name": "u", "op": "cumsum", "inputs": ["x"], "axis": 1},
    {"name": "v", "op": "sum", "inputs": ["u"], "axes": [1]},
    {"name": "w", "op": "sub", "inputs": ["v", "t"]},
    {"name": "e", "op": "exp", "inputs": ["p"], "cache": true},
    {"name": "f", "op": "add", "inputs": ["d", "e"]},
    {"name": "y", "op": "add", "inputs": ["f", "c"]},
    {"name": "big", "op": "gt", "inputs": ["y", 30]}
  ],
  "outputs": ["w", "y", "big"]
})";

TEST_F(Run, EveryStorageGivesWhatTheReferenceGives) {
  bench_.write("g.json", kEverything);
  write_tensor<float>("x.npy", Shape::of({2, 3}), {0, 1, 2, 3, 4, 5});
  write_tensor<float>("p.npy", Shape::of({2}), {0, 0});
  write_tensor<float>("d.npy", Shape::of({2}), {5, 10});
  for (const std::string option : {"--engine=reference", "--storage=arena", "--storage=static",
                                   "--storage=heap", "--storage=none", "--weights=pointer"}) {
    const Outcome outcome = run(
        {"--input", "x=x.npy", "--input", "p=p.npy", "--input", "d=d.npy", "-o", "out", option});
    ASSERT_EQ(outcome.code, 0) << option << "\n" << outcome.err;
    EXPECT_EQ(read_tensor<float>("out/w.npy"), (std::vector<float>{1, 10})) << option;
    EXPECT_EQ(read_tensor<float>("out/y.npy"), (std::vector<float>{16, 31})) << option;
    EXPECT_EQ(read_tensor<bool>("out/big.npy"), (std::vector<bool>{false, true})) << option;
    fs::remove_all(bench_.path("out"));
  }
  EXPECT_EQ(read_tensor<float>("d.npy"), (std::vector<float>{5, 10}));
}

TEST_F(Run, PrintsSmallOutputs) {
  bench_.write("g.json", R"({
    "wick": 1, "name": "g",
    "inputs": [{"name": "x", "dtype": "f32", "shape": [2, 2]}],
    "nodes": [{"name": "y", "op": "neg", "inputs": ["x"]},
              {"name": "z", "op": "isnan", "inputs": ["x"]},
              {"name": "s", "op": "sum", "inputs": ["x"]}],
    "outputs": ["y", "z", "s"]})");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  write_tensor<float>("x.npy", Shape::of({2, 2}), {0, 0.1F, -2.5F, nan});
  const Outcome outcome = run({"--input", "x=x.npy", "--print", "--engine=reference"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "\"y\" f32[2, 2]\n[[-0, -0.1],\n [2.5, nan]]\n"
            "\"z\" bool[2, 2]\n[[false, false],\n [false, true]]\n"
            "\"s\" f32[]\nnan\n");
}

TEST_F(Run, TellsEverythingThatIsWrongWithTheInputsAtOnce) {
  bench_.write("g.json", kEverything);
  const Outcome outcome = run({"--input", "dd=d.npy", "--input", "x=x.npy", "--input", "x=x.npy",
                               "--input", "nonsense", "--print"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no input \"dd\""));
  EXPECT_THAT(outcome.err, HasSubstr("input \"x\" is given twice"));
  EXPECT_THAT(outcome.err, HasSubstr("--input \"nonsense\" is not NAME=FILE.npy"));
  EXPECT_THAT(outcome.err, HasSubstr("input \"p\" is missing: f32[2]"));
  EXPECT_THAT(outcome.err, HasSubstr("input \"d\" is missing: f32[2]"));
}

TEST_F(Run, TellsWrongTypes) {
  small();
  write_tensor<double>("x.npy", Shape::of({4}), {1, 2, 3, 4});
  const Outcome dtype = run({"--input", "x=x.npy", "--print"});
  EXPECT_EQ(dtype.code, 1);
  EXPECT_THAT(dtype.err, HasSubstr("input \"x\" is f32[4], but \"x.npy\" holds f64[4]"));
  write_tensor<float>("x.npy", Shape::of({2, 2}), {1, 2, 3, 4});
  EXPECT_EQ(run({"--input", "x=x.npy", "--print"}).code, 1);
  bench_.write("x.npy", "no tensor");
  EXPECT_EQ(run({"--input", "x=x.npy", "--print"}).code, 1);
  EXPECT_EQ(run({"--input", "x=none.npy", "--print"}).code, 5);
}

TEST_F(Run, NamesMayHoldAnything) {
  bench_.write("g.json", R"({
    "wick": 1, "name": "g",
    "inputs": [{"name": "a=b", "dtype": "i32", "shape": [1]}],
    "nodes": [{"name": "../up", "op": "neg", "inputs": ["a=b"]},
              {"name": "..?up", "op": "abs", "inputs": ["a=b"]}],
    "outputs": ["../up", "..?up"]})");
  write_tensor<std::int32_t>("x.npy", Shape::of({1}), {7});
  const Outcome outcome = run({"--input", "a=b=x.npy", "-o", "out", "--engine=reference"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench_.list("out"), ElementsAre("_._up.npy", "_._up_2.npy"));
  EXPECT_EQ(read_tensor<std::int32_t>("out/_._up.npy"), (std::vector<std::int32_t>{-7}));
  EXPECT_EQ(read_tensor<std::int32_t>("out/_._up_2.npy"), (std::vector<std::int32_t>{7}));
  EXPECT_THAT(outcome.err, HasSubstr("output \"../up\" is in _._up.npy"));
}

TEST_F(Run, NeverOverwritesWhatItReadOrWhatIsNoTensor) {
  small();
  fs::rename(bench_.path("x.npy"), bench_.path("y.npy"));
  const std::vector<std::string> common = {"--input", "x=y.npy", "-o", ".", "--engine=reference"};
  EXPECT_EQ(run(common).code, 5);
  std::vector<std::string> forced = common;
  forced.push_back("--force");
  EXPECT_EQ(run(forced).code, 5);
  EXPECT_EQ(read_tensor<float>("y.npy"), (std::vector<float>{1, 2, -3, 0.5F}));
  bench_.write("out/y.npy", "somebody's");
  EXPECT_EQ(run({"--input", "x=y.npy", "-o", "out", "--engine=reference"}).code, 5);
  EXPECT_EQ(bench_.read("out/y.npy"), "somebody's");
  EXPECT_EQ(run({"--input", "x=y.npy", "-o", "out", "--engine=reference", "--force"}).code, 0);
  EXPECT_EQ(read_tensor<float>("out/y.npy"), kSmallResult);
}

TEST_F(Run, ACompilerThatIsMissingOrFailsIsTold) {
  small();
  const std::vector<std::string> arguments = {"--input", "x=x.npy", "-o", "out"};
  const Outcome missing = run(arguments, {{"CXX", "no-such-compiler"}});
  EXPECT_EQ(missing.code, 5);
  EXPECT_THAT(missing.err, HasSubstr("\"no-such-compiler\" cannot be started"));
  EXPECT_THAT(missing.err, HasSubstr("CXX"));
  const Outcome useless = run(arguments, {{"CXX", "false"}});
  EXPECT_EQ(useless.code, 5);
  // It tells a version and then fails.
  bench_.write("broken.sh",
               "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho cannot compile\nexit 1\n");
  fs::permissions(bench_.path("broken.sh"), fs::perms::owner_all);
  const Outcome broken = run(arguments, {{"CXX", bench_.path("broken.sh").string()}});
  EXPECT_EQ(broken.code, 5);
  EXPECT_THAT(broken.err, HasSubstr("cannot compile"));
  EXPECT_FALSE(bench_.exists("out"));
  EXPECT_TRUE(bench_.list(".cache/wick").empty());
}

TEST_F(Run, RunsAtTheSameTimeShareTheCache) {
  small();
  EXPECT_EQ(bench_.wick_at_once(3, "run g.json --input x=x.npy --cache c -o out"), 0);
  EXPECT_EQ(bench_.list("c").size(), 1U);
  EXPECT_EQ(read_tensor<float>("out/y.npy"), kSmallResult);
}

TEST_F(Run, WithoutAPlaceForTheCacheItAsksForOne) {
  small();
  const Outcome outcome = run({"--input", "x=x.npy", "-o", "out"}, {{"HOME", ""}});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("--cache DIR"));
  bench_.write("file", "");
  EXPECT_EQ(run({"--input", "x=x.npy", "-o", "out", "--cache", "file"}).code, 5);
}

}  // namespace
}  // namespace wick::cli_test

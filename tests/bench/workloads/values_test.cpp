// The workloads' values, compiled and run, against NumPy's in float64 (evaluate.py).
//
// Errors are measured in units u = 2^-24 of the largest magnitude in the expected result. What each
// workload is allowed:
//
//   chain            three roundings of at most the result's size, and half as much again for a
//                    shorter chain: 4
//   softmax          x - peak is rounded at a size of at most 16, which exp turns into a relative
//                    error of 8 u; exp 2 ulp, the sum of 1024 positive terms by 64 accumulators and
//                    halves at most 16 + 6 roundings, the quotient 1: 40
//   layer norm       mean and variance of 768 elements lose 12 + 6 roundings each, differences and
//                    products 5 more, all relative to elements of the result's size: 40
//   gelu, expchain   elementwise, each function at most 2 ulp, about ten roundings: 16
//   product of k     k products are summed in order; errors of random signs grow with the root of
//                    k, and the sum of magnitudes exceeds the largest result by as much: k
//   mlp, encoder, convnet
//                    longest product 784, 1024 and 1024
//
// A wrong operand, axis, constant or stride makes an error of the size of the result: 10^7 u.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "tests/bench/workloads/workloads.h"
#include "tests/corpus/batch.h"

namespace wick::workloads {
namespace {

using compiler::HostTensor;

struct Allowed {
  std::string name;
  double units;
};

std::ostream& operator<<(std::ostream& out, const Allowed& allowed) { return out << allowed.name; }

const std::vector<Allowed> kAllowed = {
    {"chain_4k", 4},
    {"softmax_1024", 40},
    {"meanvar_chain_1024", 40},
    {"layernorm_1024x768", 40},
    {"layernorm_decomp_1024x768", 40},
    {"gelu_erf_256k", 16},
    {"gelu_tanh_256k", 16},
    {"expchain_256k", 16},
    {"matmul_64", 64},
    {"mlp_b1", 784},
    {"mlp_b32", 784},
    {"encoder_s128_d256", 1024},
    {"convnet_32", 1024},
};

// The results of one call of the emitted function, compiled for the least instruction set.
std::vector<HostTensor> run(const std::string& name, const compiler::Compilation& compilation) {
  std::vector<HostTensor> inputs;
  const compiler::Graph& graph = *compilation.given;
  for (const compiler::Input& input : graph.inputs)
    inputs.push_back(tensor(name, graph.values[input.value].name));
  const auto folder = std::filesystem::temp_directory_path() /
                      ("wick_workload_" + name + "_" + std::to_string(getpid()));
  corpus::Batch batch(folder.string(), "batch");
  batch.add(name, compilation, inputs);
  auto results = batch.run({.compiler = "g++", .flags = {"-O1"}, .sanitize = false});
  std::filesystem::remove_all(folder);
  return std::move(results.front());
}

// The largest error in units of the largest magnitude that is expected; NaN counts as infinite.
double error_in_units(const HostTensor& found, const HostTensor& expected) {
  double error = 0, largest = 0;
  for (std::int64_t i = 0; i < expected.element_count(); ++i) {
    const double difference = std::fabs(found.as_double(i) - expected.as_double(i));
    error = std::isnan(difference) ? HUGE_VAL : std::max(error, difference);
    largest = std::max(largest, std::fabs(expected.as_double(i)));
  }
  return error / (largest * std::ldexp(1.0, -24));
}

class Values : public ::testing::TestWithParam<Allowed> {};

TEST_P(Values, AgreeWithNumPy) {
  const auto& [name, units] = GetParam();
  const compiler::Compilation compilation = compiled(name);
  const std::vector<HostTensor> results = run(name, compilation);
  ASSERT_EQ(results.size(), 1u);
  const HostTensor expected = tensor(name, "y.expected");
  ASSERT_EQ(results[0].shape(), expected.shape());
  const double error = error_in_units(results[0], expected);
  RecordProperty("units", std::to_string(error));
  EXPECT_LE(error, units);
}

INSTANTIATE_TEST_SUITE_P(Of, Values, ::testing::ValuesIn(kAllowed),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace wick::workloads

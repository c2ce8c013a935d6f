// Random graphs over the whole table of operations, for whoever compares two ways of computing the
// same. Operations are called by what their records say; only attributes have hints, by name.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compiler/graph/description.h"
#include "compiler/graph/graph.h"
#include "tests/support/random.h"

namespace wick::compiler::testing {

struct RandomGraphOptions {
  int nodes = 8;                     // about: a step that finds nothing legal is left out
  std::int64_t most_elements = 600;  // of any value
  // Of inputs and constants made for their own sake.
  std::vector<DType> dtypes = {DType::kF32, DType::kF32, DType::kF64,
                               DType::kI32, DType::kI64, DType::kBool};
  bool zero_extents = true;  // now and then
  bool caches = true;        // now and then, where legal
  bool donations = true;     // now and then
  // Which operations may occur; all if empty.
  std::function<bool(const ops::OpRecord&)> allowed = {};
};

// A legal description; the same for the same seed and options.
GraphDescription random_description(std::uint64_t seed, const RandomGraphOptions& options = {});

// The same, verified.
Graph random_graph(std::uint64_t seed, const RandomGraphOptions& options = {});

enum class RandomValues {
  kSmall,    // integers from -4 to 4, in every dtype: sums and products of a few are exact
  kSpecial,  // any bits: fractions of all magnitudes, zeros of both signs, infinities, NaN
};

HostTensor random_tensor(Random& random, DType dtype, const Shape& shape, RandomValues values);

// One tensor per input of the graph.
std::vector<HostTensor> random_inputs(const Graph& graph, std::uint64_t seed, RandomValues values);

}  // namespace wick::compiler::testing

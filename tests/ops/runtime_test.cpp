// The runtime against the reference: every elementwise operation, every dtype, in groups and in
// tails, on special values in all combinations and on random ones of every size.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <random>

#include "compiler/ops/evaluate.h"
#include "compiler/reference/agreement.h"
#include "tests/ops/elementwise_calls.h"
#include "wick/bounds.h"

namespace wick::compiler {
namespace {

using testing::ElementwiseCall;

template <class E>
std::vector<E> special_elements(std::size_t operands) {
  using Limits = std::numeric_limits<E>;
  std::vector<E> values;
  for (const int x : {0, 1, 2, 3, 7}) values.push_back(static_cast<E>(x));
  values.push_back(Limits::max());
  if constexpr (std::is_floating_point_v<E>) {
    for (const double x : {0.5, 1.5, 2.5, 10.0, 88.0, 710.0, 8388609.0}) {
      values.push_back(static_cast<E>(x));
    }
    for (const E x :
         {Limits::denorm_min(), Limits::min(), Limits::infinity(), Limits::quiet_NaN()}) {
      values.push_back(x);
    }
    if (operands > 2) values.resize(values.size() / 2);  // all triples of them
    for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  } else {
    values.push_back(Limits::min());
    for (const int x : {-1, -2, -3, -7}) values.push_back(static_cast<E>(x));
  }
  return values;
}

// Of any magnitude: floats by random bits, so that every exponent is as likely; half of them of
// moderate size, where functions bend.
template <class E>
E random_element(std::mt19937_64& engine) {
  if constexpr (std::is_same_v<E, bool>) {
    return engine() % 2 == 0;
  } else if constexpr (std::is_floating_point_v<E>) {
    if (engine() % 2 == 0) {
      return static_cast<E>(std::uniform_real_distribution<double>(-12, 12)(engine));
    }
    const std::uint64_t bits = engine();
    E value;
    std::memcpy(&value, &bits, sizeof(E));
    return value;
  } else {
    return static_cast<E>(engine() >> (engine() % 64));
  }
}

// Operand `index` of all combinations of special elements, then of random ones.
HostTensor operand_values(DType dtype, std::size_t index, const std::vector<std::size_t>& counts,
                          std::size_t random) {
  std::size_t combinations = 1, inner = 1;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    combinations *= counts[k];
    if (k > index) inner *= counts[k];
  }
  return dispatch(dtype, [&](auto zero) {
    using E = decltype(zero);
    const std::vector<E> special = special_elements<E>(counts.size());
    HostTensor tensor(dtype, Shape::of({static_cast<std::int64_t>(combinations + random)}));
    std::mt19937_64 engine(index + 1);
    for (std::size_t i = 0; i < combinations + random; ++i) {
      const E x =
          i < combinations ? special[i / inner % special.size()] : random_element<E>(engine);
      tensor.set<E>(static_cast<std::int64_t>(i), x);
    }
    return tensor;
  });
}

std::vector<HostTensor> operands_of(const ElementwiseCall& call) {
  constexpr std::size_t kRandom = 20003;  // no multiple of a group: the last go through the tail
  std::vector<std::size_t> counts;
  for (const DType dtype : call.operands) {
    counts.push_back(dispatch(dtype, [&](auto zero) {
      return special_elements<decltype(zero)>(call.operands.size()).size();
    }));
  }
  std::vector<HostTensor> operands;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    operands.push_back(operand_values(call.operands[k], k, counts, kRandom));
  }
  return operands;
}

HostTensor run(const ElementwiseCall& call, const std::vector<HostTensor>& operands) {
  std::vector<const void*> pointers;
  for (const HostTensor& operand : operands) pointers.push_back(operand.bytes().data());
  HostTensor result(call.result, operands[0].shape());
  call.run(pointers.data(), result.mutable_bytes().data(),
           static_cast<std::size_t>(result.element_count()));
  return result;
}

ops::Attributes attributes_of(const ElementwiseCall& call, const ops::OpRecord& op) {
  ops::Attributes attributes;
  for (const ops::AttributeSpec& attribute : op.attributes) {
    attributes.set(attribute.name, *attribute.default_value);
  }
  for (const std::string_view literal : op.text.literals) {
    attributes.set(literal, testing::sample_number(literal));
  }
  if (op.uses_dtype) attributes.set("dtype", call.result);
  return attributes;
}

std::string operands_text(const std::vector<HostTensor>& operands, std::int64_t element) {
  std::string text;
  for (const HostTensor& operand : operands) {
    text += " " + std::to_string(operand.as_double(element));
  }
  return text;
}

class Runtime : public ::testing::TestWithParam<ElementwiseCall> {};

TEST_P(Runtime, AgreesWithTheReference) {
  const ElementwiseCall& call = GetParam();
  const ops::OpRecord& op = *ops::find(call.op);
  const std::vector<HostTensor> operands = operands_of(call);
  const HostTensor found = run(call, operands);
  const auto stray = find_disagreement(op, attributes_of(call, op), operands, {&found, 1});
  EXPECT_FALSE(stray.has_value()) << stray->to_string(found.shape()) << " of"
                                  << operands_text(operands, stray->element);
}

std::string name_of_call(const ::testing::TestParamInfo<ElementwiseCall>& tested) {
  std::string name = tested.param.op;
  for (const DType dtype : tested.param.operands) name += "_" + std::string(name_of(dtype));
  return name + "_to_" + std::string(name_of(tested.param.result));
}

// The records state what the runtime keeps: its own table, and nothing else that is approximate.
TEST(ErrorBounds, AreThoseOfTheRuntime) {
  std::map<std::string_view, wick::ErrorBound> bounds;
  for (const wick::ErrorBound& bound : wick::kErrorBounds) bounds[bound.operation] = bound;
  for (const ops::OpRecord* op : ops::all()) {
    if (op->fusion != ops::FusionClass::kElementwise) continue;
    SCOPED_TRACE(std::string(op->name));
    const auto bound = bounds.find(op->name);
    EXPECT_EQ(op->error.ulps, bound == bounds.end() ? 0 : bound->second.f32);
    EXPECT_EQ(op->error.ulps_f64, bound == bounds.end() ? 0 : bound->second.f64);
  }
  for (const auto& [name, bound] : bounds) EXPECT_NE(ops::find(name), nullptr) << name;
}

INSTANTIATE_TEST_SUITE_P(Ops, Runtime, ::testing::ValuesIn(testing::elementwise_calls()),
                         name_of_call);

}  // namespace
}  // namespace wick::compiler

// Simplification believes the traits. Each is tried on every special value of every dtype that the
// operation takes, bit by bit (all NaNs being one value).
#include <gtest/gtest.h>

#include <limits>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/record.h"

namespace wick::compiler::ops {
namespace {

HostTensor special_values(DType dtype) {
  return dispatch(dtype, [&](auto zero) {
    using E = decltype(zero);
    using Limits = std::numeric_limits<E>;
    std::vector<E> values{E{0}, E{1}, Limits::max(), Limits::lowest()};
    if constexpr (std::is_floating_point_v<E>) {
      for (const E x : {E{0.5}, E{1.5}, E{2.5}, E{3}, Limits::denorm_min(), Limits::min(),
                        Limits::infinity(), Limits::quiet_NaN()}) {
        values.push_back(x);
      }
      for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
    } else if constexpr (!std::is_same_v<E, bool>) {
      for (const int x : {2, 3, -1, -2, 100}) values.push_back(static_cast<E>(x));
    }
    HostTensor tensor(dtype, Shape::of({static_cast<std::int64_t>(values.size())}));
    for (std::size_t i = 0; i < values.size(); ++i) {
      tensor.set<E>(static_cast<std::int64_t>(i), values[i]);
    }
    return tensor;
  });
}

// The attributes that are needed or have a default; those without are left out.
Attributes defaults(const OpRecord& op) {
  Attributes attributes;
  for (const AttributeSpec& attribute : op.attributes) {
    if (attribute.default_value) attributes.set(attribute.name, *attribute.default_value);
  }
  return attributes;
}

HostTensor apply(const OpRecord& op, std::vector<HostTensor> operands) {
  std::vector<TensorType> types;
  for (const HostTensor& operand : operands) {
    types.push_back({operand.dtype(), Layout(operand.shape())});
  }
  Inference inference;
  inference.operands = types;
  inference.attributes = defaults(op);
  inference.normal = inference.attributes;
  if (op.uses_dtype) inference.stated_dtype = operands[0].dtype();
  op.infer(inference);
  EXPECT_TRUE(inference.faults.empty()) << op.name;
  Evaluation evaluation{operands, inference.normal, inference.results, {}};
  op.evaluate(evaluation);
  return evaluation.results[0];
}

template <class F>
void for_each_dtype(const OpRecord& op, F f) {
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!op.operands.empty() && op.operands[0].dtypes.contains(dtype)) f(dtype);
  }
}

template <class F>
void for_every_record(F check_record) {
  for (const OpRecord* op : all()) {
    SCOPED_TRACE(std::string(op->name));
    check_record(*op);
  }
}

TEST(Traits, IdentitiesChangeNothing) {
  for_every_record([](const OpRecord& op) {
    for_each_dtype(op, [&](DType dtype) {
      const HostTensor x = special_values(dtype);
      if (op.traits.right_identity) {
        const HostTensor neutral = scalar_of(*op.traits.right_identity, dtype);
        EXPECT_TRUE(same_values(apply(op, {x, neutral}), x)) << name_of(dtype);
      }
      if (op.traits.left_identity) {
        const HostTensor neutral = scalar_of(*op.traits.left_identity, dtype);
        EXPECT_TRUE(same_values(apply(op, {neutral, x}), x)) << name_of(dtype);
      }
    });
  });
}

TEST(Traits, CommutativeOperationsGiveTheSameBits) {
  for_every_record([](const OpRecord& op) {
    if (!op.traits.commutative) return;
    for_each_dtype(op, [&](DType dtype) {
      const HostTensor x = special_values(dtype);
      HostTensor column(dtype, Shape::of({x.element_count(), 1}));
      std::ranges::copy(x.bytes(), column.mutable_bytes().begin());
      EXPECT_TRUE(same_values(apply(op, {x, column}), apply(op, {column, x}))) << name_of(dtype);
    });
  });
}

TEST(Traits, InvolutionsAndIdempotentOperationsAreThat) {
  for_every_record([](const OpRecord& op) {
    if (!op.traits.involution && !op.traits.idempotent) return;
    for_each_dtype(op, [&](DType dtype) {
      const HostTensor x = special_values(dtype);
      const HostTensor once = apply(op, {x});
      EXPECT_TRUE(same_values(apply(op, {once}), op.traits.involution ? x : once))
          << name_of(dtype);
    });
  });
}

TEST(Traits, AnIdentityGivesItsOperand) {
  for_every_record([](const OpRecord& op) {
    if (!op.traits.identity) return;
    const std::vector<std::int64_t> strides{-1, 7};
    const Layout odd(Shape::of({2, 3}), strides, 4);
    EXPECT_EQ(op.view(odd, {}, odd.shape(), 0), odd);
  });
}

TEST(Traits, TheNeutralTermOfAnAdditionIsMinusZero) {
  EXPECT_TRUE(std::signbit(*find("add")->traits.right_identity));
  EXPECT_FALSE(std::signbit(*find("sub")->traits.right_identity));
  EXPECT_EQ(find("sub")->traits.left_identity, std::nullopt);
  EXPECT_EQ(find("div")->traits.left_identity, std::nullopt);
}

// Behaviour 1.
TEST(Traits, NothingElseCommutes) {
  for (const char* name : {"sub", "div", "mod", "pow", "atan2", "lt", "le", "gt", "ge"}) {
    EXPECT_FALSE(find(name)->traits.commutative) << name;
  }
}

TEST(Traits, ExpensiveWorkIsKnownAsSuch) {
  for (const char* name : {"exp", "tanh", "pow", "gelu", "matmul", "sum", "softmax", "sort"}) {
    EXPECT_EQ(find(name)->traits.cost, Cost::kExpensive) << name;
  }
  for (const char* name : {"add", "mul", "div", "relu", "lt", "where", "cast", "reshape"}) {
    EXPECT_EQ(find(name)->traits.cost, Cost::kCheap) << name;
  }
}

TEST(Traits, NothingApproximateIsFolded) {
  for (const OpRecord* op : all()) {
    if (op->error.model == ErrorModel::kExact) continue;
    EXPECT_FALSE(op->traits.exactly_rounded) << op->name;
  }
}

}  // namespace
}  // namespace wick::compiler::ops

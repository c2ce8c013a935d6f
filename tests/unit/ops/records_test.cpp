// What holds of every record, and of the table.
#include "compiler/ops/record.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "compiler/support/check.h"

namespace wick::compiler::ops {
namespace {

template <class F>
void for_every_record(F check_record) {
  for (const OpRecord* op : all()) {
    SCOPED_TRACE(std::string(op->name));
    check_record(*op);
  }
}

TEST(EveryRecord, IsFoundByItsName) {
  for_every_record([](const OpRecord& op) { EXPECT_EQ(find(op.name), &op); });
}

TEST(EveryRecord, HasANameOfSmallLetters) {
  for_every_record([](const OpRecord& op) {
    EXPECT_EQ(op.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"),
              std::string_view::npos);
  });
}

TEST(EveryRecord, IsDescribed) {
  for_every_record([](const OpRecord& op) {
    EXPECT_FALSE(op.family.empty());
    EXPECT_FALSE(op.summary.empty());
    EXPECT_NE(op.summary.back(), '.');
    EXPECT_EQ(op.prose.back(), '.');
    EXPECT_NE(op.example.find("\"op\": \"" + std::string(op.name) + "\""), std::string_view::npos);
    for (const AttributeSpec& attribute : op.attributes) EXPECT_FALSE(attribute.summary.empty());
  });
}

TEST(EveryRecord, CanBeInferredAndEvaluated) {
  for_every_record([](const OpRecord& op) {
    EXPECT_NE(op.infer, nullptr);
    EXPECT_NE(op.evaluate, nullptr);
  });
}

TEST(EveryRecord, HasWhatItsClassAsksFor) {
  for_every_record([](const OpRecord& op) {
    EXPECT_EQ(op.text.form != ElementwiseText::Form::kNone, op.fusion == FusionClass::kElementwise);
    EXPECT_EQ(op.view != nullptr, op.fusion == FusionClass::kLayout);
    EXPECT_EQ(op.error.model == ErrorModel::kComposed || op.name == "stack",
              op.fusion == FusionClass::kComposite);
    if (op.fusion == FusionClass::kComposite) {
      EXPECT_NE(op.expand, nullptr);
      EXPECT_TRUE(op.call.function.empty());
    }
    const bool calls = op.fusion == FusionClass::kReduction || op.fusion == FusionClass::kProduct ||
                       op.fusion == FusionClass::kOpaque || op.fusion == FusionClass::kPack;
    EXPECT_EQ(!op.call.function.empty(), calls);
  });
}

TEST(EveryRecord, ReductionsHaveAxesAndAReducer) {
  for_every_record([](const OpRecord& op) {
    if (op.fusion != FusionClass::kReduction) return;
    std::set<std::string_view> names;
    for (const AttributeSpec& attribute : op.attributes) names.insert(attribute.name);
    EXPECT_EQ(names, (std::set<std::string_view>{"axes", "keepdims"}));
    EXPECT_EQ(op.call.function, "reduce");
    EXPECT_FALSE(op.call.reducer.empty());
  });
}

TEST(EveryRecord, DefaultsAreOfTheirKind) {
  for_every_record([](const OpRecord& op) {
    for (const AttributeSpec& attribute : op.attributes) {
      EXPECT_FALSE(attribute.required && attribute.default_value.has_value()) << attribute.name;
      if (attribute.default_value) {
        EXPECT_EQ(kind_of(*attribute.default_value), attribute.kind) << attribute.name;
      }
    }
  });
}

TEST(EveryRecord, EmissionNamesAttributesThatExist) {
  for_every_record([](const OpRecord& op) {
    std::set<std::string_view> names;
    for (const AttributeSpec& attribute : op.attributes) names.insert(attribute.name);
    for (const std::string_view literal : op.text.literals) EXPECT_TRUE(names.contains(literal));
    for (const std::string_view literal : op.call.literals) EXPECT_TRUE(names.contains(literal));
    for (const TemplateArgument& argument : op.call.template_arguments) {
      EXPECT_TRUE(names.contains(argument.attribute)) << argument.attribute;
    }
  });
}

TEST(EveryRecord, OptionalOperandsStandAtTheEnd) {
  for_every_record([](const OpRecord& op) {
    bool optional = false;
    for (const OperandSpec& operand : op.operands) {
      EXPECT_FALSE(optional && !operand.optional) << operand.name;
      optional = operand.optional;
      EXPECT_TRUE(!operand.variadic || &operand == &op.operands.back());
    }
  });
}

// ---- The table ----------------------------------------------------------------------------------

constexpr const char* kLanguage =
    "neg abs sign exp log log2 log1p expm1 sqrt rsqrt reciprocal sin cos tanh erf sigmoid "
    "relu leaky_relu elu gelu silu softplus floor ceil round trunc clamp add sub mul div mod "
    "pow minimum maximum atan2 eq ne lt le gt ge logical_and logical_or logical_xor "
    "logical_not isnan isinf where cast identity as_contiguous view reshape squeeze unsqueeze "
    "flatten slice flip transpose transpose_axes broadcast_to concat stack split pad gather "
    "gather_elements one_hot iota tile sum mean prod max min all any sum_of_squares logsumexp "
    "argmax argmin cumsum matmul conv max_pool avg_pool softmax log_softmax layer_norm rms_norm "
    "batch_norm linear "
    "topk sort argsort";

TEST(Table, HasTheOperationsOfTheLanguage) {
  std::istringstream names(kLanguage);
  for (std::string name; names >> name;) {
    EXPECT_NE(find(name), nullptr) << name;
  }
}

TEST(Table, FindsNothingElse) {
  EXPECT_EQ(find("no_such_operation"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST(Table, KeepsFamiliesTogether) {
  std::set<std::string_view> closed;
  std::string_view family;
  for (const OpRecord* op : all()) {
    if (op->family == family) continue;
    EXPECT_TRUE(closed.insert(op->family).second) << op->family << " stands in two places";
    family = op->family;
  }
}

TEST(Table, HasOneOperationForEachScalarRole) {
  EXPECT_EQ(with_role(ScalarRole::kShift).name, "add");
  EXPECT_EQ(with_role(ScalarRole::kUnshift).name, "sub");
  EXPECT_EQ(with_role(ScalarRole::kScale).name, "mul");
  EXPECT_EQ(with_role(ScalarRole::kUnscale).name, "div");
  EXPECT_EQ(with_role(ScalarRole::kMultiplyAdd).name, "fma");
  EXPECT_EQ(with_role(ScalarRole::kNegate).name, "neg");
  EXPECT_THROW(with_role(ScalarRole::kNone), InternalError);
}

TEST(Table, HasOnePackingOperation) { EXPECT_EQ(packing().name, "as_contiguous"); }

}  // namespace
}  // namespace wick::compiler::ops

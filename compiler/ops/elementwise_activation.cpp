// The activation functions of neural networks. Each gives its limit at the infinities, also where
// the formula itself would be inf * 0.

#include <cmath>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Activations";

OpRecord activation(std::string_view name, std::string_view summary, std::string_view prose,
                    std::string_view example, ErrorBound error, void (*evaluate)(Evaluation&)) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kFloats),
      .fusion = FusionClass::kElementwise,
      .traits = {.cost = Cost::kExpensive},
      .error = error,
      .infer = infer_elementwise,
      .evaluate = evaluate,
      .text = called(name),
  };
}

// 1 / (1 + exp(-x)) without a detour through an overflow.
template <class W>
W logistic(W x) {
  const W e = std::exp(-std::fabs(x));
  return (x < W{0} ? e : W{1}) / (W{1} + e);
}

// x * f(x) with f(-inf) = 0: the product's limit there is -0.
template <class W>
W gated(W x, W gate) {
  return gate == W{0} ? -W{0} : x * gate;
}

OpRecord sigmoid() {
  return activation("sigmoid", "1 / (1 + exp(-x))", "0 at -inf, 1 at inf.",
                    R"({"name": "y", "op": "sigmoid", "inputs": ["x"]})", ulps(1.9, 1.8),
                    evaluate_wide<1, [](auto x) { return logistic(x); }>);
}

OpRecord relu() {
  return {
      .name = "relu",
      .family = kFamily,
      .summary = "x if positive, else 0",
      .prose = "maximum(x, 0). NaN stays NaN.",
      .example = R"({"name": "y", "op": "relu", "inputs": ["x"]})",
      .operands = one_operand(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.idempotent = true},
      .error = kSameValue,
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<1, [](auto x) { return larger(x, decltype(x){0}); }>,
      .text = called("relu"),
  };
}

// Of one operand and a number "alpha".
OpRecord with_alpha(std::string_view name, std::string_view summary, std::string_view prose,
                    std::string_view example, double alpha, std::string_view alpha_summary) {
  OpRecord record = activation(name, summary, prose, example, ulps(2), nullptr);
  record.attributes = {{.name = "alpha",
                        .kind = AttributeKind::kNumber,
                        .default_value = alpha,
                        .summary = alpha_summary}};
  record.text = called(name, {"alpha"});
  return record;
}

OpRecord leaky_relu() {
  OpRecord record =
      with_alpha("leaky_relu", "x if positive, else alpha * x", "The product is correctly rounded.",
                 R"({"name": "y", "op": "leaky_relu", "inputs": ["x"], "alpha": 0.1})", 0.01,
                 "the slope below 0");
  record.traits = {};
  record.error = kSameValue;
  record.evaluate = [](Evaluation& evaluation) {
    // In double: exact for f32, rounded once for f64. A wider product would be rounded twice.
    evaluate_with_number<[](auto x, auto alpha) {
      const double product = static_cast<double>(alpha) * static_cast<double>(x);
      return x <= decltype(x){0} ? static_cast<decltype(x)>(product) : x;
    }>(evaluation, "alpha");
  };
  return record;
}

OpRecord elu() {
  OpRecord record =
      with_alpha("elu", "x if positive, else alpha * (exp(x) - 1)", "-alpha at -inf.",
                 R"({"name": "y", "op": "elu", "inputs": ["x"]})", 1.0, "minus the limit at -inf");
  record.evaluate = [](Evaluation& evaluation) {
    evaluate_with_number<[](auto x, auto alpha) {
      return x <= decltype(x){0} ? alpha * std::expm1(x) : x;
    }>(evaluation, "alpha");
  };
  return record;
}

OpRecord silu() {
  return activation("silu", "x * sigmoid(x)", "-0 at -inf. Also known as swish.",
                    R"({"name": "y", "op": "silu", "inputs": ["x"]})", ulps(1.9, 2),
                    evaluate_wide<1, [](auto x) { return gated(x, logistic(x)); }>);
}

OpRecord softplus() {
  return activation("softplus", "log(1 + exp(x))", "0 at -inf, inf at inf.",
                    R"({"name": "y", "op": "softplus", "inputs": ["x"]})", ulps(0.51, 1.8),
                    evaluate_wide<1, [](auto x) {
                      const auto tail = std::log1p(std::exp(-std::fabs(x)));
                      return x <= decltype(x){0} ? tail : x + tail;
                    }>);
}

template <class W>
W gelu_by_erf(W x) {
  const W half = W{1} / W{2};
  return gated(x, half * std::erfc(-x * std::sqrt(half)));
}

// 0.5 (1 + tanh(u)) is the logistic function of 2u, which does not cancel below 0.
template <class W>
W gelu_by_tanh(W x) {
  const W root = std::sqrt(W{2} / std::acos(W{-1}));
  const W u = root * (x + static_cast<W>(0.044715L) * x * x * x);
  return gated(x, logistic(W{2} * u));
}

bool expand_gelu(Composer& composer) {
  if (composer.attributes().text("approximate") == "none") return false;
  composer.result(0, composer.call("gelu_tanh", {composer.operand(0)}, {}, "tanh"));
  return true;
}

void evaluate_gelu(Evaluation& evaluation) {
  if (evaluation.attributes.text("approximate") == "none") {
    evaluate_wide<1, [](auto x) { return gelu_by_erf(x); }>(evaluation);
  } else {
    evaluate_wide<1, [](auto x) { return gelu_by_tanh(x); }>(evaluation);
  }
}

OpRecord gelu() {
  OpRecord record = activation(
      "gelu", "x times the normal distribution function of x",
      "x / 2 * (1 + erf(x / sqrt(2))), or its approximation by tanh, which is `gelu_tanh`. -0 at "
      "-inf. Hendrycks and Gimpel, 2016, arXiv:1606.08415.",
      R"({"name": "y", "op": "gelu", "inputs": ["x"], "approximate": "none"})", ulps(1.8),
      evaluate_gelu);
  record.attributes = {{.name = "approximate",
                        .kind = AttributeKind::kText,
                        .default_value = std::string("none"),
                        .summary = "the form",
                        .choices = {"none", "tanh"}}};
  record.expand = expand_gelu;
  return record;
}

OpRecord gelu_tanh() {
  return activation(
      "gelu_tanh", "gelu in its approximation by tanh",
      "x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))): what `gelu` with \"approximate\": "
      "\"tanh\" becomes. -0 at -inf.",
      R"({"name": "y", "op": "gelu_tanh", "inputs": ["x"]})", ulps(1.9, 1.8),
      evaluate_wide<1, [](auto x) { return gelu_by_tanh(x); }>);
}

}  // namespace

const std::vector<OpRecord>& activation_records() {
  static const std::vector<OpRecord> records = {relu(), leaky_relu(), elu(),       sigmoid(),
                                                silu(), gelu(),       gelu_tanh(), softplus()};
  return records;
}

}  // namespace wick::compiler::ops

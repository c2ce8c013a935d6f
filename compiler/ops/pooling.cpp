// Pooling: windows of the operand brought to one element each.

#include <optional>
#include <string>
#include <vector>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"
#include "compiler/ops/windows.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Pooling";

// ---- Inference ----------------------------------------------------------------------------------

// Whether the window takes an element that is not padding.
bool takes_an_element(const WindowAxis& windows, std::int64_t window) {
  const auto [first, last] = windows.inside(window);
  return first < last;
}

// A fault unless every window takes an element that is not padding. That the first and the last do
// is enough, but where the operand is shorter than the distance of a window's elements: those that
// begin in front of it may step over it, and are refused whether one does or not.
bool must_take_elements(Inference& inference, const WindowAxis& windows, std::size_t axis) {
  const std::string where =
      "along spatial axis " + std::to_string(axis) + " of " + text_of(inference.operands[0]);
  if (!takes_an_element(windows, 0) || !takes_an_element(windows, windows.count() - 1)) {
    inference.fail("/pads", "a window " + where + " would take nothing but padding",
                   "pad less, or pad the operand explicitly");
    return false;
  }
  if (windows.before == 0 || windows.extent >= windows.dilation) return true;
  inference.fail("/pads",
                 "windows that begin in padding could step over the elements " + where +
                     ": theirs are " + std::to_string(windows.dilation) + " apart",
                 "pad the operand explicitly, or dilate less");
  return false;
}

void infer_pool(Inference& inference) {
  const TensorType& x = inference.operands[0];
  const auto rank = spatial_rank(inference);
  if (!rank) return;
  auto sizes = spatial_integers(inference, "kernel", *rank);
  if (!sizes) return;
  for (const std::string_view name : {"strides", "dilations"}) {
    if (!inference.attributes.has(name)) continue;
    auto numbers = spatial_integers(inference, name, *rank);
    if (!numbers) return;
    inference.normal.set(name, std::move(*numbers));
  }
  auto pads = spatial_pads(inference, *rank);
  if (!pads) return;
  inference.normal.set("pads", std::move(*pads));
  const auto extents = windows_extents(inference, x.shape()[1], *sizes);
  if (!extents) return;
  for (std::size_t axis = 0; axis < *rank; ++axis) {
    const WindowAxis windows = window_axis(inference.normal, x.shape(), *sizes, axis);
    if (!must_take_elements(inference, windows, axis)) return;
  }
  inference.normal.set("kernel", std::move(*sizes));
  if (inference.attributes.has("count_include_pad")) {
    inference.normal.set("count_include_pad", inference.attributes.flag("count_include_pad"));
  }
  add_result(inference, x.dtype, *extents);
}

// ---- Evaluation ---------------------------------------------------------------------------------

// Result element i is f(each), where each(g) calls g(element) for what its window takes of x, in
// row-major order.
template <class E, class F>
void evaluate_windows(Evaluation& evaluation, F f) {
  const HostTensor& x = evaluation.operands[0];
  const auto [vertical, horizontal] =
      window_axes(evaluation.attributes, x.shape(), evaluation.attributes.integers("kernel"));
  HostTensor result = make_result(evaluation);
  const std::int64_t columns = horizontal.count(), windows = vertical.count() * columns;
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    const std::int64_t row = i % windows / columns, column = i % columns;
    const std::int64_t image = i / windows * vertical.extent;
    const auto rows = vertical.inside(row), taken = horizontal.inside(column);
    result.set<E>(i, f([&](auto g) {
                    for (std::int64_t j = rows[0]; j < rows[1]; ++j) {
                      const std::int64_t line = (image + vertical.at(row, j)) * horizontal.extent;
                      for (std::int64_t k = taken[0]; k < taken[1]; ++k)
                        g(x.at<E>(line + horizontal.at(column, k)));
                    }
                  }));
  }
  evaluation.results.push_back(std::move(result));
}

void evaluate_max_pool(Evaluation& evaluation) {
  dispatch_number(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    evaluate_windows<E>(evaluation, [](auto each) {
      std::optional<Exact<E>> largest;
      each([&](E x) {
        const auto value = static_cast<Exact<E>>(x);
        largest = largest ? larger(*largest, value) : value;
      });
      return element<E>(largest.value());
    });
  });
}

std::int64_t window_elements(const Attributes& normal) {
  std::int64_t count = 1;
  for (const std::int64_t size : normal.integers("kernel")) count *= size;
  return count;
}

void evaluate_avg_pool(Evaluation& evaluation) {
  const bool counts_padding = evaluation.attributes.flag("count_include_pad");
  const std::int64_t all = window_elements(evaluation.attributes);
  dispatch_float(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    evaluate_windows<E>(evaluation, [&](auto each) {
      Wide<E> total{0};
      std::int64_t count = 0;
      each([&](E x) {
        total += static_cast<Wide<E>>(x);
        ++count;
      });
      return element<E>(total / static_cast<Wide<E>>(counts_padding ? all : count));
    });
  });
}

std::int64_t count_terms(std::span<const HostTensor>, const Attributes& normal) {
  return window_elements(normal);
}

// ---- Records ------------------------------------------------------------------------------------

AttributeSpec kernel_attribute() {
  return {.name = "kernel",
          .kind = AttributeKind::kIntegers,
          .required = true,
          .summary = "elements of a window along each spatial axis, or one number for all"};
}

// Neither is folded at compile time: windows may overlap so much that evaluating takes longer than
// a compilation should.
OpRecord max_pool() {
  return {
      .name = "max_pool",
      .family = kFamily,
      .summary = "the largest element of each window",
      .prose =
          "x is [batch, channels, width] or [batch, channels, height, width]; windows slide "
          "over the spatial axes as those of conv. Padding is left out, and no window may lie "
          "in it alone; an axis shorter than `dilations` must not be padded in front. NaN if "
          "there is one in the window.",
      .example =
          R"({"name": "y", "op": "max_pool", "inputs": ["x"], "kernel": [2], "strides": [2]})",
      .operands = {{.name = "x", .dtypes = kNumbers, .summary = "[batch, channels, spatial...]"}},
      .attributes = {kernel_attribute(), strides_attribute(), dilations_attribute(),
                     pads_attribute()},
      .fusion = FusionClass::kOpaque,
      .traits = {.cost = Cost::kExpensive},
      .error = kSameValue,
      .infer = infer_pool,
      .evaluate = evaluate_max_pool,
      .call = {.function = "max_pool",
               .template_arguments = {{TemplateArgument::Form::kSizes, "kernel"},
                                      {TemplateArgument::Form::kSteps, "strides"},
                                      {TemplateArgument::Form::kDilations, "dilations"},
                                      {TemplateArgument::Form::kBefore, "pads"}}},
  };
}

OpRecord avg_pool() {
  return {
      .name = "avg_pool",
      .family = kFamily,
      .summary = "the mean of each window",
      .prose =
          "x is [batch, channels, width] or [batch, channels, height, width]; windows slide "
          "over the spatial axes as those of conv. The mean of the elements that are not "
          "padding, or with `count_include_pad` of all, padding being 0. No window may lie in "
          "the padding alone. Floating point only.",
      .example =
          R"({"name": "y", "op": "avg_pool", "inputs": ["x"], "kernel": [3], "pads": [[1, 1]]})",
      .operands = {{.name = "x", .dtypes = kFloats, .summary = "[batch, channels, spatial...]"}},
      .attributes = {kernel_attribute(),
                     strides_attribute(),
                     pads_attribute(),
                     {.name = "count_include_pad",
                      .kind = AttributeKind::kFlag,
                      .default_value = false,
                      .summary = "divide by the size of the window even where it is padding"}},
      .fusion = FusionClass::kOpaque,
      .traits = {.cost = Cost::kExpensive},
      .error = {.model = ErrorModel::kAccumulated,
                .ulps = 1,
                .ulps_f64 = 1,
                .terms = count_terms,
                .divides = true},
      .infer = infer_pool,
      .evaluate = evaluate_avg_pool,
      .call = {.function = "average_pool",
               .template_arguments = {{TemplateArgument::Form::kSizes, "kernel"},
                                      {TemplateArgument::Form::kSteps, "strides"},
                                      {TemplateArgument::Form::kBefore, "pads"},
                                      {TemplateArgument::Form::kFlag, "count_include_pad"}}},
  };
}

}  // namespace

const std::vector<OpRecord>& pooling_records() {
  static const std::vector<OpRecord> records = {max_pool(), avg_pool()};
  return records;
}

}  // namespace wick::compiler::ops

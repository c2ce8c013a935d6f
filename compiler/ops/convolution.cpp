// Convolution: windows of the operand multiplied by weights.

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/windows.h"

namespace wick::compiler::ops {
namespace {

// The extents of the weights' spatial axes: how large a window is.
Integers kernel_sizes(const Shape& weights) {
  const auto extents = weights.extents().subspan(2);
  return {extents.begin(), extents.end()};
}

// ---- Inference ----------------------------------------------------------------------------------

// A fault if `count` things cannot be parted into groups of equal size.
bool parts_evenly(Inference& inference, std::string path, std::int64_t count,
                  std::string_view things, const TensorType& of, std::int64_t groups) {
  if (groups >= 1 && groups <= kMostSpatial && count % groups == 0) return true;
  inference.fail(std::move(path),
                 "cannot part the " + std::to_string(count) + " " + std::string(things) + " of " +
                     text_of(of) + " into " + std::to_string(groups) + " groups of equal size",
                 "the number of groups divides that of channels and that of kernels; 1 is an "
                 "ordinary convolution");
  return false;
}

// What was probably meant by weights of the wrong shape.
std::string weights_hint(const Shape& x, const Shape& w) {
  const std::int64_t channels = x[1];
  if (w.rank() != x.rank()) return "\"unsqueeze\" adds axes of one element";
  if (channels >= 1 && w[1] >= 1 && channels % w[1] == 0 && w[0] % (channels / w[1]) == 0) {
    return "with \"groups\": " + std::to_string(channels / w[1]) + " they would fit";
  }
  if (w[0] == channels) return "\"transpose\" with axes 1, 0 and the others swaps channels";
  return {};
}

// True if the weights are [channels_out, channels / groups, kernel...] for this operand.
bool weights_fit(Inference& inference, std::size_t rank, std::int64_t groups) {
  const TensorType& x = inference.operands[0];
  const TensorType& w = inference.operands[1];
  const std::int64_t channels = x.shape()[1];
  if (!parts_evenly(inference, "/groups", channels, "channels", x, groups)) return false;
  const bool is_kernel = w.shape().rank() == rank + 2 && w.shape()[1] == channels / groups;
  if (!is_kernel) {
    inference.fail("/inputs/1",
                   "expected weights of shape [channels_out, " + std::to_string(channels / groups) +
                       (rank == 1 ? ", width]" : ", height, width]") + " for " + text_of(x) +
                       " in " + std::to_string(groups) + (groups == 1 ? " group" : " groups") +
                       "; found " + text_of(w),
                   weights_hint(x.shape(), w.shape()));
    return false;
  }
  if (!parts_evenly(inference, "/inputs/1", w.shape()[0], "kernels", w, groups)) return false;
  for (const std::int64_t size : kernel_sizes(w.shape())) {
    if (size >= 1 && size <= kMostSpatial) continue;
    inference.fail("/inputs/1", "expected kernels of 1 to " + std::to_string(kMostSpatial) +
                                    " elements along each spatial axis; found " + text_of(w));
    return false;
  }
  return true;
}

void infer_conv(Inference& inference) {
  const auto rank = spatial_rank(inference);
  if (!rank) return;
  const std::int64_t groups = inference.attributes.integer("groups");
  if (!weights_fit(inference, *rank, groups)) return;
  auto strides = spatial_integers(inference, "strides", *rank);
  auto dilations = spatial_integers(inference, "dilations", *rank);
  auto pads = spatial_pads(inference, *rank);
  if (!strides || !dilations || !pads) return;
  inference.normal.set("strides", std::move(*strides));
  inference.normal.set("dilations", std::move(*dilations));
  inference.normal.set("pads", std::move(*pads));
  inference.normal.set("groups", groups);
  const TensorType& w = inference.operands[1];
  const auto extents = windows_extents(inference, w.shape()[0], kernel_sizes(w.shape()));
  if (!extents || !add_result(inference, w.dtype, *extents)) return;
  if (inference.operands.size() < 3) return;
  const Shape& bias = inference.operands[2].shape();
  if (bias.rank() == 1 && bias[0] == w.shape()[0]) return;
  inference.fail("/inputs/2", "expected a bias of shape [" + std::to_string(w.shape()[0]) +
                                  "], one element per kernel of " + text_of(w) + "; found " +
                                  text_of(inference.operands[2]));
}

// ---- Expansion ----------------------------------------------------------------------------------

bool expand_conv(Composer& composer) {
  if (composer.operand_count() < 3) return false;
  const auto product = composer.call("conv", {composer.operand(0), composer.operand(1)},
                                     composer.attributes(), "product");
  Integers spatial(composer.type(product).shape().rank() - 2);
  for (std::size_t axis = 0; axis < spatial.size(); ++axis) {
    spatial[axis] = static_cast<std::int64_t>(axis) + 1;
  }
  const auto bias =
      composer.call("unsqueeze", {composer.operand(2)}, {{"axes", std::move(spatial)}}, "bias");
  composer.result(0, composer.call("add", {product, bias}, {}, "sum"));
  return true;
}

// ---- Evaluation ---------------------------------------------------------------------------------

// What one element of the result reads: a window of the channels of its group, and its kernel.
struct Sums {
  const HostTensor& x;
  const HostTensor& w;
  WindowAxes axes;
  std::int64_t channels;  // of a group

  // The element of x in line `line` of all lines of all channels, which is line `row` of its own.
  template <class E>
  Wide<E> element_at(std::int64_t line, std::int64_t row, std::int64_t column) const {
    const bool is_padding = !axes[0].has(row) || !axes[1].has(column);
    return is_padding ? 0 : static_cast<Wide<E>>(x.at<E>(line * axes[1].extent + column));
  }

  // The sum over the channels from the one that is number `image` of x, with the kernel whose
  // first channel is number `kernel` of w, for the window (row, column).
  template <class E>
  Wide<E> at(std::int64_t image, std::int64_t kernel, std::int64_t row, std::int64_t column) const {
    Wide<E> total{0};
    std::int64_t weight = kernel * axes[0].size * axes[1].size;
    for (std::int64_t channel = image; channel < image + channels; ++channel) {
      for (std::int64_t i = 0; i < axes[0].size; ++i) {
        const std::int64_t line = axes[0].at(row, i);
        for (std::int64_t j = 0; j < axes[1].size; ++j) {
          const Wide<E> value =
              element_at<E>(channel * axes[0].extent + line, line, axes[1].at(column, j));
          total = plus(total, times(value, static_cast<Wide<E>>(w.at<E>(weight++))));
        }
      }
    }
    return total;
  }
};

void evaluate_conv(Evaluation& evaluation) {
  const HostTensor& x = evaluation.operands[0];
  const HostTensor& w = evaluation.operands[1];
  const std::int64_t channels = w.shape()[1], kernels = w.shape()[0];
  const std::int64_t kernels_of_group = kernels / evaluation.attributes.integer("groups");
  const Sums sums{x, w, window_axes(evaluation.attributes, x.shape(), kernel_sizes(w.shape())),
                  channels};
  HostTensor result = make_result(evaluation);
  dispatch_number(result.dtype(), [&](auto zero) {
    using E = decltype(zero);
    const std::int64_t rows = sums.axes[0].count(), columns = sums.axes[1].count();
    std::int64_t i = 0;
    for (std::int64_t image = 0; image < result.shape()[0] * kernels; ++image) {
      const std::int64_t kernel = image % kernels;
      const std::int64_t channel =
          image / kernels * x.shape()[1] + kernel / kernels_of_group * channels;
      const bool adds = evaluation.operands.size() > 2;
      const Wide<E> bias = adds ? static_cast<Wide<E>>(evaluation.operands[2].at<E>(kernel)) : 0;
      for (std::int64_t window = 0; window < rows * columns; ++window) {
        const Wide<E> sum =
            sums.at<E>(channel, kernel * channels, window / columns, window % columns);
        result.set<E>(i++, element<E>(adds ? plus(sum, bias) : sum));
      }
    }
  });
  evaluation.results.push_back(std::move(result));
}

// The products that an element of the result adds up.
std::int64_t count_products(std::span<const HostTensor> operands, const Attributes&) {
  const Shape& w = operands[1].shape();
  return w[0] == 0 ? 0 : w.element_count() / w[0];
}

// ---- Records ------------------------------------------------------------------------------------

OpRecord conv() {
  return {
      .name = "conv",
      .family = "Convolution",
      .summary = "windows of x multiplied by kernels, as neural networks do",
      .prose =
          "x is [batch, channels, width] or [batch, channels, height, width], w is [channels_out,"
          " channels / groups, kernel...], the result [batch, channels_out, windows...]. Element "
          "(n, o, i...) is the sum over channels c of the group of o and elements j of the kernel"
          " of w[o, c, j] * x[n, c, i * strides - before + j * dilations]: a correlation, the "
          "kernel is not flipped. Elements in the padding are 0. There are floor((extent + before"
          " + after - dilations * (kernel - 1) - 1) / strides) + 1 windows along an axis. The "
          "channels of x and of the result come in `groups` parts of equal size, each part "
          "computed from its own; with as many groups as channels the convolution is depthwise. "
          "Integers wrap. With a bias it is made of conv and add.",
      .example =
          R"({"name": "y", "op": "conv", "inputs": ["x", "w", "b"], "pads": [[1, 1], [1, 1]]})",
      .operands = {{.name = "x", .dtypes = kNumbers, .summary = "[batch, channels, spatial...]"},
                   {.name = "w",
                    .dtypes = kNumbers,
                    .summary = "[channels_out, channels / groups, kernel...]"},
                   {.name = "b",
                    .dtypes = kNumbers,
                    .optional = true,
                    .summary = "[channels_out], added to every element of a channel"}},
      .attributes = {strides_attribute(),
                     dilations_attribute(),
                     pads_attribute(),
                     {.name = "groups",
                      .kind = AttributeKind::kInteger,
                      .default_value = std::int64_t{1},
                      .summary = "how many parts the channels come in"}},
      .fusion = FusionClass::kProduct,
      .traits = {.cost = Cost::kExpensive},
      .error = {ErrorModel::kProduct, 1, 1, count_products},
      .infer = infer_conv,
      .expand = expand_conv,
      .evaluate = evaluate_conv,
      .call = {.function = "convolve",
               .template_arguments = {{TemplateArgument::Form::kSteps, "strides"},
                                      {TemplateArgument::Form::kDilations, "dilations"},
                                      {TemplateArgument::Form::kBefore, "pads"},
                                      {TemplateArgument::Form::kInteger, "groups"}}},
  };
}

}  // namespace

const std::vector<OpRecord>& convolution_records() {
  static const std::vector<OpRecord> records = {conv()};
  return records;
}

}  // namespace wick::compiler::ops

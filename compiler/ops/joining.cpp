// Operations that put tensors together or repeat them.

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Joining and padding";

// ---- Concat and stack ---------------------------------------------------------------------------

const AttributeSpec kJoinAxis = {.name = "axis",
                                 .kind = AttributeKind::kInteger,
                                 .default_value = std::int64_t{0},
                                 .summary = "the axis to join along, of the result"};

std::vector<OperandSpec> many_operands() {
  return {{.name = "parts", .variadic = true, .summary = "one or more"}};
}

// A fault unless operand `index` has the extents of the first, but at `except`.
bool matches_first(Inference& inference, std::size_t index, std::size_t except) {
  const Shape& first = inference.operands[0].shape();
  const Shape& shape = inference.operands[index].shape();
  bool same = shape.rank() == first.rank();
  for (std::size_t axis = 0; same && axis < shape.rank(); ++axis) {
    same = axis == except || shape[axis] == first[axis];
  }
  if (!same) {
    const std::string but =
        except < kMaxRank ? " but along axis " + std::to_string(except) : std::string();
    inference.fail(operand_path(index), "cannot join " + text_of(inference.operands[index]) +
                                            " to " + text_of(inference.operands[0]) +
                                            ": expected equal shapes" + but);
  }
  return same;
}

void infer_concat(Inference& inference) {
  const TensorType& first = inference.operands[0];
  const auto axis = normal_axis(inference);
  if (!axis) return;
  std::array<std::int64_t, kMaxRank> extents{};
  std::ranges::copy(first.shape().extents(), extents.begin());
  for (std::size_t i = 1; i < inference.operands.size(); ++i) {
    if (!matches_first(inference, i, *axis)) return;
    // Beyond the limit any sum is too large, and cannot overflow by growing further.
    extents[*axis] =
        std::min(extents[*axis] + inference.operands[i].shape()[*axis], kMaxTensorBytes.count + 1);
  }
  add_result(inference, first.dtype,
             std::span<const std::int64_t>(extents.data(), first.shape().rank()));
}

// The operands' chunks of bytes, in turns: a chunk is what lies from `axis` inwards.
void evaluate_joined(Evaluation& evaluation) {
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  HostTensor result = make_result(evaluation);
  std::byte* to = result.mutable_bytes().data();
  std::int64_t turns = 1;
  for (std::size_t i = 0; i < axis; ++i) turns *= result.shape()[i];
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    for (const HostTensor& part : evaluation.operands) {
      const std::size_t chunk = part.bytes().size() / static_cast<std::size_t>(turns);
      if (chunk == 0) continue;
      std::memcpy(to, part.bytes().data() + static_cast<std::size_t>(turn) * chunk, chunk);
      to += chunk;
    }
  }
  evaluation.results.push_back(std::move(result));
}

OpRecord concat() {
  return {
      .name = "concat",
      .family = kFamily,
      .summary = "the operands one after the other along an axis",
      .prose = "All extents but that of the axis are equal. As numpy.concatenate.",
      .example = R"({"name": "y", "op": "concat", "inputs": ["a", "b"], "axis": 1})",
      .operands = many_operands(),
      .attributes = {kJoinAxis},
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = infer_concat,
      .evaluate = evaluate_joined,
      .call = {.function = "concat",
               .template_arguments = {{TemplateArgument::Form::kInteger, "axis"}}},
  };
}

void infer_stack(Inference& inference) {
  const TensorType& first = inference.operands[0];
  const std::size_t rank = first.shape().rank() + 1;
  const auto axis =
      checked_axis(inference, inference.attributes.integer("axis"), AxesOf(rank), "axis");
  if (!axis) return;
  for (std::size_t i = 1; i < inference.operands.size(); ++i) {
    if (!matches_first(inference, i, kMaxRank)) return;
  }
  Integers extents(first.shape().extents().begin(), first.shape().extents().end());
  extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(*axis),
                 static_cast<std::int64_t>(inference.operands.size()));
  if (!add_result(inference, first.dtype, extents)) return;
  inference.normal.set("axis", static_cast<std::int64_t>(*axis));
}

bool expand_stack(Composer& composer) {
  const std::int64_t axis = composer.attributes().integer("axis");
  std::vector<Composer::Value> parts;
  for (std::size_t i = 0; i < composer.operand_count(); ++i) {
    parts.push_back(
        composer.call("unsqueeze", {composer.operand(i)}, {{"axes", Integers{axis}}}, "part"));
  }
  composer.result(0, composer.call("concat", std::move(parts), {{"axis", axis}}, "stack"));
  return true;
}

OpRecord stack() {
  return {
      .name = "stack",
      .family = kFamily,
      .summary = "the operands side by side along a new axis",
      .prose = "All operands have one shape. As numpy.stack; made of unsqueeze and concat.",
      .example = R"({"name": "y", "op": "stack", "inputs": ["a", "b"], "axis": -1})",
      .operands = many_operands(),
      .attributes = {kJoinAxis},
      .fusion = FusionClass::kComposite,
      .traits = {.exactly_rounded = true},
      .infer = infer_stack,
      .expand = expand_stack,
      .evaluate = evaluate_joined,
  };
}

// ---- Pad ----------------------------------------------------------------------------------------

const AttributeSpec kPadWidth = {
    .name = "pad_width",
    .kind = AttributeKind::kPairs,
    .required = true,
    .summary = "[before, after] for each axis, or one pair for all axes"};

// The pairs, one per axis, none negative; and the result.
void infer_padding(Inference& inference, std::string_view mode) {
  const TensorType& operand = inference.operands[0];
  Pairs pairs = inference.attributes.pairs("pad_width");
  const std::size_t rank = operand.shape().rank();
  if (pairs.size() == 1 && rank != 1) pairs.assign(rank, std::array(pairs[0]));
  if (pairs.size() != rank) {
    inference.fail("/pad_width", "expected one pair per axis of " + text_of(operand) +
                                     ", or one for all; found " + std::to_string(pairs.size()));
    return;
  }
  std::array<std::int64_t, kMaxRank> extents{};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::string path = "/pad_width/" + std::to_string(axis);
    const std::int64_t extent = operand.shape()[axis];
    std::int64_t most = kMaxTensorBytes.count;
    if (mode == "reflect") most = std::max<std::int64_t>(extent - 1, 0);
    if (mode == "edge" && extent == 0) most = 0;
    const auto [before, after] = pairs[axis];
    if (before < 0 || after < 0 || before > most || after > most) {
      inference.fail(path, "cannot pad axis " + std::to_string(axis) + " of " + text_of(operand) +
                               " by " + text_of(pairs[axis]) + " in mode " + std::string(mode) +
                               ": expected 0 to " + std::to_string(most));
      return;
    }
    extents[axis] = before + extent + after;
  }
  if (!add_result(inference, operand.dtype, std::span<const std::int64_t>(extents.data(), rank))) {
    return;
  }
  inference.normal.set("pad_width", std::move(pairs));
}

void infer_pad(Inference& inference) {
  const std::string& mode = inference.attributes.text("mode");
  if (!check_number(inference, "constant_values", inference.operands[0].dtype)) return;
  infer_padding(inference, mode);
  inference.normal.set("mode", mode);
  inference.normal.set("constant_values", inference.attributes.number("constant_values"));
}

// The element of an axis of `extent` that stands at `index` (which may lie outside), or -1.
std::int64_t padded_source(std::string_view mode, std::int64_t index, std::int64_t extent) {
  if (index >= 0 && index < extent) return index;
  if (mode == "edge") return index < 0 ? 0 : extent - 1;
  if (mode == "reflect") return index < 0 ? -index : 2 * (extent - 1) - index;
  return -1;
}

void evaluate_padding(Evaluation& evaluation, std::string_view mode, double value) {
  const HostTensor& from = evaluation.operands[0];
  const Pairs& pairs = evaluation.attributes.pairs("pad_width");
  const Layout packed(from.shape());
  HostTensor result = make_result(evaluation);
  const HostTensor filler = scalar_of(value, from.dtype());
  const std::size_t size = size_of(from.dtype());
  std::byte* to = result.mutable_bytes().data();
  for (std::int64_t i = 0; i < result.element_count(); ++i, to += size) {
    std::int64_t rest = i, source = 0;
    for (std::size_t axis = result.shape().rank(); axis-- > 0;) {
      const std::int64_t index = rest % result.shape()[axis] - pairs[axis][0];
      rest /= result.shape()[axis];
      const std::int64_t at = padded_source(mode, index, from.shape()[axis]);
      source = at < 0 || source < 0 ? -1 : source + at * packed.stride(axis);
    }
    const std::byte* bytes = source < 0
                                 ? filler.bytes().data()
                                 : from.bytes().data() + static_cast<std::size_t>(source) * size;
    std::memcpy(to, bytes, size);
  }
  evaluation.results.push_back(std::move(result));
}

void evaluate_pad(Evaluation& evaluation) {
  evaluate_padding(evaluation, evaluation.attributes.text("mode"),
                   evaluation.attributes.number("constant_values"));
}

bool expand_pad(Composer& composer) {
  const std::string& mode = composer.attributes().text("mode");
  if (mode == "constant") return false;
  composer.result(0,
                  composer.call(mode == "edge" ? "pad_edge" : "pad_reflect", {composer.operand(0)},
                                {{"pad_width", composer.attributes().pairs("pad_width")}}, mode));
  return true;
}

OpRecord padding(std::string_view name, std::string_view summary, std::string_view prose,
                 std::string_view example) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kAnyDType),
      .attributes = {kPadWidth},
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = nullptr,
      .call = {.function = name,
               .template_arguments = {{TemplateArgument::Form::kBefore, "pad_width"},
                                      {TemplateArgument::Form::kAfter, "pad_width"}}},
  };
}

OpRecord pad() {
  OpRecord record = padding(
      "pad", "x with elements added before and after along its axes",
      "As numpy.pad: a constant, the edge element, or the elements mirrored at the edge, which is "
      "not repeated (at most extent - 1 of them). Modes other than constant become `pad_edge` and "
      "`pad_reflect`.",
      R"({"name": "y", "op": "pad", "inputs": ["x"], "pad_width": [[1, 2]], "mode": "edge"})");
  record.attributes.push_back({.name = "mode",
                               .kind = AttributeKind::kText,
                               .default_value = std::string("constant"),
                               .summary = "what to add",
                               .choices = {"constant", "edge", "reflect"}});
  record.attributes.push_back({.name = "constant_values",
                               .kind = AttributeKind::kNumber,
                               .default_value = 0.0,
                               .summary = "the number that mode constant adds"});
  record.infer = infer_pad;
  record.expand = expand_pad;
  record.evaluate = evaluate_pad;
  record.call.literals = {"constant_values"};
  return record;
}

OpRecord pad_edge() {
  OpRecord record =
      padding("pad_edge", "x with its edge elements repeated outwards",
              "What `pad` with \"mode\": \"edge\" becomes.",
              R"({"name": "y", "op": "pad_edge", "inputs": ["x"], "pad_width": [[1, 1]]})");
  record.infer = [](Inference& inference) { infer_padding(inference, "edge"); };
  record.evaluate = [](Evaluation& evaluation) { evaluate_padding(evaluation, "edge", 0); };
  return record;
}

OpRecord pad_reflect() {
  OpRecord record =
      padding("pad_reflect", "x mirrored at its edges",
              "What `pad` with \"mode\": \"reflect\" becomes: the edge itself is not repeated.",
              R"({"name": "y", "op": "pad_reflect", "inputs": ["x"], "pad_width": [[1, 1]]})");
  record.infer = [](Inference& inference) { infer_padding(inference, "reflect"); };
  record.evaluate = [](Evaluation& evaluation) { evaluate_padding(evaluation, "reflect", 0); };
  return record;
}

// ---- Tile ---------------------------------------------------------------------------------------

void infer_tile(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const Integers& reps = inference.attributes.integers("reps");
  const std::size_t rank = std::max(operand.shape().rank(), reps.size());
  Integers extents(rank, 1), normal(rank, 1);
  std::ranges::copy_backward(operand.shape().extents(), extents.end());
  std::ranges::copy_backward(reps, normal.end());
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (normal[axis] < 0) {
      inference.fail("/reps", "expected repetitions of 0 or more; found " + text_of(reps));
      return;
    }
    const bool overflows = normal[axis] > 0 && extents[axis] > kMaxTensorBytes.count / normal[axis];
    extents[axis] = overflows ? kMaxTensorBytes.count + 1 : extents[axis] * normal[axis];
  }
  if (!add_result(inference, operand.dtype, extents)) return;
  inference.normal.set("reps", std::move(normal));
}

void evaluate_tile(Evaluation& evaluation) {
  const Shape& from = evaluation.operands[0].shape();
  const Shape& to = evaluation.types[0].shape();
  HostTensor result = make_result(evaluation);
  const Layout packed(from);
  const std::size_t size = size_of(result.dtype());
  const std::size_t added = to.rank() - from.rank();
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    std::int64_t rest = i, source = 0;
    for (std::size_t axis = to.rank(); axis-- > 0;) {
      const std::int64_t index = rest % to[axis];
      rest /= to[axis];
      if (axis >= added) source += index % from[axis - added] * packed.stride(axis - added);
    }
    std::memcpy(result.mutable_bytes().data() + static_cast<std::size_t>(i) * size,
                evaluation.operands[0].bytes().data() + static_cast<std::size_t>(source) * size,
                size);
  }
  evaluation.results.push_back(std::move(result));
}

// The runtime repeats axis by axis: leading axes are added first.
bool expand_tile(Composer& composer) {
  const Composer::Value operand = composer.operand(0);
  const Integers& reps = composer.attributes().integers("reps");
  const std::size_t rank = composer.type(operand).shape().rank();
  if (rank == reps.size()) return false;
  Integers axes;
  for (std::size_t axis = 0; axis < reps.size() - rank; ++axis) {
    axes.push_back(static_cast<std::int64_t>(axis));
  }
  const auto unit = composer.call("unsqueeze", {operand}, {{"axes", std::move(axes)}}, "unit");
  composer.result(0, composer.call("tile", {unit}, {{"reps", reps}}, "tile"));
  return true;
}

OpRecord tile() {
  return {
      .name = "tile",
      .family = kFamily,
      .summary = "x repeated along its axes",
      .prose =
          "As numpy.tile: repetitions count from the last axis, missing ones are 1, and more "
          "of them than axes add leading axes.",
      .example = R"({"name": "y", "op": "tile", "inputs": ["x"], "reps": [2, 1]})",
      .operands = one_operand(kAnyDType),
      .attributes = {{.name = "reps",
                      .kind = AttributeKind::kIntegers,
                      .required = true,
                      .summary = "how often, per axis"}},
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = infer_tile,
      .expand = expand_tile,
      .evaluate = evaluate_tile,
      .call = {.function = "tile"},
  };
}

}  // namespace

const std::vector<OpRecord>& joining_records() {
  static const std::vector<OpRecord> records = {concat(),   stack(),       pad(),
                                                pad_edge(), pad_reflect(), tile()};
  return records;
}

}  // namespace wick::compiler::ops

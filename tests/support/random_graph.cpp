#include "tests/support/random_graph.h"

#include <algorithm>
#include <stdexcept>

#include "tests/support/graph_maker.h"
#include "tests/support/graphs.h"
#include "tests/support/random_attributes.h"

namespace wick::compiler::testing {
namespace {

constexpr int kMostTries = 60;

}  // namespace

const ops::OpRecord& GraphMaker::draw_operation() {
  using Class = ops::FusionClass;
  static const std::vector<std::pair<Class, int>> kWeights = {
      {Class::kElementwise, 42}, {Class::kLayout, 20}, {Class::kReduction, 12},
      {Class::kProduct, 7},      {Class::kOpaque, 11}, {Class::kComposite, 6},
      {Class::kPack, 2}};
  int total = 0;
  for (const auto& [kind, weight] : kWeights) total += by_class_[kind].empty() ? 0 : weight;
  if (total == 0) throw std::runtime_error("no operation is allowed");
  std::int64_t drawn = random_.in(0, total);
  for (const auto& [kind, weight] : kWeights) {
    if (by_class_[kind].empty()) continue;
    if (drawn < weight) return *random_.of(by_class_[kind]);
    drawn -= weight;
  }
  return *by_class_.begin()->second.front();
}

DType GraphMaker::draw_dtype(ops::DTypeSet allowed) {
  std::vector<DType> choices;
  for (const DType dtype : options_.dtypes) {
    if (allowed.contains(dtype)) choices.push_back(dtype);
  }
  for (std::size_t i = 0; choices.empty() && i < kDTypes.size(); ++i) {
    if (allowed.contains(static_cast<DType>(i))) choices.push_back(static_cast<DType>(i));
  }
  return random_.of(choices);
}

std::size_t GraphMaker::constant(DType dtype, const std::vector<std::int64_t>& extents) {
  Known value;
  value.type = {dtype, Layout(Shape::of(extents))};
  value.name = "k" + std::to_string(description_.constants.size());
  description_.constants.push_back(
      {value.name, random_tensor(random_, dtype, value.type.shape(), RandomValues::kSmall), {}});
  known_.push_back(std::move(value));
  return known_.size() - 1;
}

// A new input, parameter or constant.
std::size_t GraphMaker::fresh(DType dtype, std::vector<std::int64_t> extents) {
  const int kind = static_cast<int>(random_.in(0, 10));
  if (kind < 3) return constant(dtype, extents);
  Known value;
  value.type = {dtype, Layout(Shape::of(extents))};
  InputDescription input;
  input.name = value.name = "in" + std::to_string(description_.inputs.size());
  input.dtype = dtype;
  input.shape = std::move(extents);
  input.parameter = kind == 3;
  input.donate = !input.parameter && options_.donations && random_.chance(15);
  value.varies = !input.parameter;
  description_.inputs.push_back(std::move(input));
  known_.push_back(std::move(value));
  return known_.size() - 1;
}

DrawnOperand GraphMaker::number(DType dtype) {
  static const std::vector<std::string> kFloats = {"0.5", "-2", "3", "1", "0", "-0", "0.1", "-1.5"};
  static const std::vector<std::string> kIntegers = {"0", "1", "2", "3", "5"};
  static const std::vector<std::string> kBools = {"true", "false"};
  const auto& texts = dtype == DType::kBool ? kBools : is_float(dtype) ? kFloats : kIntegers;
  return {{Literal{random_.of(texts)}}, {dtype, Layout(Shape())}, std::nullopt};
}

// A value that exists, likely a recent one, that an elementwise operation can put beside the
// others.
std::optional<std::size_t> GraphMaker::draw_known(const ops::OpRecord& op, ops::DTypeSet dtypes,
                                                  const std::vector<DrawnOperand>& before) {
  if (known_.empty()) return std::nullopt;
  for (int tries = 0; tries < 12; ++tries) {
    const std::size_t newest = std::min<std::size_t>(known_.size(), 4);
    const std::size_t at = random_.chance(50) ? known_.size() - 1 - random_.index(newest)
                                              : random_.index(known_.size());
    const ops::TensorType& type = known_[at].type;
    if (!dtypes.contains(type.dtype)) continue;
    const bool must_fit = op.fusion == ops::FusionClass::kElementwise && !before.empty();
    if (must_fit && !broadcast(before[0].type.shape(), type.shape())) continue;
    if (slides_windows(op) && type.shape().rank() != 3 && type.shape().rank() != 4) continue;
    return at;
  }
  return std::nullopt;
}

// The extents of a new value that an operation is likely to take beside the operands before it.
std::vector<std::int64_t> GraphMaker::draw_extents(const ops::OpRecord& op,
                                                   const ops::OperandSpec& spec,
                                                   const std::vector<DrawnOperand>& before) {
  if (before.empty() && slides_windows(op)) {
    return image_extents(random_, options_.most_elements / 2);
  }
  if (before.empty() || spec.dtypes.bits == ops::kIndices.bits) {
    return random_extents(random_, before.empty() ? options_.most_elements / 2 : 12,
                          options_.zero_extents);
  }
  const Shape& first = before[0].type.shape();
  const std::vector<std::int64_t> same(first.extents().begin(), first.extents().end());
  if (op.fusion == ops::FusionClass::kElementwise) return fitting_extents(random_, first);
  if (spec.variadic) return same;
  if (slides_windows(op)) {
    if (before.size() == 1) return weights_extents(random_, first);
    return {before[1].type.shape()[0]};
  }
  const std::int64_t last = same.empty() ? 1 : same.back();
  const bool is_matrix =
      op.fusion == ops::FusionClass::kProduct || op.fusion == ops::FusionClass::kComposite;
  if (is_matrix && before.size() == 1 && random_.chance(80)) return {last, random_.in(1, 9)};
  if (is_matrix && before.size() == 2) {
    const Shape& second = before[1].type.shape();
    return {second.rank() == 0 ? 1 : second[second.rank() - 1]};
  }
  return random_.chance(50) ? std::vector<std::int64_t>{last} : same;
}

DrawnOperand GraphMaker::draw_operand(const ops::OpRecord& op, std::size_t index,
                                      const std::vector<DrawnOperand>& before) {
  const ops::OperandSpec& spec = operand_spec(op, index);
  ops::DTypeSet dtypes = spec.dtypes;
  bool is_decided = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (operand_spec(op, i).group != spec.group) continue;
    dtypes.bits = static_cast<std::uint8_t>(1u << static_cast<unsigned>(before[i].type.dtype));
    is_decided = true;
  }
  const bool is_elementwise = op.fusion == ops::FusionClass::kElementwise;
  if (is_decided && is_elementwise && random_.chance(30)) return number(draw_dtype(dtypes));
  const bool is_weights = slides_windows(op) && !before.empty();
  const int percent_known = is_weights ? 5 : before.empty() || is_elementwise ? 85 : 40;
  std::optional<std::size_t> at;
  if (random_.chance(percent_known)) at = draw_known(op, dtypes, before);
  if (!at) at = fresh(draw_dtype(dtypes), draw_extents(op, spec, before));
  return {{known_[*at].name}, known_[*at].type, at};
}

void GraphMaker::add(const ops::OpRecord& op, const std::vector<DrawnOperand>& operands,
                     ops::Attributes attributes, const Stated& stated,
                     const ops::Inference& inference) {
  NodeDescription node;
  node.op = op.name;
  node.attributes = std::move(attributes);
  node.dtype = stated.dtype;
  node.shape = stated.shape;
  bool varies = false;
  for (const DrawnOperand& operand : operands) {
    node.operands.push_back(operand.description);
    if (!operand.known) continue;
    known_[*operand.known].is_read = true;
    varies = varies || known_[*operand.known].varies;
  }
  node.cache = options_.caches && !varies && random_.chance(30);
  const std::string name = "v" + std::to_string(description_.nodes.size());
  for (std::size_t i = 0; i < inference.results.size(); ++i) {
    const bool several = inference.results.size() > 1;
    const std::string result = several ? name + "_" + std::to_string(i) : name;
    if (several) node.outputs.push_back(result);
    known_.push_back({result, inference.results[i], varies, false, true});
  }
  if (node.outputs.empty()) node.name = name;
  description_.nodes.push_back(std::move(node));
}

// A call with operands that are drawn; leaves nothing behind if it is illegal.
bool GraphMaker::try_call(const ops::OpRecord& op) {
  const std::size_t known = known_.size(), inputs = description_.inputs.size(),
                    constants = description_.constants.size();
  const OperandCount count = operand_count(op);
  std::size_t wanted = count.most ? *count.most : 1 + random_.index(3);
  if (wanted > count.least && random_.chance(50)) wanted = std::max<std::size_t>(count.least, 1);
  std::vector<DrawnOperand> operands;
  while (operands.size() < wanted) {
    operands.push_back(draw_operand(op, operands.size(), operands));
  }
  if (wanted == 2 && op.traits.commutative && random_.chance(30)) {
    std::swap(operands[0], operands[1]);
  }
  std::vector<ops::TensorType> types;
  for (const DrawnOperand& operand : operands) types.push_back(operand.type);
  ops::Attributes attributes = random_attributes(random_, op, types);
  Stated stated = random_statement(random_, op, types);
  if (const auto* sizes = attributes.find("sizes")) {
    stated.named_results = std::get<ops::Integers>(*sizes).size();
  }
  const ops::Inference inference = infer(op, types, attributes, stated);
  const bool fits = std::ranges::all_of(inference.results, [&](const ops::TensorType& result) {
    return result.shape().element_count() <= options_.most_elements;
  });
  if (!inference.faults.empty() || !fits) {
    known_.resize(known);
    description_.inputs.resize(inputs);
    description_.constants.resize(constants);
    return false;
  }
  add(op, operands, std::move(attributes), stated, inference);
  return true;
}

// A node of one result once more, under another name: something to share.
bool GraphMaker::repeat() {
  if (description_.nodes.empty()) return false;
  NodeDescription node = random_.of(description_.nodes);
  if (!node.outputs.empty()) return false;
  const auto original = std::ranges::find(known_, node.name, &Known::name);
  Known again = *original;
  again.name = node.name = "v" + std::to_string(description_.nodes.size());
  again.is_read = false;
  known_.push_back(std::move(again));
  description_.nodes.push_back(std::move(node));
  return true;
}

// What nobody reads, and now and then something else, an input or the same once more.
void GraphMaker::draw_outputs() {
  std::vector<std::string>& outputs = description_.outputs;
  for (const Known& value : known_) {
    const int percent = value.is_result ? (value.is_read ? 8 : 90) : 3;
    if (value.is_shown || random_.chance(percent)) outputs.push_back(value.name);
  }
  if (outputs.empty()) outputs.push_back(known_.back().name);
  if (random_.chance(5)) outputs.push_back(outputs.front());
}

GraphDescription GraphMaker::make() {
  fresh(draw_dtype(ops::kAnyDType),
        random_extents(random_, options_.most_elements / 2, options_.zero_extents));
  for (int made = 0; made < options_.nodes;) {
    const std::size_t before = description_.nodes.size();
    const bool is_done = (random_.chance(8) && repeat()) || (random_.chance(9) && draw_pattern());
    for (int tries = 0; !is_done && tries < kMostTries && !try_call(draw_operation()); ++tries) {
    }
    made += std::max(1, static_cast<int>(description_.nodes.size() - before));
  }
  draw_outputs();
  return std::move(description_);
}

GraphDescription random_description(std::uint64_t seed, const RandomGraphOptions& options) {
  return GraphMaker(seed, options).make();
}

Graph random_graph(std::uint64_t seed, const RandomGraphOptions& options) {
  Diagnostics diagnostics;
  auto graph = verify(random_description(seed, options), diagnostics);
  if (!graph) throw std::runtime_error("a random graph is wrong:\n" + to_text(diagnostics));
  return std::move(*graph);
}

}  // namespace wick::compiler::testing

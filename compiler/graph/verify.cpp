// Verification goes through the description three times: names are looked up for the whole graph,
// then the nodes are put in order, then each node is checked on operands already known to be right.
// A value whose definition is in error has no id, and whoever reads it is passed over in silence:
// one mistake gives one message.
#include "compiler/graph/verify.h"

#include <cmath>
#include <utility>

#include "compiler/graph/builder.h"
#include "compiler/graph/infer.h"
#include "compiler/graph/names.h"
#include "compiler/graph/operands.h"
#include "compiler/graph/order.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

// The most bytes that all results together may have: far more than any machine, and far from
// overflow.
constexpr Bytes kMostBytes{std::int64_t{1} << 56};

constexpr std::uint32_t kNoInput = 0xffffffff;

// The most names of a cycle that a message lists.
constexpr std::size_t kMostOnCycle = 12;

std::string at(std::string_view table, std::size_t index) {
  return "/" + std::string(table) + "/" + std::to_string(index);
}

class Verifier {
 public:
  Verifier(GraphDescription& description, Diagnostics& diagnostics)
      : description_(description),
        diagnostics_(diagnostics),
        names_(description, diagnostics),
        builder_(description.name, description.description),
        first_result_(description.nodes.size()),
        node_is_bad_(description.nodes.size(), false) {}

  // The graph; it means something only if there were no errors.
  Graph run();

 private:
  void add_inputs();
  void add_constants();
  void gather();
  void look_up_operands();
  void look_up_operations();
  std::vector<std::uint32_t> order();
  void report_cycle(const std::vector<std::uint32_t>& cycle);
  void add_node(std::uint32_t index);
  bool resolve(std::uint32_t index, std::vector<WrittenOperand>& written,
               std::vector<ValueId>& values) const;
  bool check_results(std::uint32_t index, const ops::Inference& inference);
  bool check_numbers(std::uint32_t index, const ops::Inference& inference);
  bool check_total(std::uint32_t index, const ops::Inference& inference);
  void check_cache(std::uint32_t index, std::uint32_t varies_with);
  void add_outputs();

  std::optional<Shape> read_shape(const InputDescription& input, std::size_t index);
  // True once further errors are only counted: no more effort goes into what they say.
  bool is_full() const { return diagnostics_.error_count() >= Diagnostics::kMost; }
  std::string suggest(std::string_view name) const {
    return is_full() ? std::string() : names_.suggestion(name);
  }
  ValueId value_of(const Definition& definition) const;
  void report(std::uint32_t node, std::vector<ops::Inference::Fault> faults);
  void report(std::uint32_t node, std::string path, std::string message, std::string hint = {});

  GraphDescription& description_;
  Diagnostics& diagnostics_;
  NameTable names_;
  GraphBuilder builder_;
  std::vector<ValueId> inputs_;  // invalid ids: in error
  std::vector<ValueId> constants_;
  std::vector<ValueId> first_result_;          // of each node; its results follow one another
  std::vector<bool> node_is_bad_;              // known before it is its turn
  std::vector<const ops::OpRecord*> records_;  // of each node
  std::vector<HashedName> names_read_;         // by the operands of all nodes; none: a number
  std::vector<const Definition*> operands_;    // of all nodes; null: a number or a missing name
  std::vector<std::uint32_t> first_operand_;   // of each node, in these two; and their end
  Reads reads_;
  Bytes total_;  // of all results so far, each rounded up to the alignment
  std::vector<std::uint32_t> varies_with_;  // of each value: an input that differs between calls
};

void Verifier::report(std::uint32_t node, std::string path, std::string message, std::string hint) {
  diagnostics_.error({at("nodes", node) + path, display_name(description_.nodes[node])},
                     std::move(message), std::move(hint));
}

void Verifier::report(std::uint32_t node, std::vector<ops::Inference::Fault> faults) {
  for (auto& fault : faults) {
    report(node, std::move(fault.path), std::move(fault.message), std::move(fault.hint));
  }
}

ValueId Verifier::value_of(const Definition& definition) const {
  switch (definition.kind) {
    case Definition::Kind::kInput:
      return inputs_[definition.index];
    case Definition::Kind::kConstant:
      return constants_[definition.index];
    case Definition::Kind::kNode:
      break;
  }
  const ValueId first = first_result_[definition.index];
  return first.valid() ? ValueId(first.index() + definition.result) : first;
}

// ---- Inputs and constants ----------------------------------------------------------------------

std::optional<Shape> Verifier::read_shape(const InputDescription& input, std::size_t index) {
  const std::string pointer = at("inputs", index) + "/shape";
  if (input.shape.size() > kMaxRank) {
    diagnostics_.error({pointer, input.name}, "expected at most " + std::to_string(kMaxRank) +
                                                  " axes, found " +
                                                  std::to_string(input.shape.size()));
    return std::nullopt;
  }
  for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
    if (input.shape[axis] >= 0) continue;
    diagnostics_.error(
        {pointer + "/" + std::to_string(axis), input.name},
        "expected an extent of 0 or more, found " + std::to_string(input.shape[axis]),
        "the shapes of inputs are fixed: write the extent itself");
    return std::nullopt;
  }
  auto shape = Shape::make(input.shape);
  if (shape && byte_count(*shape, input.dtype)) return shape;
  diagnostics_.error({pointer, input.name}, "the input needs more than " +
                                                grouped(kMaxTensorBytes.count) +
                                                " bytes, the most a tensor may have");
  return std::nullopt;
}

void Verifier::add_inputs() {
  for (std::size_t i = 0; i < description_.inputs.size(); ++i) {
    InputDescription& input = description_.inputs[i];
    if (input.parameter && input.donate) {
      diagnostics_.error({at("inputs", i) + "/donate", input.name},
                         "a parameter is bound once and read by every call: it cannot be donated",
                         "remove \"donate\", or the role \"parameter\"");
    }
    const auto shape = read_shape(input, i);
    if (!shape) {
      inputs_.emplace_back();
      continue;
    }
    Value value{.name = input.name, .type = {input.dtype, Layout(*shape)}};
    inputs_.push_back(builder_.input({.value = {},
                                      .parameter = input.parameter,
                                      .donate = input.donate,
                                      .description = input.description,
                                      .position = static_cast<std::uint32_t>(i)},
                                     value));
    varies_with_.push_back(input.parameter ? kNoInput : static_cast<std::uint32_t>(i));
  }
}

void Verifier::add_constants() {
  for (std::size_t i = 0; i < description_.constants.size(); ++i) {
    ConstantDescription& constant = description_.constants[i];
    constants_.push_back(builder_.constant(constant.name, std::move(constant.data),
                                           constant.description, static_cast<std::uint32_t>(i)));
    varies_with_.push_back(kNoInput);
  }
}

// ---- Names, operations, order ------------------------------------------------------------------

// One walk over the description, which is large, gathers what is to be looked up.
void Verifier::gather() {
  names_read_.reserve(2 * description_.nodes.size());
  first_operand_.reserve(description_.nodes.size());
  records_.reserve(description_.nodes.size());
  for (const NodeDescription& node : description_.nodes) {
    records_.push_back(ops::find(node.op));
    first_operand_.push_back(static_cast<std::uint32_t>(names_read_.size()));
    for (const OperandDescription& operand : node.operands) {
      const auto* name = std::get_if<std::string>(&operand.what);
      names_read_.push_back(name != nullptr ? HashedName(*name) : HashedName());
    }
  }
  first_operand_.push_back(static_cast<std::uint32_t>(names_read_.size()));
}

void Verifier::look_up_operands() {
  operands_ = names_.find_all(names_read_);
  reads_.first.reserve(description_.nodes.size() + 1);
  reads_.producers.reserve(names_read_.size());
  for (std::uint32_t node = 0; node < description_.nodes.size(); ++node) {
    for (std::size_t at = first_operand_[node]; at < first_operand_[node + 1]; ++at) {
      const std::string_view name = names_read_[at].name;
      if (name.data() == nullptr) continue;  // a number
      const Definition* definition = operands_[at];
      if (definition == nullptr) {
        node_is_bad_[node] = true;
        report(node, "/inputs/" + std::to_string(at - first_operand_[node]),
               "expected the name of an input, a constant or a result, found " + quoted(name),
               suggest(name));
      } else if (definition->kind == Definition::Kind::kNode) {
        reads_.producers.push_back(definition->index);
      }
    }
    reads_.end_node();
  }
}

void Verifier::look_up_operations() {
  std::vector<std::string_view> known;
  for (const ops::OpRecord* op : ops::all()) known.push_back(op->name);
  for (std::uint32_t node = 0; node < description_.nodes.size(); ++node) {
    if (records_[node] != nullptr) continue;
    const std::string& name = description_.nodes[node].op;
    node_is_bad_[node] = true;
    std::string hint = is_full() ? std::string() : did_you_mean(name, known);
    if (hint.empty()) hint = "\"wick ops\" lists the operations";
    report(node, "/op", "there is no operation " + quoted(name), std::move(hint));
  }
}

void Verifier::report_cycle(const std::vector<std::uint32_t>& cycle) {
  std::string path;
  for (std::size_t i = 0; i < cycle.size() && i < kMostOnCycle; ++i) {
    path += quoted(display_name(description_.nodes[cycle[i]])) + " -> ";
  }
  if (cycle.size() > kMostOnCycle) {
    path += "(" + std::to_string(cycle.size() - kMostOnCycle) + " more) -> ";
  }
  path += quoted(display_name(description_.nodes[cycle.front()]));
  report(cycle.front(), "",
         cycle.size() == 1 ? "the node reads its own result: " + path
                           : "the nodes read each other in a cycle: " + path,
         "each arrow goes from a result to the node that reads it; one of these reads must go");
}

std::vector<std::uint32_t> Verifier::order() {
  std::vector<std::uint32_t> order = topological_order(reads_);
  if (order.size() < description_.nodes.size()) {
    for (const auto& cycle : find_cycles(reads_, order)) report_cycle(cycle);
  }
  return order;
}

// ---- Nodes -------------------------------------------------------------------------------------

// The operands of a node with their types; false if one of them is in error.
bool Verifier::resolve(std::uint32_t index, std::vector<WrittenOperand>& written,
                       std::vector<ValueId>& values) const {
  const auto& operands = description_.nodes[index].operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (const auto* literal = std::get_if<Literal>(&operands[i].what)) {
      written.push_back({literal->text, nullptr});
      values.emplace_back();
      continue;
    }
    const Definition& definition = *operands_[first_operand_[index] + i];
    const ValueId value = value_of(definition);
    if (!value.valid()) return false;
    written.push_back({std::get<std::string>(operands[i].what), &builder_.value(value).type});
    values.push_back(value);
  }
  return true;
}

void Verifier::add_node(std::uint32_t index) {
  NodeDescription& described = description_.nodes[index];
  std::vector<WrittenOperand> written;
  std::vector<ValueId> values;
  if (node_is_bad_[index] || !resolve(index, written, values)) return;

  const ops::OpRecord& op = *records_[index];
  std::vector<ops::Inference::Fault> faults;
  TypedOperands typed = type_operands(op, written, described.dtype, faults);
  if (!faults.empty()) return report(index, std::move(faults));
  const Stated stated{described.dtype, described.shape, named_results(described)};
  ops::Inference inference = infer(op, typed.types, described.attributes, stated);
  if (!inference.faults.empty()) return report(index, std::move(inference.faults));
  if (!check_results(index, inference) || !check_numbers(index, inference) ||
      !check_total(index, inference)) {
    return;
  }

  std::uint32_t varies_with = kNoInput;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (typed.literals[i]) values[i] = builder_.literal(std::move(*typed.literals[i]), index);
    varies_with_.resize(builder_.so_far().values.size(), kNoInput);
    varies_with = std::min(varies_with, varies_with_[values[i].index()]);
  }
  if (described.cache) check_cache(index, varies_with);

  std::vector<std::string> result_names;
  for (std::size_t i = 0; i < named_results(described); ++i) {
    result_names.push_back(result_name(described, i));
  }
  const NodeId id = builder_.node({.op = &op,
                                   .attributes = std::move(inference.normal),
                                   .operands = std::move(values),
                                   .results = {},
                                   .cache = described.cache,
                                   .description = std::move(described.description),
                                   .position = index},
                                  std::move(result_names), std::move(inference.results));
  first_result_[index] = builder_.so_far().nodes[id].results.front();
  varies_with_.resize(builder_.so_far().values.size(), varies_with);
}

// Results against what the node says about them.
bool Verifier::check_results(std::uint32_t index, const ops::Inference& inference) {
  const NodeDescription& node = description_.nodes[index];
  const std::size_t found = named_results(node), expected = inference.results.size();
  if (found != expected) {
    report(index, node.outputs.empty() ? "" : "/outputs",
           quoted(node.op) + " gives " + std::to_string(expected) +
               (expected == 1 ? " result, " : " results, ") + std::to_string(found) +
               (found == 1 ? " is named" : " are named"),
           "name each of them in \"outputs\"");
    return false;
  }
  if (expected > 1 && (node.dtype || node.shape)) {
    report(index, node.dtype ? "/dtype" : "/shape",
           "a node with several results cannot state a dtype or a shape", "remove it");
    return false;
  }
  const ops::TensorType& result = inference.results.front();
  if (node.dtype && *node.dtype != result.dtype) {
    report(index, "/dtype",
           "the node states the dtype " + std::string(name_of(*node.dtype)) + ", its result is " +
               type_text(result.dtype, result.shape()),
           "correct the statement or remove it");
    return false;
  }
  if (!node.shape || records_[index]->uses_shape) return true;
  if (!std::ranges::equal(*node.shape, result.shape().extents())) {
    std::vector<std::string> extents;
    for (const std::int64_t extent : *node.shape) extents.push_back(std::to_string(extent));
    report(index, "/shape",
           "the node states the shape [" + joined(extents, ", ") + "], its result is " +
               type_text(result.dtype, result.shape()),
           "correct the statement or remove it");
    return false;
  }
  return true;
}

// Attributes become literals of the dtype of what they work on.
bool Verifier::check_numbers(std::uint32_t index, const ops::Inference& inference) {
  const ops::TensorType& type =
      inference.operands.empty() ? inference.results.front() : inference.operands.front();
  if (type.dtype != DType::kF32) return true;
  for (const auto& [name, value] : inference.normal.entries()) {
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr || !std::isfinite(*number) || std::isfinite(static_cast<float>(*number)))
      continue;
    report(index, "/" + name, shortest(*number) + " is too large for f32",
           "write \"inf\" or \"-inf\" if that is meant");
    return false;
  }
  return true;
}

// The values of a graph are bounded together, so that no plan can overflow.
bool Verifier::check_total(std::uint32_t index, const ops::Inference& inference) {
  const bool was_within = total_ <= kMostBytes;
  for (const ops::TensorType& result : inference.results) {
    if (const auto bytes = byte_count(result.shape(), result.dtype); bytes && total_ <= kMostBytes)
      total_ += round_up(*bytes);
  }
  if (total_ <= kMostBytes) return true;
  if (was_within) {
    report(index, "", "the values of the graph up to here need together more than 2^56 bytes",
           "use smaller shapes");
  }
  return false;
}

void Verifier::check_cache(std::uint32_t index, std::uint32_t varies_with) {
  if (varies_with == kNoInput) return;
  const std::string& input = description_.inputs[varies_with].name;
  report(
      index, "/cache",
      "a cached value may depend on constants and parameters, but this one depends on the input " +
          quoted(input) + ", which differs from call to call: it would go stale",
      "give the input the role \"parameter\", or remove \"cache\"");
}

// ---- Outputs -----------------------------------------------------------------------------------

void Verifier::add_outputs() {
  if (description_.outputs.empty()) {
    diagnostics_.error({"/outputs", {}}, "expected at least one output, found none",
                       "name the values that the function computes");
  }
  for (std::size_t i = 0; i < description_.outputs.size(); ++i) {
    const std::string& name = description_.outputs[i];
    const Definition* definition = names_.find(name);
    if (definition == nullptr) {
      diagnostics_.error(
          {at("outputs", i), {}},
          "expected the name of an input, a constant or a result, found " + quoted(name),
          suggest(name));
      continue;
    }
    const ValueId value = value_of(*definition);
    if (value.valid()) builder_.output(value, static_cast<std::uint32_t>(i));
  }
}

Graph Verifier::run() {
  if (description_.name.empty()) {
    diagnostics_.error({"/name", {}}, "expected a name for the graph, found an empty one");
  }
  const std::size_t given = description_.inputs.size() + description_.constants.size();
  builder_.reserve(description_.nodes.size(), given + description_.nodes.size());
  varies_with_.reserve(given + description_.nodes.size());
  add_inputs();
  add_constants();
  gather();
  look_up_operands();
  look_up_operations();
  for (const std::uint32_t node : order()) add_node(node);
  add_outputs();
  return builder_.finish();
}

}  // namespace

std::optional<Graph> verify(GraphDescription description, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  Graph graph = Verifier(description, diagnostics).run();
  if (diagnostics.error_count() > errors_before) return std::nullopt;
  return graph;
}

}  // namespace wick::compiler

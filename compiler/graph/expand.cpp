#include "compiler/graph/expand.h"

#include <span>
#include <utility>

#include "compiler/graph/builder.h"
#include "compiler/graph/infer.h"
#include "compiler/ops/evaluate.h"
#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

bool is_expandable(const Node& node) { return node.op->expand != nullptr; }

bool has_expandable_nodes(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (is_expandable(node)) return true;
  }
  return false;
}

// One call being expanded. Calls made meanwhile are expanded at once, so the depth of this
// recursion is that of composites made of composites: a property of the table, not of the graph.
class Expansion final : public ops::Composer {
 public:
  Expansion(GraphBuilder& builder, const ops::OpRecord& op, std::span<const ValueId> operands,
            const ops::Attributes& attributes, std::string prefix, std::uint32_t position)
      : builder_(builder),
        op_(op),
        operands_(operands),
        attributes_(attributes),
        prefix_(std::move(prefix)),
        position_(position) {}

  // The results, or nothing if with these operands the operation is primitive.
  std::optional<std::vector<ValueId>> run() {
    if (op_.expand == nullptr || !op_.expand(*this)) return std::nullopt;
    for (const ValueId result : results_) check(result.valid(), "a composite left out a result");
    return results_;
  }

  std::size_t operand_count() const override { return operands_.size(); }
  Value operand(std::size_t index) const override { return from(operands_[index]); }
  ops::TensorType type(Value value) const override { return builder_.value(to(value)).type; }
  const ops::Attributes& attributes() const override { return attributes_; }
  Value literal(double value, DType dtype) override;
  Value call(std::string_view op, std::vector<Value> operands, ops::Attributes attributes,
             std::string_view name) override;
  void result(std::size_t index, Value value) override {
    if (index >= results_.size()) results_.resize(index + 1);
    results_[index] = to(value);
  }

 private:
  static Value from(ValueId id) { return {static_cast<std::uint32_t>(id.index())}; }
  static ValueId to(Value value) { return ValueId(value.id); }

  GraphBuilder& builder_;
  const ops::OpRecord& op_;
  std::span<const ValueId> operands_;
  const ops::Attributes& attributes_;
  std::string prefix_;
  std::uint32_t position_;
  std::vector<ValueId> results_;
};

ops::Composer::Value Expansion::literal(double value, DType dtype) {
  return from(builder_.literal(ops::scalar_of(value, dtype), position_));
}

ops::Composer::Value Expansion::call(std::string_view op, std::vector<Value> operands,
                                     ops::Attributes attributes, std::string_view name) {
  const ops::OpRecord* record = ops::find(op);
  check(record != nullptr, "a composite called an operation that does not exist");
  std::vector<ValueId> values;
  for (const Value operand : operands) values.push_back(to(operand));
  const std::string full_name = prefix_ + "." + std::string(name);
  if (record->expand != nullptr) {
    std::vector<ops::TensorType> types;
    for (const ValueId value : values) types.push_back(builder_.value(value).type);
    const ops::Inference inference = infer(*record, types, attributes, {});
    check(inference.faults.empty(), "a composite made an illegal call of a composite");
    const auto results =
        Expansion(builder_, *record, values, inference.normal, full_name, position_).run();
    if (results) return from(results->front());
  }
  const NodeId id = builder_.call(*record, std::move(values), std::move(attributes),
                                  builder_.unique_name(full_name), position_);
  return from(builder_.so_far().nodes[id].results.front());
}

class Expander {
 public:
  explicit Expander(const Graph& graph)
      : graph_(graph), builder_(graph.name, graph.description), new_ids_(graph.values.size()) {}

  Graph run();

 private:
  void copy(const Node& node, ValueList operands);
  void adopt(const Node& node, std::span<const ValueId> results, std::size_t first_new_value);

  const Graph& graph_;
  GraphBuilder builder_;
  IdVector<ValueId, ValueId> new_ids_;
};

void Expander::copy(const Node& node, ValueList operands) {
  const NodeId id = builder_.copy(graph_, node, std::move(operands));
  for (std::size_t i = 0; i < node.results.size(); ++i) {
    new_ids_[node.results[i]] = builder_.so_far().nodes[id].results[i];
  }
}

// The results of an expansion take the names of the node's. One that was not made by this expansion
// (an operand handed through), or that has its name already, gets a second name.
void Expander::adopt(const Node& node, std::span<const ValueId> results,
                     std::size_t first_new_value) {
  check(results.size() == node.results.size(), "a composite gave a wrong number of results");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Value& old = graph_.values[node.results[i]];
    ValueId result = results[i];
    const ops::TensorType& type = builder_.value(result).type;
    check(type.dtype == old.type.dtype && type.shape() == old.type.shape(),
          "a composite gave a result of another type");
    bool taken =
        result.index() < first_new_value || builder_.value(result).kind != ValueKind::kResult;
    for (std::size_t j = 0; j < i; ++j) taken = taken || results[j] == result;
    if (taken) result = builder_.renamed(result, old.name, node.position);
    builder_.entitle(result, old.name, node.description, node.cache);
    new_ids_[node.results[i]] = result;
  }
}

Graph Expander::run() {
  builder_.reserve_names(graph_);
  for (const Input& input : graph_.inputs) new_ids_[input.value] = builder_.copy(graph_, input);
  for (const Constant& constant : graph_.constants) {
    new_ids_[constant.value] = builder_.copy(graph_, constant);
  }
  for (const Node& node : graph_.nodes) {
    std::vector<ValueId> operands;
    for (const ValueId operand : node.operands) operands.push_back(new_ids_[operand]);
    const std::size_t first_new_value = builder_.so_far().values.size();
    builder_.names_of_next_node();
    const auto results = Expansion(builder_, *node.op, operands, node.attributes,
                                   graph_.values[node.results.front()].name, node.position)
                             .run();
    if (results) {
      adopt(node, *results, first_new_value);
    } else {
      copy(node, std::move(operands));
    }
  }
  for (const Output& output : graph_.outputs) {
    builder_.output(new_ids_[output.value], output.position);
  }
  return builder_.finish();
}

}  // namespace

Graph expand(const Graph& graph) {
  return has_expandable_nodes(graph) ? Expander(graph).run() : graph;
}

}  // namespace wick::compiler

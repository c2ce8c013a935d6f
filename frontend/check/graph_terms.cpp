#include "frontend/check/graph_terms.h"

#include <utility>

#include "compiler/support/check.h"
#include "compiler/tensor/scalar.h"
#include "frontend/check/constants.h"

namespace wick::frontend::check {

using compiler::Graph;
using compiler::HostTensor;
using compiler::IdVector;
using compiler::Node;
using compiler::NodeId;
using compiler::ValueId;
using compiler::ops::Attributes;
using compiler::ops::FusionClass;
using compiler::ops::RuntimeCall;

Literal attribute_literal(const Attributes& attributes, std::string_view name, DType dtype) {
  return {dtype, compiler::rounded_scalar(attributes.number(name), dtype).bits};
}

std::vector<std::int64_t> template_numbers(const RuntimeCall& call, const Attributes& attributes) {
  using Form = compiler::ops::TemplateArgument::Form;
  std::vector<std::int64_t> numbers;
  for (const compiler::ops::TemplateArgument& argument : call.template_arguments) {
    std::vector<std::int64_t> list;
    switch (argument.form) {
      case Form::kInteger:
        list = {attributes.integer(argument.attribute)};
        break;
      case Form::kFlag:
        list = {attributes.flag(argument.attribute) ? 1 : 0};
        break;
      case Form::kAxes:
      case Form::kSizes:
      case Form::kSteps:
      case Form::kDilations:
        list = attributes.integers(argument.attribute);
        break;
      case Form::kBefore:
      case Form::kAfter:
        for (const auto& pair : attributes.pairs(argument.attribute))
          list.push_back(pair[argument.form == Form::kBefore ? 0 : 1]);
        break;
    }
    numbers.push_back(static_cast<std::int64_t>(list.size()));
    numbers.insert(numbers.end(), list.begin(), list.end());
  }
  return numbers;
}

namespace {

class GraphReader {
 public:
  GraphReader(const Graph& graph, Algebra& algebra)
      : graph_(graph), algebra_(algebra), readings_(graph.values.size()) {}

  IdVector<ValueId, TermView> run() {
    for (std::uint32_t i = 0; i < graph_.inputs.size(); ++i) {
      const ValueId value = graph_.inputs[i].value;
      algebra_.origin.value = value;
      readings_[value] = algebra_.input(i, type_of(value).dtype, type_of(value).shape());
    }
    const IdVector<NodeId, bool> live = live_nodes();
    for (const NodeId id : compiler::ids(graph_.nodes)) {
      if (live[id]) visit(id);
    }
    for (const compiler::Output& output : graph_.outputs) reading(output.value);
    return std::move(readings_);
  }

 private:
  const TensorType& type_of(ValueId value) const { return graph_.values[value].type; }

  IdVector<NodeId, bool> live_nodes() const {
    IdVector<ValueId, bool> needed(graph_.values.size(), false);
    IdVector<NodeId, bool> live(graph_.nodes.size(), false);
    for (const compiler::Output& output : graph_.outputs) needed[output.value] = true;
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& node = graph_.nodes[NodeId(i)];
      for (const ValueId result : node.results) live[NodeId(i)] = live[NodeId(i)] || needed[result];
      if (!live[NodeId(i)]) continue;
      for (const ValueId operand : node.operands) needed[operand] = true;
    }
    return live;
  }

  // Constants become terms when they are first read.
  const TermView& reading(ValueId value) {
    if (graph_.is_constant(value) && !readings_[value].base.valid()) {
      const Origin before = std::exchange(algebra_.origin, Origin{value, {}, {}});
      readings_[value] = algebra_.constant(graph_.constant_of(value).data);
      algebra_.origin = before;
    }
    return readings_[value];
  }

  void visit(NodeId id) {
    const Node& node = graph_.nodes[id];
    std::vector<TermView> operands;
    for (const ValueId operand : node.operands) operands.push_back(reading(operand));
    algebra_.origin.value = node.results[0];
    std::vector<TensorType> types;
    for (const ValueId result : node.results)
      types.push_back({type_of(result).dtype, Layout(type_of(result).shape())});
    std::vector<TermView> results = lowered(node, operands, types);
    compiler::check(results.size() == types.size(), "a node was given no meaning");
    const bool computes =
        node.op->fusion != FusionClass::kLayout && node.op->fusion != FusionClass::kPack;
    if (computes && algebra_.is_foldable(*node.op, operands, types))
      fold(node, operands, types, results);
    for (std::size_t i = 0; i < results.size(); ++i)
      readings_[node.results[i]] = std::move(results[i]);
  }

  void fold(const Node& node, const std::vector<TermView>& operands,
            const std::vector<TensorType>& types, std::vector<TermView>& results) {
    std::vector<HostTensor> values;
    for (const TermView& operand : operands) {
      values.push_back(operand.shape().has_elements()
                           ? elements(algebra_.term(operand).data, operand.layout)
                           : HostTensor(algebra_.dtype(operand), operand.shape()));
    }
    compiler::ops::Evaluation evaluation{values, node.attributes, types, {}};
    node.op->evaluate(evaluation);
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = algebra_.fold(results[i], evaluation.results[i]);
  }

  std::vector<TermView> lowered(const Node& node, std::vector<TermView> operands,
                                const std::vector<TensorType>& types) {
    switch (node.op->fusion) {
      case FusionClass::kElementwise: {
        const DType literals = operands.empty() ? types[0].dtype : algebra_.dtype(operands[0]);
        for (const std::string_view name : node.op->text.literals)
          operands.push_back(algebra_.literal(attribute_literal(node.attributes, name, literals)));
        return {algebra_.elementwise(*node.op, types[0].dtype, operands, types[0].shape())};
      }
      case FusionClass::kReduction:
        return {algebra_.reduced(std::string(node.op->call.reducer), operands[0],
                                 node.attributes.integers("axes"), types[0].shape())};
      case FusionClass::kProduct:
        if (!node.op->call.template_arguments.empty()) return call(node, operands, types);
        return {algebra_.product(operands[0], operands[1], types[0].shape())};
      case FusionClass::kLayout:
        return views(node, operands[0], types);
      case FusionClass::kPack:
        return operands;
      case FusionClass::kOpaque:
        return call(node, operands, types);
      case FusionClass::kComposite:
        break;
    }
    throw compiler::InternalError("a composite was not expanded");
  }

  std::vector<TermView> views(const Node& node, const TermView& operand,
                              const std::vector<TensorType>& types) {
    std::vector<TermView> results;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto layout =
          node.op->view(Layout(operand.shape()), node.attributes, types[i].shape(), i);
      compiler::check(layout.has_value(), "a view of packed elements is refused");
      results.push_back(algebra_.viewed(operand, *layout));
    }
    return results;
  }

  std::vector<TermView> call(const Node& node, const std::vector<TermView>& operands,
                             const std::vector<TensorType>& types) {
    const RuntimeCall& recipe = node.op->call;
    CallText text{std::string(recipe.function),
                  std::string(recipe.reducer),
                  template_numbers(recipe, node.attributes),
                  {},
                  node.op->traits.idempotent};
    const DType literals = operands.empty() ? types[0].dtype : algebra_.dtype(operands[0]);
    for (const std::string_view name : recipe.literals)
      text.literals.push_back(attribute_literal(node.attributes, name, literals));
    return algebra_.call(text, operands, types);
  }

  const Graph& graph_;
  Algebra& algebra_;
  IdVector<ValueId, TermView> readings_;
};

}  // namespace

IdVector<ValueId, TermView> graph_terms(const Graph& graph, Algebra& algebra) {
  algebra.side = Algebra::Side::kGraph;
  return GraphReader(graph, algebra).run();
}

}  // namespace wick::frontend::check

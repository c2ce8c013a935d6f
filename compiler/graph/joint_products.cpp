#include "compiler/graph/joint_products.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/graph/infer.h"

namespace wick::compiler {
namespace {

using ops::FusionClass;

constexpr const char* kFullVectors =
    "they multiply one value, but their columns fill whole vectors: joined they would save nothing";
constexpr const char* kLargeResult =
    "they multiply one value, but all their results together would live too long";
constexpr const char* kLargeConstant =
    "they multiply one value, but by constants too large to be laid out anew";
constexpr const char* kWholeReaders =
    "they multiply one value, but a reader needs all of a result by itself, or one column of it";

// Vectors of 64 bytes, whatever the instruction set: what is decided here shows in emitted files.
constexpr std::int64_t kVectorBytes = 64;
constexpr std::int64_t kMostResultBytes = std::int64_t{64} << 10;
constexpr std::int64_t kMostConstantBytes = std::int64_t{4} << 20;
constexpr std::size_t kMostStages = 4;

// What has windows, strides and the like is none.
bool is_matrix_product(const Node& node) {
  return node.op->fusion == FusionClass::kProduct && node.op->call.template_arguments.empty();
}

class Search {
 public:
  explicit Search(const Graph& graph)
      : graph_(graph), users_(graph.values.size()), is_output_(graph.output_marks()) {
    for (const NodeId id : ids(graph.nodes)) {
      for (const ValueId operand : graph.nodes[id].operands) {
        Users& users = users_[operand];
        if (users.last != id) ++users.count;
        users.last = id;
      }
    }
  }

  std::vector<JointProducts> run() {
    std::map<std::pair<ValueId, DType>, std::size_t> by_operand;
    std::vector<JointProducts> groups;
    for (const NodeId id : ids(graph_.nodes)) {
      if (!may_join(id)) continue;
      const Node& node = graph_.nodes[id];
      const auto [at, is_new] = by_operand.emplace(
          std::pair(node.operands[0], type_of(node.operands[1]).dtype), groups.size());
      if (is_new) groups.push_back({{{}}, {}, nullptr});
      const std::vector<NodeId>& known = groups[at->second].stages[0];
      if (!known.empty() && graph_.nodes[known[0]].attributes != node.attributes) continue;
      groups[at->second].stages[0].push_back(id);
      groups[at->second].columns.push_back(type_of(node.operands[1]).shape()[1]);
    }
    std::erase_if(groups, [](const JointProducts& group) { return group.columns.size() < 2; });
    for (JointProducts& group : groups) {
      while (group.stages.size() < kMostStages && add_stage(group)) {
      }
      group.refusal = why_apart(group);
    }
    return groups;
  }

 private:
  struct Users {
    std::uint32_t count = 0;
    NodeId last;
  };

  const ops::TensorType& type_of(ValueId value) const { return graph_.values[value].type; }
  ValueId result_of(NodeId id) const { return graph_.nodes[id].results[0]; }
  // Whether nothing but other nodes of this graph sees the results.
  bool is_inner(NodeId id) const {
    return !graph_.nodes[id].cache && is_output_[result_of(id)] == 0;
  }

  // A product by a constant matrix. One column is summed up in another order than several are.
  bool may_join(NodeId id) const {
    const Node& node = graph_.nodes[id];
    if (!is_matrix_product(node) || node.operands.size() != 2 || !is_inner(id)) return false;
    const ValueId a = node.operands[0], b = node.operands[1];
    return graph_.is_constant(b) && !graph_.is_constant(a) && type_of(b).shape().rank() == 2 &&
           type_of(b).shape()[1] > 1 && type_of(a).shape().rank() >= 2 &&
           type_of(result_of(id)).shape().has_elements() && type_of(b).shape().has_elements();
  }

  // An elementwise node that is the only reader of each result, if they are all alike.
  bool add_stage(JointProducts& group) const {
    std::vector<NodeId> next;
    for (const NodeId id : group.last()) {
      const Users& users = users_[result_of(id)];
      if (users.count != 1 || !is_inner(users.last)) return false;
      next.push_back(users.last);
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (!is_alike(group, next[0], next[i], i)) return false;
    }
    group.stages.push_back(std::move(next));
    return true;
  }

  // Whether node `id` does with result `index` what node `first` does with the first result.
  bool is_alike(const JointProducts& group, NodeId first, NodeId id, std::size_t index) const {
    const Node& a = graph_.nodes[first];
    const Node& b = graph_.nodes[id];
    const bool same =
        a.op == b.op && a.op->fusion == FusionClass::kElementwise && a.attributes == b.attributes &&
        a.operands.size() == b.operands.size() &&
        type_of(b.results[0]).shape() == type_of(result_of(group.last()[index])).shape();
    if (!same) return false;
    for (std::size_t i = 0; i < a.operands.size(); ++i) {
      const bool is_first = a.operands[i] == result_of(group.last()[0]);
      const bool is_own = b.operands[i] == result_of(group.last()[index]);
      if (is_first != is_own) return false;
      if (!is_own && !is_constant_row(b.operands[i], group.columns[index])) return false;
    }
    return true;
  }

  bool is_constant_row(ValueId value, std::int64_t columns) const {
    const Shape& shape = type_of(value).shape();
    return graph_.is_constant(value) && shape.rank() == 1 && shape[0] == columns;
  }

  const char* why_apart(const JointProducts& group) {
    const Node& first = graph_.nodes[group.stages[0][0]];
    const ops::TensorType& factor = type_of(first.operands[1]);
    const auto size = static_cast<std::int64_t>(size_of(factor.dtype));
    const auto vectors = [&](std::int64_t columns) {
      return (columns * size + kVectorBytes - 1) / kVectorBytes;
    };
    std::int64_t columns = 0, apart = 0, result_bytes = 0;
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      columns += group.columns[i];
      apart += vectors(group.columns[i]);
      result_bytes += type_of(result_of(group.last()[i])).shape().element_count() * size;
    }
    // A fourth of the vectors has to be saved: the readers' wider strides cost something.
    if (vectors(columns) * 4 > apart * 3) return kFullVectors;
    if (result_bytes > kMostResultBytes) return kLargeResult;
    if (columns * factor.shape()[0] * size > kMostConstantBytes) return kLargeConstant;
    return reads_columns(group) ? nullptr : kWholeReaders;
  }

  // Whether every reader takes columns of a wider matrix as they are, without a copy.
  bool reads_columns(const JointProducts& group) {
    std::int64_t columns = 0;
    for (const std::int64_t each : group.columns) columns += each;
    for (const NodeId id : group.last()) {
      const Layout packed(type_of(result_of(id)).shape());
      std::vector<std::int64_t> strides(packed.strides().begin(), packed.strides().end());
      for (std::size_t axis = 0; axis + 1 < strides.size(); ++axis)
        strides[axis] = strides[axis] / packed.shape()[packed.shape().rank() - 1] * columns;
      if (!take_columns(result_of(id), Layout(packed.shape(), strides, 0), columns)) return false;
    }
    return true;
  }

  // Whether a layout of rows of `columns` elements shows no two of one row.
  static bool shows_one_column(const Layout& layout, std::int64_t columns) {
    for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
      if (layout.shape()[axis] > 1 && layout.stride(axis) % columns != 0) return false;
    }
    return true;
  }

  // Whether all readers of a value, and of views of it, take it in this layout, whose rows have
  // `columns` elements. A single column is left alone: a product of one column has an order of
  // summation of its own, and the checker does not follow it into a wider one.
  bool take_columns(ValueId value, const Layout& layout, std::int64_t columns) {
    std::vector<std::pair<ValueId, Layout>> left = {{value, layout}};
    while (!left.empty()) {
      const auto [read, as] = left.back();
      left.pop_back();
      for (const NodeId id : readers_of(read)) {
        const Node& node = graph_.nodes[id];
        const FusionClass fusion = node.op->fusion;
        if (fusion == FusionClass::kElementwise || fusion == FusionClass::kReduction ||
            is_matrix_product(node))
          continue;
        if (fusion != FusionClass::kLayout || node.cache) return false;
        for (std::size_t i = 0; i < node.results.size(); ++i) {
          const ValueId result = node.results[i];
          const auto next = view_layout(*node.op, as, node.attributes, type_of(result).shape(), i);
          if (!next || is_output_[result] != 0 || shows_one_column(*next, columns)) return false;
          left.emplace_back(result, *next);
        }
      }
    }
    return true;
  }

  // Lists are made when they are first needed: few graphs have products to join.
  const std::vector<NodeId>& readers_of(ValueId value) {
    if (readers_.empty()) {
      readers_.resize(graph_.values.size());
      for (const NodeId id : ids(graph_.nodes)) {
        for (const ValueId operand : graph_.nodes[id].operands) readers_[operand].push_back(id);
      }
    }
    return readers_[value];
  }

  const Graph& graph_;
  IdVector<ValueId, std::vector<NodeId>> readers_;
  IdVector<ValueId, Users> users_;
  IdVector<ValueId, char> is_output_;
};

}  // namespace

std::vector<JointProducts> find_joint_products(const Graph& graph) {
  // Most graphs need no count of readers for it.
  if (std::ranges::count_if(graph.nodes, is_matrix_product) < 2) return {};
  return Search(graph).run();
}

}  // namespace wick::compiler

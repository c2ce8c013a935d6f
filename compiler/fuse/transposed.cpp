#include "compiler/fuse/transposed.h"

#include <optional>
#include <utility>

namespace wick::compiler {
namespace {

using ops::FusionClass;

class Search {
 public:
  Search(const Graph& graph, const Clusters& clusters)
      : graph_(graph),
        clusters_(clusters),
        readers_(graph.values.size(), 0),
        reader_(graph.values.size()),
        is_output_(graph.output_marks()) {
    for (const NodeId id : ids(graph.nodes)) {
      if (!clusters.of[id].valid()) continue;
      for (const ValueId operand : graph.nodes[id].operands) {
        ++readers_[operand];
        reader_[operand] = id;
      }
    }
  }

  std::map<NodeId, TransposedResult> run() const {
    std::map<NodeId, TransposedResult> found;
    for (const NodeId id : ids(graph_.nodes)) {
      const Node& view = graph_.nodes[id];
      if (!clusters_.of[id].valid() || view.op->fusion != FusionClass::kLayout) continue;
      if (view.cache || view.results.size() != 1) continue;
      const std::optional<NodeId> root = product_of(view.operands[0]);
      if (!root) continue;
      std::optional<std::vector<std::int64_t>> order = order_of(view);
      if (order && wants_packed(view)) found.emplace(*root, TransposedResult{id, *order});
    }
    return found;
  }

 private:
  const Shape& shape_of(ValueId value) const { return graph_.values[value].type.shape(); }

  // The root of the cluster that gives the value, if that is a product which may write it
  // transposed.
  std::optional<NodeId> product_of(ValueId value) const {
    const Value& v = graph_.values[value];
    if (v.kind != ValueKind::kResult || readers_[value] != 1 || is_output_[value] != 0)
      return std::nullopt;
    const Cluster& cluster = clusters_.clusters[clusters_.of[v.producer]];
    if (!cluster.product.valid() || cluster.root != v.producer || graph_.nodes[cluster.root].cache)
      return std::nullopt;
    const Node& product = graph_.nodes[cluster.product];
    const bool can = !product.op->call.transposed.empty() &&
                     shape_of(product.operands[0]).rank() >= 2 &&
                     shape_of(product.operands[1]).rank() >= 2;
    return can ? std::optional(cluster.root) : std::nullopt;
  }

  Layout layout_of(const Node& view) const {
    const Shape& shape = shape_of(view.results[0]);
    const Layout operand(shape_of(view.operands[0]));
    return view.op->view(operand, view.attributes, shape, 0).value_or(operand);
  }

  // Which axis of the operand each axis of the view is; nothing if it is no other order of them in
  // which the last axis, of two elements or more, stays where it is.
  std::optional<std::vector<std::int64_t>> order_of(const Node& view) const {
    const Layout from(shape_of(view.operands[0]));
    const Layout to = layout_of(view);
    const std::size_t rank = from.shape().rank();
    if (to.shape().rank() != rank || to.offset() != 0 || !from.shape().has_elements() ||
        to.is_packed() || from.shape()[rank - 1] < 2)
      return std::nullopt;
    std::vector<std::int64_t> order;
    std::vector<char> used(rank, 0);
    for (std::size_t i = 0; i < rank; ++i) {
      std::size_t axis = 0;
      while (axis < rank && (used[axis] != 0 || !is_same_axis(from, axis, to, i))) ++axis;
      if (axis == rank) return std::nullopt;
      used[axis] = 1;
      order.push_back(static_cast<std::int64_t>(axis));
    }
    if (order.back() != static_cast<std::int64_t>(rank) - 1) return std::nullopt;
    return order;
  }

  static bool is_same_axis(const Layout& a, std::size_t i, const Layout& b, std::size_t j) {
    const std::int64_t extent = a.shape()[i];
    return extent == b.shape()[j] && (extent == 1 || a.stride(i) == b.stride(j));
  }

  // Whether the view's elements would have to be copied into packed layout.
  bool wants_packed(const Node& view) const {
    const ValueId value = view.results[0];
    if (is_output_[value] != 0) return true;
    if (readers_[value] != 1) return false;
    const Node& reader = graph_.nodes[reader_[value]];
    if (reader.op->fusion == FusionClass::kPack) return !reader.cache;
    return reader.op->fusion == FusionClass::kLayout &&
           !reader.op->view(layout_of(view), reader.attributes, shape_of(reader.results[0]), 0);
  }

  const Graph& graph_;
  const Clusters& clusters_;
  IdVector<ValueId, std::uint32_t> readers_;
  IdVector<ValueId, NodeId> reader_;  // the last one
  IdVector<ValueId, char> is_output_;
};

}  // namespace

std::map<NodeId, TransposedResult> find_transposed_results(const Graph& graph,
                                                           const Clusters& clusters) {
  return Search(graph, clusters).run();
}

}  // namespace wick::compiler

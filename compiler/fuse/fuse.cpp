#include "compiler/fuse/fuse.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/fuse/bodies.h"
#include "compiler/fuse/clusters.h"
#include "compiler/fuse/panels.h"
#include "compiler/fuse/row_program.h"
#include "compiler/fuse/transposed.h"
#include "compiler/graph/joint_products.h"
#include "compiler/support/check.h"
#include "compiler/support/prefetch.h"

namespace wick::compiler {
namespace {

using ops::FusionClass;

// Writes one kernel for each cluster, in the order of their roots, which is topological: a
// cluster's operands are roots of earlier clusters.
class Assembly {
 public:
  Assembly(const Graph& graph, const FuseOptions& options)
      : graph_(graph),
        options_(options),
        clusters_(find_clusters(graph, options)),
        bodies_(fused_.bodies) {
    fused_.graph = &graph;
    fused_.refusals = std::move(clusters_.refusals);
    if (options.fuse && has_products()) {
      note_products();
      transposed_ = find_transposed_results(graph, clusters_);
      for (const auto& [root, result] : transposed_) written_transposed_.insert(result.view);
    }
    if (options.fuse) constant_ = constant_nodes(graph);
    tensor_of_ = IdVector<ValueId, TensorId>(graph.values.size());
    fused_.tensors.reserve(graph.values.size());
    fused_.kernels.reserve(clusters_.clusters.size());
    layouts_.reserve(graph.values.size());
    packed_.reserve(graph.values.size());
  }

  FusedGraph run() {
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      add_tensor(graph_.inputs[i].value, TensorKind::kInput, static_cast<std::uint32_t>(i));
    }
    for (const NodeId id : ids(graph_.nodes)) {
      const ClusterId cluster = clusters_.of[id];
      if (cluster.valid() && clusters_.clusters[cluster].root == id)
        add_cluster(clusters_.clusters[cluster]);
    }
    for (const Output& output : graph_.outputs) fused_.outputs.push_back(tensor(output.value));
    if (options_.fuse) choose_panels(fused_);
    return std::move(fused_);
  }

 private:
  // Graphs without any need no walks for their sake.
  bool has_products() const {
    return std::ranges::any_of(clusters_.clusters,
                               [](const Cluster& cluster) { return cluster.product.valid(); });
  }

  // Products that could have been one, and are not.
  void note_products() {
    for (const JointProducts& group : find_joint_products(graph_)) {
      const std::vector<NodeId>& products = group.stages[0];
      for (std::size_t i = 1; i < products.size() && group.refusal != nullptr; ++i)
        fused_.refusals.push_back({products[0], products[i], group.refusal});
    }
  }

  // ---- Tensors ----

  TensorId add_tensor(ValueId id, TensorKind kind, std::uint32_t index) {
    const Value& value = graph_.values[id];
    const std::string name = value.name.empty() ? "literal" : value.name;
    const TensorId tensor = fused_.tensors.push_back(
        {name, value.type.dtype, value.type.shape(), kind, index, id, {}, false});
    layouts_.push_back(Layout(value.type.shape()));
    packed_.push_back(TensorId());
    tensor_of_[id] = tensor;
    return tensor;
  }

  // The tensor that holds a value; constants come in when they are first read.
  TensorId tensor(ValueId id) {
    if (tensor_of_[id].valid()) return tensor_of_[id];
    check(graph_.is_constant(id), "fuse: a value is read before it is computed");
    fused_.constants.push_back(graph_.constant_of(id).data);
    return add_tensor(id, TensorKind::kConstant,
                      static_cast<std::uint32_t>(fused_.constants.size() - 1));
  }

  TensorId add_result(ValueId id, KernelId producer, bool cached) {
    const TensorId result = add_tensor(id, TensorKind::kResult, 0);
    fused_.tensors[result].producer = producer;
    fused_.tensors[result].cached = cached;
    return result;
  }

  // ---- Kernels ----

  // A cluster's nodes stand anywhere in the graph: asks the processor for all of them, and for what
  // they compute.
  void look_ahead(const std::vector<NodeId>& nodes) const {
    for (const NodeId id : nodes) {
      prefetch(&graph_.nodes[id]);
      prefetch(&graph_.nodes[id].operands);
    }
    for (const NodeId id : nodes) prefetch(&graph_.values[graph_.nodes[id].results[0]]);
  }

  void add_cluster(const Cluster& cluster) {
    const Node& root = graph_.nodes[cluster.root];
    switch (root.op->fusion) {
      case FusionClass::kLayout:
        return add_views(cluster.root);
      case FusionClass::kPack:
        return add_pack(cluster.root);
      case FusionClass::kOpaque:
        return add_call(cluster.root);
      case FusionClass::kComposite:
        throw InternalError("fuse: a composite was not expanded");
      default:
        break;
    }
    look_ahead(cluster.nodes);
    Kernel kernel;
    kernel.nodes = cluster.nodes;
    kernel.cache = root.cache;
    if (cluster.rows) {
      fill_rows(cluster, kernel);
    } else if (cluster.product.valid()) {
      fill_product(cluster, kernel);
    } else if (!cluster.reductions.empty()) {
      fill_reduction(cluster, kernel);
    } else {
      fill_map(cluster, kernel);
    }
    if (const auto at = transposed_.find(cluster.root); at != transposed_.end())
      return finish_transposed(std::move(kernel), at->second);
    finish(std::move(kernel), root, cluster.more_roots);
  }

  // A product that writes its result transposed computes the view's value.
  void finish_transposed(Kernel kernel, const TransposedResult& result) {
    kernel.order = result.order;
    kernel.nodes.push_back(result.view);
    finish(std::move(kernel), graph_.nodes[result.view]);
  }

  void finish(Kernel kernel, const Node& node, std::span<const NodeId> more = {}) {
    const KernelId id = fused_.kernels.next_id();
    for (const ValueId result : node.results)
      kernel.results.push_back(add_result(result, id, node.cache));
    for (const NodeId root : more)
      kernel.results.push_back(add_result(graph_.nodes[root].results[0], id, false));
    fused_.kernels.push_back(std::move(kernel));
  }

  BodyId intern(Body body) {
    if (options_.fuse) multiply_by_exact_reciprocals(body, constant_);
    if (options_.fuse && options_.fp == FpMode::kDefault) fold_scalar_chains(body, constant_);
    return bodies_.intern(std::move(body));
  }

  // The body for `result`, its parameters added to the kernel's operands.
  BodyId add_body(const Cluster& cluster, ValueId result, ValueId given, Kernel& kernel) {
    Slice slice = slice_body(graph_, cluster.nodes, result, [&](ValueId value) {
      return value == given || !is_inside(cluster, value);
    });
    for (const ValueId parameter : slice.parameters) {
      if (parameter != given) kernel.operands.push_back(tensor(parameter));
    }
    return slice.body.is_identity() ? BodyId() : intern(std::move(slice.body));
  }

  bool is_inside(const Cluster& cluster, ValueId value) const {
    const Value& v = graph_.values[value];
    return v.kind == ValueKind::kResult && std::ranges::binary_search(cluster.nodes, v.producer);
  }

  void fill_map(const Cluster& cluster, Kernel& kernel) {
    kernel.kind = KernelKind::kMap;
    kernel.body = add_body(cluster, graph_.nodes[cluster.root].results[0], ValueId(), kernel);
  }

  // The body of an epilogue takes the anchor's result first, whatever the order in which it is
  // used.
  BodyId add_epilogue(const Cluster& cluster, NodeId anchor, Kernel& kernel) {
    const ValueId given = graph_.nodes[anchor].results[0];
    const ValueId root = graph_.nodes[cluster.root].results[0];
    if (given == root) return BodyId();
    Slice slice = slice_body(graph_, cluster.nodes, root, [&](ValueId value) {
      return value == given || !is_inside(cluster, value);
    });
    move_to_front(slice, given);
    for (std::size_t i = 1; i < slice.parameters.size(); ++i)
      kernel.operands.push_back(tensor(slice.parameters[i]));
    return intern(std::move(slice.body));
  }

  static void move_to_front(Slice& slice, ValueId given) {
    const auto at = std::ranges::find(slice.parameters, given);
    check(at != slice.parameters.end(), "fuse: an epilogue does not read its anchor");
    const auto from = static_cast<std::uint32_t>(at - slice.parameters.begin());
    std::rotate(slice.parameters.begin(), at, at + 1);
    std::rotate(slice.body.parameters.begin(), slice.body.parameters.begin() + from,
                slice.body.parameters.begin() + from + 1);
    const auto renumber = [&](BodyOperand& operand) {
      if (operand.kind != BodyOperand::Kind::kParameter) return;
      if (operand.index == from) {
        operand.index = 0;
      } else if (operand.index < from) {
        ++operand.index;
      }
    };
    for (BodyStatement& statement : slice.body.statements)
      std::ranges::for_each(statement.operands, renumber);
    renumber(slice.body.result);
  }

  void fill_product(const Cluster& cluster, Kernel& kernel) {
    const Node& product = graph_.nodes[cluster.product];
    kernel.kind = KernelKind::kProduct;
    kernel.op = product.op;
    kernel.attributes = product.attributes;
    for (const ValueId operand : product.operands) kernel.operands.push_back(tensor(operand));
    kernel.results_body = add_epilogue(cluster, cluster.product, kernel);
  }

  void fill_reduction(const Cluster& cluster, Kernel& kernel) {
    const Node& reduction = graph_.nodes[cluster.reductions[0]];
    kernel.kind = KernelKind::kReduce;
    kernel.op = reduction.op;
    kernel.axes = cluster.axes;
    kernel.body = add_body(cluster, reduction.operands[0], ValueId(), kernel);
    kernel.terms = static_cast<std::uint32_t>(kernel.operands.size());
    kernel.results_body = add_epilogue(cluster, cluster.reductions[0], kernel);
  }

  void fill_rows(const Cluster& cluster, Kernel& kernel) {
    kernel.kind = KernelKind::kRows;
    kernel.axes = cluster.axes;
    const auto operand_index = [&](ValueId value) {
      const TensorId operand = tensor(value);
      const auto at = std::ranges::find(kernel.operands, operand);
      const auto index = static_cast<std::uint32_t>(at - kernel.operands.begin());
      if (at == kernel.operands.end()) kernel.operands.push_back(operand);
      return index;
    };
    build_row_program(graph_, clusters_, cluster, kernel, operand_index,
                      [&](Body body) { return intern(std::move(body)); });
  }

  void add_call(NodeId id) {
    const Node& node = graph_.nodes[id];
    Kernel kernel;
    kernel.kind = KernelKind::kCall;
    kernel.nodes = {id};
    kernel.op = node.op;
    kernel.attributes = node.attributes;
    kernel.cache = node.cache;
    std::vector<ops::TensorType> types;
    for (const ValueId operand : node.operands) {
      kernel.operands.push_back(tensor(operand));
      types.push_back(graph_.values[operand].type);
    }
    if (node.op->call.workspace != nullptr)
      kernel.workspace = node.op->call.workspace(types, node.attributes);
    finish(std::move(kernel), node);
  }

  // ---- Layout ----

  void add_pack(NodeId id) {
    const Node& node = graph_.nodes[id];
    Kernel kernel;
    kernel.kind = KernelKind::kPack;
    kernel.nodes = {id};
    kernel.operands = {tensor(node.operands[0])};
    kernel.cache = node.cache;
    finish(std::move(kernel), node);
  }

  // One view for each result. A cached view is packed into memory of its own.
  void add_views(NodeId id) {
    if (written_transposed_.contains(id)) return;
    const Node& node = graph_.nodes[id];
    for (std::uint32_t index = 0; index < node.results.size(); ++index) {
      const TensorId view = add_view(id, index);
      if (node.cache) pack_for_cache(id, index, view);
    }
  }

  TensorId add_view(NodeId id, std::uint32_t index) {
    const Node& node = graph_.nodes[id];
    Kernel kernel;
    kernel.kind = KernelKind::kLayout;
    kernel.nodes = {id};
    kernel.views = {id};
    kernel.view_index = index;
    TensorId operand = tensor(node.operands[0]);
    auto layout = apply_views_of(kernel, operand);
    if (!layout) {
      operand = packed(operand);
      layout = apply_views_of(kernel, operand);
    }
    check(layout.has_value(), "fuse: a view of a packed value is refused");
    kernel.operands = {operand};
    const KernelId kernel_id = fused_.kernels.next_id();
    const TensorId result = add_result(node.results[index], kernel_id, false);
    kernel.results = {result};
    layouts_[result] = *layout;
    fused_.kernels.push_back(std::move(kernel));
    return result;
  }

  std::optional<Layout> apply_views_of(const Kernel& kernel, TensorId operand) const {
    return apply_views(fused_, kernel, layouts_[operand]);
  }

  void pack_for_cache(NodeId id, std::uint32_t index, TensorId view) {
    fused_.tensors[view].name += "_view";
    Kernel kernel;
    kernel.kind = KernelKind::kPack;
    kernel.nodes = {id};
    kernel.operands = {view};
    kernel.cache = true;
    const KernelId kernel_id = fused_.kernels.next_id();
    kernel.results = {add_result(graph_.nodes[id].results[index], kernel_id, true)};
    fused_.kernels.push_back(std::move(kernel));
  }

  // A packed copy of a tensor whose layout a view cannot take; one for all who need it.
  TensorId packed(TensorId operand) {
    if (packed_[operand].valid()) return packed_[operand];
    const FusedTensor source = fused_.tensors[operand];
    Kernel kernel;
    kernel.kind = KernelKind::kPack;
    kernel.operands = {operand};
    const KernelId kernel_id = fused_.kernels.next_id();
    const TensorId copy =
        fused_.tensors.push_back({source.name + "_packed", source.dtype, source.shape,
                                  TensorKind::kResult, 0, source.value, kernel_id, false});
    layouts_.push_back(Layout(source.shape));
    packed_.push_back(TensorId());
    kernel.results = {copy};
    fused_.kernels.push_back(std::move(kernel));
    packed_[operand] = copy;
    return copy;
  }

  const Graph& graph_;
  const FuseOptions& options_;
  Clusters clusters_;
  FusedGraph fused_;
  ConstantNodes constant_;                         // if kernels are fused
  std::map<NodeId, TransposedResult> transposed_;  // the same
  std::set<NodeId> written_transposed_;            // the views among them
  BodyTable bodies_;
  IdVector<ValueId, TensorId> tensor_of_;
  IdVector<TensorId, Layout> layouts_;   // as the views in front of it leave it
  IdVector<TensorId, TensorId> packed_;  // the packed copy of a tensor, if one was needed
};

}  // namespace

FusedGraph fuse(const Graph& graph, const FuseOptions& options) {
  return Assembly(graph, options).run();
}

}  // namespace wick::compiler

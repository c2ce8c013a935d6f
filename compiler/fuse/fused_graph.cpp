#include "compiler/fuse/fused_graph.h"

namespace wick::compiler {

std::optional<Layout> apply_views(const FusedGraph& fused, const Kernel& kernel, Layout operand) {
  for (std::size_t i = 0; i < kernel.views.size(); ++i) {
    const Node& node = fused.graph->nodes[kernel.views[i]];
    const std::size_t index = i + 1 == kernel.views.size() ? kernel.view_index : 0;
    const Shape& shape = fused.graph->values[node.results[index]].type.shape();
    const auto layout = node.op->view(operand, node.attributes, shape, index);
    if (!layout) return std::nullopt;
    operand = *layout;
  }
  return operand;
}

}  // namespace wick::compiler

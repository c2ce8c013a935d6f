#include "compiler/fuse/panels.h"

#include "compiler/tensor/panels.h"

namespace wick::compiler {
namespace {

bool may_lie_in_panels(const FusedGraph& fused, const FusedTensor& tensor) {
  if (tensor.kind != TensorKind::kConstant || tensor.shape.rank() != 2) return false;
  if (tensor.dtype != DType::kF32 && tensor.dtype != DType::kF64) return false;
  const auto bytes = static_cast<std::int64_t>(fused.constants[tensor.index].bytes().size());
  return tensor.shape[1] > panel_width(tensor.dtype) && bytes >= kLeastPanelBytes.count;
}

}  // namespace

void choose_panels(FusedGraph& fused) {
  IdVector<TensorId, char> fits(fused.tensors.size());
  for (const TensorId id : ids(fused.tensors)) {
    fits[id] = may_lie_in_panels(fused, fused.tensors[id]) ? 1 : 0;
  }
  for (const TensorId output : fused.outputs) fits[output] = 0;
  for (const Kernel& kernel : fused.kernels) {
    for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
      if (kernel.kind != KernelKind::kProduct || i != 1) fits[kernel.operands[i]] = 0;
    }
  }
  Bytes total;
  for (const TensorId id : ids(fused.tensors)) {
    if (fits[id] == 0) continue;
    FusedTensor& tensor = fused.tensors[id];
    const Bytes bytes{static_cast<std::int64_t>(fused.constants[tensor.index].bytes().size())};
    if ((total + bytes).count > kMostPanelBytes.count) continue;
    total += bytes;
    tensor.panels = true;
  }
}

}  // namespace wick::compiler

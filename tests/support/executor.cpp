#include "tests/support/executor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "tests/support/kernel_values.h"

namespace wick::compiler::testing {

namespace {

// Tells `visit` of the byte offset of each element in row-major order.
template <class Visit>
void for_each_element(const Layout& layout, std::size_t element, Visit&& visit) {
  const Shape& shape = layout.shape();
  std::array<std::int64_t, kMaxRank> index{};
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    std::int64_t at = layout.offset();
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      at += index[axis] * layout.stride(axis);
    }
    visit(i, at * static_cast<std::int64_t>(element));
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

}  // namespace

PlanExecutor::PlanExecutor(const Plan& plan, Fill fill_with)
    : plan_(plan),
      fill_(fill_with),
      arena_(static_cast<std::size_t>(plan.arena.count)),
      state_(static_cast<std::size_t>(plan.state.count)),
      own_(plan.storages.size()) {
  fill(arena_);
  fill(state_);
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    const bool slot = storage.kind == StorageKind::kSlot;
    const bool heap = plan.options.storage == StorageMode::kHeap;
    if (storage.kind == StorageKind::kState || (slot && !heap)) continue;
    own_[id].resize(static_cast<std::size_t>(storage.size.count));
    fill(own_[id]);
    if (storage.kind != StorageKind::kConstant) continue;
    const auto constant = plan.fused->constants[storage.index].bytes();
    require(constant.size() == own_[id].size(), "a constant has another size");
    std::ranges::copy(constant, own_[id].begin());
  }
}

std::vector<HostTensor> PlanExecutor::run(std::span<const HostTensor> inputs) {
  for (const StorageId id : ids(plan_.storages)) {
    const Storage& storage = plan_.storages[id];
    if (storage.kind == StorageKind::kOutput) fill(own_[id]);
    if (storage.kind == StorageKind::kInput) {
      require(inputs[storage.index].bytes().size() == own_[id].size(), "an input's size");
      std::ranges::copy(inputs[storage.index].bytes(), own_[id].begin());
    }
  }
  if (!prepared_) execute(plan_.prepare);
  prepared_ = true;
  execute(plan_.run);
  check_inputs(inputs);
  std::vector<HostTensor> outputs(plan_.fused->outputs.size());
  for (const StorageId id : ids(plan_.storages)) {
    const Storage& storage = plan_.storages[id];
    if (storage.kind != StorageKind::kOutput) continue;
    const FusedTensor& tensor = plan_.fused->tensors[plan_.fused->outputs.at(storage.index)];
    HostTensor value(tensor.dtype, tensor.shape);
    require(value.bytes().size() == own_[id].size(), "an output's size");
    std::ranges::copy(own_[id], value.mutable_bytes().begin());
    outputs[storage.index] = value;
  }
  return outputs;
}

void PlanExecutor::execute(const Program& program) {
  for (const Step& step : program.steps) execute(step);
}

void PlanExecutor::execute(const Step& step) {
  if (step.workspace.valid()) fill(bytes(step.workspace));
  if (step.kind != StepKind::kReference) {
    const std::vector<HostTensor> early = values_of(step);
    for (std::size_t i = 0; i < step.writes.size(); ++i) {
      write(step.writes[i], early[i], 0, written_at_once(step, early[i].shape()));
    }
    const std::vector<HostTensor> late = values_of(step);
    for (std::size_t i = 0; i < step.writes.size(); ++i) {
      write(step.writes[i], late[i], written_at_once(step, late[i].shape()),
            late[i].element_count());
    }
  }
  if (step.workspace.valid()) fill(bytes(step.workspace));
  for (const StorageId id : step.frees) fill(bytes(id));
}

// How many elements of a result are written before operands are read again: half of them. A row
// program reads a row to its end before it writes it, so that it writes half of the rows.
std::int64_t PlanExecutor::written_at_once(const Step& step, const Shape& result) const {
  std::int64_t row = 1;
  if (step.kind == StepKind::kKernel) {
    const Kernel& kernel = plan_.fused->kernels[step.kernel];
    for (const std::int64_t axis : kernel.axes) {
      const bool whole =
          kernel.kind == KernelKind::kRows && axis < static_cast<std::int64_t>(result.rank());
      if (whole) row *= std::max<std::int64_t>(result[static_cast<std::size_t>(axis)], 1);
    }
  }
  return result.element_count() / row / 2 * row;
}

std::vector<HostTensor> PlanExecutor::values_of(const Step& step) {
  std::vector<HostTensor> operands;
  for (const Located& operand : step.reads) operands.push_back(read(operand));
  if (step.kind == StepKind::kCopy) return operands;
  return evaluate_kernel(*plan_.fused, plan_.fused->kernels[step.kernel], operands);
}

std::span<std::byte> PlanExecutor::bytes(StorageId id) {
  const Storage& storage = plan_.storages[id];
  const auto size = static_cast<std::size_t>(storage.size.count);
  if (size == 0) return {};
  std::span<std::byte> all = own_[id];
  auto offset = static_cast<std::size_t>(storage.offset.count);
  if (storage.kind == StorageKind::kState) {
    all = state_;
  } else if (storage.kind != StorageKind::kSlot) {
    offset = 0;
  } else if (plan_.options.storage == StorageMode::kHeap) {
    offset = 0;
    all = own_[storage.allocation];
  } else {
    all = arena_;
  }
  require(offset <= all.size() && size <= all.size() - offset, "a storage leaves its memory");
  return all.subspan(offset, size);
}

HostTensor PlanExecutor::read(const Located& located) {
  const FusedTensor& tensor = plan_.fused->tensors[located.tensor];
  const std::size_t size = size_of(tensor.dtype);
  const std::span<std::byte> from = bytes(located.storage);
  HostTensor value(tensor.dtype, tensor.shape);
  std::byte* to = value.mutable_bytes().data();
  for_each_element(located.layout, size, [&](std::int64_t, std::int64_t at) {
    require(at >= 0 && static_cast<std::size_t>(at) + size <= from.size(),
            "a read leaves its storage");
    std::memcpy(to, from.data() + at, size);
    to += size;
  });
  return value;
}

void PlanExecutor::write(const Located& located, const HostTensor& value, std::int64_t begin,
                         std::int64_t end) {
  const std::size_t size = size_of(value.dtype());
  const std::span<std::byte> to = bytes(located.storage);
  for_each_element(located.layout, size, [&](std::int64_t i, std::int64_t at) {
    if (i < begin || i >= end) return;
    require(at >= 0 && static_cast<std::size_t>(at) + size <= to.size(),
            "a write leaves its storage");
    std::memcpy(to.data() + at, value.bytes().data() + static_cast<std::size_t>(i) * size, size);
  });
}

void PlanExecutor::check_inputs(std::span<const HostTensor> inputs) const {
  for (const StorageId id : ids(plan_.storages)) {
    const Storage& storage = plan_.storages[id];
    if (storage.kind != StorageKind::kInput) continue;
    if (plan_.fused->graph->inputs[storage.index].donate) continue;
    require(std::ranges::equal(inputs[storage.index].bytes(), own_[id]), "an input was changed");
  }
}

void PlanExecutor::fill(std::span<std::byte> bytes) const {
  constexpr std::array<unsigned char, 4> kSignalling = {0x01, 0x00, 0xa0, 0x7f};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    switch (fill_) {
      case Fill::kZeros:
        bytes[i] = std::byte{0x00};
        break;
      case Fill::kOnes:
        bytes[i] = std::byte{0xff};
        break;
      case Fill::kSignallingNaN:
        bytes[i] = std::byte{kSignalling[i % 4]};
        break;
    }
  }
}

std::vector<HostTensor> run_plan(const Plan& plan, std::span<const HostTensor> inputs, Fill fill) {
  return PlanExecutor(plan, fill).run(inputs);
}

}  // namespace wick::compiler::testing

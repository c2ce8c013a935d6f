#include "compiler/plan/assign.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "compiler/plan/in_place.h"
#include "compiler/support/check.h"
#include "compiler/support/prefetch.h"

namespace wick::compiler {

namespace {

Bytes size_of_tensor(const Shape& shape, DType dtype) {
  const std::optional<Bytes> size = byte_count(shape, dtype);
  check(size.has_value(), "a tensor larger than any");
  return *size;
}

class Assigner {
 public:
  Assigner(const Preplan& staged, bool prepares, const Given& given, Plan& plan)
      : staged_(staged),
        fused_(*staged.fused),
        prepares_(prepares),
        plan_(plan),
        storage_(given.storage),
        borrowed_(fused_.tensors.size()),
        first_own_(plan.storages.size()),
        promise_storage_(staged.promises.size()) {}

  Program finish() {
    program_.steps.reserve(staged_.steps.size());
    for (StepIndex i = 0; i < staged_.steps.size(); ++i) {
      look_ahead(i);
      add_step(i);
    }
    settle_placements();
    add_frees();
    return std::move(program_);
  }

  // Where each cached value is kept.
  void tell(Given& given) const {
    IdVector<TensorId, StorageId> kept(fused_.tensors.size());
    for (std::size_t i = 0; i < staged_.promises.size(); ++i) {
      kept[staged_.promises[i].tensor] = promise_storage_[i];
    }
    for (const TensorId tensor : ids(fused_.tensors)) {
      if (staged_.kept_in[tensor].valid()) given.storage[tensor] = kept[staged_.kept_in[tensor]];
    }
  }

 private:
  // Steps jump about in the graph: what those to come look at is asked for ahead of them.
  void look_ahead(StepIndex index) const {
    constexpr std::size_t kAhead = 12;
    if (index + kAhead >= staged_.steps.size()) return;
    const TensorId result = staged_.steps[index + kAhead].result;
    if (!result.valid()) return;
    prefetch(&staged_.places[result]);
    prefetch(&storage_[result]);
  }

  void add_step(StepIndex index) {
    const StagedStep& staged = staged_.steps[index];
    program_.steps.emplace_back();
    Step& step = program_.steps.back();
    step.kind = staged.kind;
    step.kernel = staged.kernel;
    step.reads.reserve(staged.input_count);
    for (const TensorId input : staged_.inputs_of(staged)) step.reads.push_back(locate(input));
    for (const Located& read : step.reads) touch(read.storage, index);
    if (!staged.kernel.valid()) {
      add_promised_copy(step, staged);
    } else if (staged.kind == StepKind::kReference) {
      add_reference(step, staged.result);
    } else {
      add_results(step, index);
    }
  }

  std::span<const TensorId> results_of(const StagedStep& staged) const {
    if (staged.result_count == 1) return {&staged.result, 1};
    return fused_.kernels[staged.kernel].results;
  }

  Located locate(TensorId tensor) const {
    const StorageId storage = storage_[staged_.places[tensor].base];
    check(storage.valid(), "a step reads what no earlier step has written");
    return {tensor, storage, staged_.layout_of(tensor)};
  }

  void add_promised_copy(Step& step, const StagedStep& staged) {
    const Promise& promise = staged_.promises[staged.promise];
    const FusedTensor& tensor = fused_.tensors[promise.tensor];
    const StorageId storage = promised_storage(staged.promise, promise.tensor);
    step.writes.push_back({promise.tensor, storage, Layout(tensor.shape)});
    step.placements.push_back(placement_of(storage));
  }

  void add_reference(Step& step, TensorId result) {
    step.writes.push_back(locate(result));
    step.placements.push_back(reference_to(step.reads[0].storage));
  }

  void add_results(Step& step, StepIndex index) {
    const StagedStep& staged = staged_.steps[index];
    const bool in_place_allowed = plan_.options.storage != StorageMode::kNone;
    std::optional<std::uint32_t> over;
    if (in_place_allowed) over = in_place_operand(staged_, index, borrowed_);
    for (const TensorId result : results_of(staged)) {
      if (over) {
        step.in_place_operand = *over;
        storage_[result] = overwritten(step.reads[*over].storage, result);
        borrowed_[result] = plan_.storages[storage_[result]].kind == StorageKind::kInput;
        step.placements.push_back(Placement::kInPlace);
      } else {
        storage_[result] = own_storage(result, index);
        step.placements.push_back(placement_of(storage_[result]));
      }
      touch(storage_[result], index);
      step.writes.push_back(locate(result));
    }
    if (step.kind == StepKind::kKernel && staged.workspace.count > 0) {
      step.workspace = new_slot(staged.workspace, TensorId(), index);
      plan_.storages[step.workspace].workspace = true;
      touch(step.workspace, index);
    }
  }

  // The storage of an operand, now that `result` is written over it: if the result is wanted in
  // memory of its own, the whole chain of values that it overwrites moves there.
  StorageId overwritten(StorageId storage, TensorId result) {
    const std::uint32_t promise = staged_.places[result].promise;
    if (promise == Preplan::kNoPromise) return storage;
    Storage& it = plan_.storages[storage];
    it = promised(staged_.promises[promise], it.size, it.first);
    promise_storage_[promise] = storage;
    return storage;
  }

  StorageId own_storage(TensorId result, StepIndex index) {
    const std::uint32_t promise = staged_.places[result].promise;
    if (promise != Preplan::kNoPromise) return promised_storage(promise, result);
    return new_slot(size_of_base(result), result, index);
  }

  Bytes size_of_base(TensorId base) const {
    const Preplan::Place& place = staged_.places[base];
    return size_of_tensor(place.shape, place.dtype);
  }

  StorageId promised_storage(std::uint32_t promise, TensorId first) {
    const Bytes size = size_of_base(first);
    promise_storage_[promise] =
        plan_.storages.push_back(promised(staged_.promises[promise], size, first));
    return promise_storage_[promise];
  }

  Storage promised(const Promise& promise, Bytes size, TensorId first) const {
    Storage storage;
    storage.kind = promise.kind;
    storage.index = promise.index;
    storage.size = size;
    storage.first = first;
    return storage;
  }

  StorageId new_slot(Bytes size, TensorId first, StepIndex birth) {
    Storage storage;
    storage.size = size;
    storage.birth = birth;
    storage.in_prepare = prepares_;
    storage.first = first;
    return plan_.storages.push_back(storage);
  }

  Placement placement_of(StorageId storage) const {
    switch (plan_.storages[storage].kind) {
      case StorageKind::kOutput:
        return Placement::kOutput;
      case StorageKind::kState:
        return Placement::kState;
      case StorageKind::kSlot:
      case StorageKind::kInput:
      case StorageKind::kConstant:
        return Placement::kFresh;
    }
    return Placement::kFresh;
  }

  Placement reference_to(StorageId storage) const {
    return plan_.storages[storage].kind == StorageKind::kSlot ? Placement::kReferenceSlot
                                                              : Placement::kReferenceEternal;
  }

  void touch(StorageId storage, StepIndex index) {
    Storage& it = plan_.storages[storage];
    if (it.kind == StorageKind::kSlot) it.death = index + 1;
  }

  // A slot may have become an output, or a cached value, after steps had been told that it is a
  // slot.
  void settle_placements() {
    for (Step& step : program_.steps) {
      for (std::size_t i = 0; i < step.writes.size(); ++i) {
        const StorageId storage = step.writes[i].storage;
        Placement& placement = step.placements[i];
        if (placement == Placement::kFresh) placement = placement_of(storage);
        if (placement == Placement::kReferenceSlot) placement = reference_to(storage);
      }
    }
  }

  void add_frees() {
    constexpr std::size_t kAhead = 24;  // slots whose last steps are asked for ahead of their turn
    for (std::size_t i = first_own_; i < plan_.storages.size(); ++i) {
      if (i + kAhead < plan_.storages.size()) {
        const Storage& later = plan_.storages[StorageId(i + kAhead)];
        if (is_freed(later)) prefetch(&program_.steps[later.death - 1].frees);
      }
      const Storage& storage = plan_.storages[StorageId(i)];
      if (is_freed(storage)) program_.steps[storage.death - 1].frees.push_back(StorageId(i));
    }
  }

  static bool is_freed(const Storage& storage) {
    return storage.kind == StorageKind::kSlot && !storage.workspace;
  }

  const Preplan& staged_;
  const FusedGraph& fused_;
  bool prepares_;
  Plan& plan_;
  IdVector<TensorId, StorageId> storage_;  // of a base
  IdVector<TensorId, char> borrowed_;      // a base lives in the memory of an input
  std::size_t first_own_;
  std::vector<StorageId> promise_storage_;
  Program program_;
};

}  // namespace

Given given_storages(const FusedGraph& fused, Plan& plan) {
  Given given;
  given.storage.resize(fused.tensors.size());
  std::map<std::pair<StorageKind, std::uint32_t>, StorageId> known;
  for (const TensorId tensor : ids(fused.tensors)) {
    const FusedTensor& it = fused.tensors[tensor];
    if (it.kind == TensorKind::kResult) continue;
    Storage storage;
    storage.kind = it.kind == TensorKind::kInput ? StorageKind::kInput : StorageKind::kConstant;
    storage.index = it.index;
    storage.size = size_of_tensor(it.shape, it.dtype);
    storage.first = tensor;
    const auto [place, added] = known.try_emplace({storage.kind, storage.index});
    if (added) place->second = plan.storages.push_back(storage);
    given.storage[tensor] = place->second;
  }
  return given;
}

Program assign(const Preplan& staged, bool prepares, Given& given, Plan& plan) {
  Assigner assigner(staged, prepares, given, plan);
  Program program = assigner.finish();
  if (prepares) assigner.tell(given);
  return program;
}

}  // namespace wick::compiler

// The judge's first half: which values every byte holds, step by step.
//
// A storage is only ever written whole, so its contents at any moment are a version: version 0 is
// what the program is given (inputs, constants, cached values), each write makes the next. A tensor
// is known to be somewhere from the step that writes it or refers to it on: at a storage, in a
// version of it, through a layout. A read is right if it names that place, and the version is still
// the storage's own.
#include <algorithm>
#include <optional>
#include <string>

#include "compiler/plan/judge.h"
#include "compiler/plan/judge_layouts.h"
#include "compiler/support/prefetch.h"

namespace wick::compiler::judge {

namespace {

bool keeps_values(const FusedGraph& fused, const Kernel& kernel) {
  if (kernel.kind == KernelKind::kPack) return true;
  if (kernel.kind != KernelKind::kLayout) return false;
  return std::ranges::all_of(
      kernel.views, [&](NodeId node) { return fused.graph->nodes[node].op->traits.identity; });
}

// What the views of a kernel make of a layout, straight from the op records.
std::optional<Layout> viewed(const FusedGraph& fused, const Kernel& kernel, Layout layout) {
  for (std::size_t i = 0; i < kernel.views.size(); ++i) {
    const Node& node = fused.graph->nodes[kernel.views[i]];
    const std::size_t result = i + 1 < kernel.views.size() ? 0 : kernel.view_index;
    const Shape& shape = fused.graph->values[node.results[result]].type.shape();
    const std::optional<Layout> next = node.op->view(layout, node.attributes, shape, result);
    if (!next) return std::nullopt;
    layout = *next;
  }
  return layout;
}

class ValueJudge {
 public:
  ValueJudge(const FusedGraph& fused, const IdVector<TensorId, TensorId>& classes, const Plan& plan,
             bool prepare, Prepared& prepared, Account& account, Faults& faults)
      : fused_(fused),
        classes_(classes),
        plan_(plan),
        prepare_(prepare),
        program_(prepare ? plan.prepare : plan.run),
        prepared_(prepared),
        uses_(account.uses),
        labels_(account.labels),
        faults_(faults),
        known_(fused.tensors.size()),
        version_(plan.storages.size()),
        ran_(fused.kernels.size()) {}

  bool judge() {
    for (step_ = 0; step_ < program_.steps.size(); ++step_) {
      const Step& step = program_.steps[step_];
      look_ahead();
      if (!ids_are_in_range(step)) {
        fault("names a tensor, storage or kernel that does not exist");
        return false;
      }
      judge_step(step);
      note_labels(step);
    }
    if (prepare_) {
      note_prepared();
    } else {
      judge_outputs();
    }
    return true;
  }

 private:
  // Where a tensor is known to be.
  struct Known {
    const Located* at = nullptr;  // of the step that put it there
    StorageId storage;
    std::uint32_t version = 0;
    bool whole = false;  // packed from the start of the storage on, in the tensor's own shape
  };

  // Steps jump about in the graph: asks the processor for what one to come looks at, if it exists.
  void look_ahead() const {
    constexpr std::size_t kAhead = 12;
    if (step_ + kAhead >= program_.steps.size()) return;
    const Step& step = program_.steps[step_ + kAhead];
    if (step.kernel.index() < fused_.kernels.size()) {
      prefetch(&fused_.kernels[step.kernel]);
      prefetch(&fused_.kernels[step.kernel].workspace);
      prefetch(&ran_[step.kernel]);
    }
    for (const Located& write : step.writes) {
      if (write.tensor.index() >= fused_.tensors.size()) continue;
      prefetch(&fused_.tensors[write.tensor].dtype);
      prefetch(&fused_.tensors[write.tensor].cached);
      prefetch(&classes_[write.tensor]);
      prefetch(&known_[write.tensor]);
    }
  }

  void fault(const std::string& what) {
    faults_.add(std::string(prepare_ ? "prepare" : "run") + " step " + std::to_string(step_) +
                ": " + what);
  }
  const std::string& name(TensorId tensor) const { return fused_.tensors[tensor].name; }

  // Ids that everything else takes for granted.
  bool ids_are_in_range(const Step& step) const {
    const auto is_storage = [&](StorageId id) { return id.index() < plan_.storages.size(); };
    const auto is_located = [&](const Located& located) {
      return located.tensor.index() < fused_.tensors.size() && is_storage(located.storage);
    };
    return step.writes.size() == step.placements.size() &&
           (!step.kernel.valid() || step.kernel.index() < fused_.kernels.size()) &&
           (!step.workspace.valid() || is_storage(step.workspace)) &&
           (!step.reused.valid() || is_storage(step.reused)) &&
           std::ranges::all_of(step.reads, is_located) &&
           std::ranges::all_of(step.writes, is_located) &&
           std::ranges::all_of(step.frees, is_storage);
  }

  void note_labels(const Step& step) {
    const bool reuses =
        std::ranges::find(step.placements, Placement::kReuse) != step.placements.end();
    if (reuses != step.reused.valid()) fault("does not say which slot it reuses");
    if (!reuses || !step.reused.valid()) return;
    for (const Located& write : step.writes) labels_.push_back({step_, write.storage, step.reused});
  }

  void locate(const Located& to) {
    const bool whole = is_whole(to.layout) && to.layout.shape() == fused_.tensors[to.tensor].shape;
    known_[to.tensor] = {&to, to.storage, version_[to.storage], whole};
    note_kept(to);
  }

  // What is in the memory of an output or a cached value is looked at once more at the end.
  void note_kept(const Located& to) {
    const StorageKind kind = plan_.storages[to.storage].kind;
    const bool kept = kind == StorageKind::kOutput || kind == StorageKind::kState;
    if (kept && is_whole(to.layout)) kept_.push_back({&to, version_[to.storage]});
  }

  // ---- Steps ------------------------------------------------------------------------------------

  void judge_step(const Step& step) {
    for (const Located& read : step.reads) judge_read(read);
    judge_panels(step);
    switch (step.kind) {
      case StepKind::kKernel:
        judge_kernel(step);
        break;
      case StepKind::kReference:
        judge_reference(step);
        break;
      case StepKind::kCopy:
        step.kernel.valid() ? judge_packing(step) : judge_promised_copy(step);
        break;
    }
    judge_workspace(step);
    for (const StorageId id : step.frees) free(id);
  }

  // Only the right factor of a product may lie in panels.
  void judge_panels(const Step& step) {
    for (std::size_t i = 0; i < step.reads.size(); ++i) {
      const FusedTensor& tensor = fused_.tensors[step.reads[i].tensor];
      if (!tensor.panels) continue;
      const bool product = step.kind == StepKind::kKernel && step.kernel.valid() &&
                           fused_.kernels[step.kernel].kind == KernelKind::kProduct;
      if (!product || i != 1 || tensor.kind != TensorKind::kConstant)
        fault(tensor.name + " lies in panels and is no right factor");
    }
  }

  void judge_kernel(const Step& step) {
    if (!step.kernel.valid()) return fault("a kernel step without a kernel");
    const Kernel& kernel = fused_.kernels[step.kernel];
    if (kernel.kind == KernelKind::kLayout || kernel.kind == KernelKind::kPack) {
      return fault("a view is run as a kernel");
    }
    judge_operands(step, kernel);
  }

  void judge_packing(const Step& step) {
    const Kernel& kernel = fused_.kernels[step.kernel];
    if (kernel.kind != KernelKind::kPack) return fault("a kernel is run as a copy");
    judge_operands(step, kernel);
  }

  void judge_operands(const Step& step, const Kernel& kernel) {
    run_once(step);
    if (step.reads.size() != kernel.operands.size()) return fault("wrong number of operands");
    if (step.writes.size() != kernel.results.size()) return fault("wrong number of results");
    for (std::size_t i = 0; i < step.reads.size(); ++i) {
      if (classes_[step.reads[i].tensor] != classes_[kernel.operands[i]]) {
        fault("reads " + name(step.reads[i].tensor) + " for " + name(kernel.operands[i]));
      }
    }
    for (std::size_t i = 0; i < step.writes.size(); ++i) {
      if (step.writes[i].tensor != kernel.results[i]) fault("writes another tensor's place");
      if (step.placements[i] == Placement::kInPlace) {
        judge_in_place(step, kernel);
      } else {
        judge_first_write(step, i);
      }
      write(step.writes[i], true);
    }
  }

  void judge_reference(const Step& step) {
    if (!step.kernel.valid()) return fault("a reference without a kernel");
    const Kernel& kernel = fused_.kernels[step.kernel];
    const bool view = kernel.kind == KernelKind::kLayout;
    if (!view && kernel.kind != KernelKind::kPack) return fault("a kernel is run as a reference");
    if (step.reads.size() != 1 || step.writes.size() != 1) return fault("a reference is of one");
    run_once(step);
    const Located& from = step.reads[0];
    const Located& to = step.writes[0];
    if (to.tensor != kernel.results[0]) fault("refers to another tensor");
    if (classes_[from.tensor] != classes_[kernel.operands[0]]) fault("refers to the wrong values");
    if (from.layout.shape() != fused_.tensors[kernel.operands[0]].shape) {
      return fault("refers to values of another shape");
    }
    if (from.storage != to.storage) return fault("a reference leaves its storage");
    if (view) {
      const std::optional<Layout> layout = viewed(fused_, kernel, from.layout);
      if (!layout || !same_elements(*layout, to.layout)) fault("a view in the wrong layout");
    } else if (!same_elements(from.layout, to.layout) || !is_row_major(to.layout)) {
      fault("a packing that packs nothing");
    }
    const bool slot = plan_.storages[to.storage].kind == StorageKind::kSlot;
    if (step.placements[0] != (slot ? Placement::kReferenceSlot : Placement::kReferenceEternal)) {
      fault("a reference of the wrong kind");
    }
    locate(to);
  }

  void judge_promised_copy(const Step& step) {
    if (step.reads.size() != 1 || step.writes.size() != 1) return fault("a copy is of one");
    const Located& to = step.writes[0];
    if (plan_.storages[to.storage].kind != StorageKind::kOutput) {
      return fault("a copy that is neither a packing nor an output");
    }
    if (classes_[step.reads[0].tensor] != classes_[to.tensor]) fault("copies the wrong values");
    if (fused_.tensors[step.reads[0].tensor].dtype != fused_.tensors[to.tensor].dtype) {
      fault("a copy changes the dtype");
    }
    judge_first_write(step, 0);
    write(to, false);
  }

  // A kernel runs at most once; one whose results are kept runs only where they are prepared.
  void run_once(const Step& step) {
    if (ran_[step.kernel]) fault("a kernel runs twice");
    ran_[step.kernel] = true;
    for (const TensorId result : fused_.kernels[step.kernel].results) {
      if (fused_.tensors[result].cached && !prepare_) fault("a cached value is computed again");
    }
  }

  // ---- Reads ------------------------------------------------------------------------------------

  void judge_read(const Located& read) {
    const Storage& storage = plan_.storages[read.storage];
    Use& use = uses_[read.storage];
    use.last = step_;
    const FusedTensor& tensor = fused_.tensors[read.tensor];
    if (read.layout.shape() != tensor.shape) return fault(name(read.tensor) + " has another shape");
    const auto element = static_cast<std::int64_t>(size_of(tensor.dtype));
    if (!stays_within(read.layout, storage.size.count / element)) {
      return fault(name(read.tensor) + " is read outside of its storage");
    }
    if (use.freed != Use::kNever) return fault(name(read.tensor) + " is read after it was freed");
    const Known& known = known_[read.tensor];
    if (known.at == nullptr) return judge_given(read);
    const bool both_whole = known.whole && is_whole(read.layout);
    if (known.storage != read.storage ||
        (!both_whole && !same_elements(known.at->layout, read.layout))) {
      return fault(name(read.tensor) + " is read where it is not");
    }
    if (known.version != version_[read.storage]) {
      fault(name(read.tensor) + " is read after it was overwritten");
    }
  }

  // A tensor that no step has put anywhere: an input, a constant, a cached value.
  void judge_given(const Located& read) {
    const FusedTensor& tensor = fused_.tensors[read.tensor];
    const Storage& storage = plan_.storages[read.storage];
    if (!is_whole(read.layout)) return fault(name(read.tensor) + " is read in another layout");
    if (version_[read.storage] != 0) {
      return fault(name(read.tensor) + " is read after it was overwritten");
    }
    bool there = false;
    if (tensor.kind == TensorKind::kInput) {
      there = storage.kind == StorageKind::kInput && storage.index == tensor.index;
      if (there && prepare_ && !fused_.graph->inputs[tensor.index].parameter) {
        fault("a cached value depends on the input " + name(read.tensor));
      }
    } else if (tensor.kind == TensorKind::kConstant) {
      there = storage.kind == StorageKind::kConstant && storage.index == tensor.index;
    } else if (tensor.cached && !prepare_ && storage.kind == StorageKind::kState) {
      const std::vector<TensorId>& classes = prepared_.classes[read.storage];
      there = std::ranges::find(classes, classes_[read.tensor]) != classes.end();
    }
    if (!there) fault(name(read.tensor) + " is read before it was written");
  }

  // ---- Writes -----------------------------------------------------------------------------------

  // A result in bytes that nothing has used before.
  void judge_first_write(const Step& step, std::size_t i) {
    const Located& to = step.writes[i];
    const Storage& storage = plan_.storages[to.storage];
    if (version_[to.storage] != 0 || uses_[to.storage].last != Use::kNever) {
      fault(name(to.tensor) + " is written over something that is in use");
    }
    const Placement placement = step.placements[i];
    bool fits = false;
    switch (storage.kind) {
      case StorageKind::kSlot:
        fits = placement == Placement::kFresh || placement == Placement::kReuse;
        break;
      case StorageKind::kOutput:
        fits = placement == Placement::kOutput && !prepare_;
        break;
      case StorageKind::kState:
        fits = placement == Placement::kState && prepare_;
        break;
      case StorageKind::kInput:
      case StorageKind::kConstant:
        break;
    }
    if (!fits) fault(name(to.tensor) + " is written where it may not be");
  }

  void judge_in_place(const Step& step, const Kernel& kernel) {
    const Located& to = step.writes[0];
    const Storage& storage = plan_.storages[to.storage];
    if (plan_.options.storage == StorageMode::kNone) fault("in place without reuse");
    if (step.kind != StepKind::kKernel) fault("a copy in place");
    if (step.writes.size() != 1) return fault("one of several results is in place");
    if (step.in_place_operand >= step.reads.size() ||
        step.reads[step.in_place_operand].storage != to.storage) {
      return fault("in place of an operand that is elsewhere");
    }
    for (std::size_t i = 0; i < step.reads.size(); ++i) {
      if (step.reads[i].storage == to.storage) judge_overwritten(step.reads[i], to, kernel, i);
    }
    if (storage.kind == StorageKind::kConstant) fault("a constant is overwritten");
    if (storage.kind == StorageKind::kState && !prepare_) fault("a cached value is overwritten");
    if (storage.kind == StorageKind::kInput) judge_donated(storage);
  }

  void judge_donated(const Storage& storage) {
    const std::vector<Input>& inputs = fused_.graph->inputs;
    const bool donated = storage.index < inputs.size() && inputs[storage.index].donate &&
                         !inputs[storage.index].parameter;
    if (!donated) fault("an input is overwritten");
  }

  // Each element of `read` has to be read where it is written, in whatever order a loop runs.
  void judge_overwritten(const Located& read, const Located& to, const Kernel& kernel,
                         std::size_t operand) {
    const bool elementwise =
        kernel.kind == KernelKind::kMap ||
        (kernel.kind == KernelKind::kReduce && operand >= kernel.terms) ||
        (kernel.kind == KernelKind::kProduct && kernel.order.empty() && operand >= 2) ||
        (kernel.kind == KernelKind::kRows && writes_rows_last(kernel));
    if (!elementwise) fault(name(read.tensor) + " is overwritten while it is read all over");
    const FusedTensor& from = fused_.tensors[read.tensor];
    const FusedTensor& result = fused_.tensors[to.tensor];
    if (size_of(from.dtype) != size_of(result.dtype) || !is_whole(read.layout) ||
        from.shape.element_count() != result.shape.element_count()) {
      fault(name(read.tensor) + " is overwritten at other indices than it is read");
    }
  }

  // Whether a row program reads all rows to their ends before it writes them, whole: what comes
  // after the only write is nothing, and no operand has another row than the result.
  bool writes_rows_last(const Kernel& kernel) const {
    const auto is_write = [](const RowPass& pass) { return pass.kind == RowPass::Kind::kWrite; };
    return std::ranges::count_if(kernel.passes, is_write) == 1 && is_write(kernel.passes.back()) &&
           std::ranges::all_of(kernel.operands, [&](TensorId operand) {
             return broadcasts_to(fused_.tensors[operand].shape,
                                  fused_.tensors[kernel.results[0]].shape);
           });
  }

  // From here on the storage holds `to`, and nothing that it held before.
  void write(const Located& to, bool locates) {
    const Storage& storage = plan_.storages[to.storage];
    const FusedTensor& tensor = fused_.tensors[to.tensor];
    const auto element = static_cast<std::int64_t>(size_of(tensor.dtype));
    if (to.layout.shape() != tensor.shape || !is_whole(to.layout) ||
        tensor.shape.element_count() * element != storage.size.count) {
      fault(name(to.tensor) + " does not fill its storage");
    }
    Use& use = uses_[to.storage];
    if (use.freed != Use::kNever) fault(name(to.tensor) + " is written to freed memory");
    if (use.first == Use::kNever) use.first = step_;
    use.last = step_;
    ++version_[to.storage];
    locates ? locate(to) : note_kept(to);
  }

  void judge_workspace(const Step& step) {
    const bool wanted = step.kind == StepKind::kKernel && step.kernel.valid() &&
                        fused_.kernels[step.kernel].workspace.count > 0;
    if (wanted != step.workspace.valid()) return fault("workspace where there should be none");
    if (!wanted) return;
    const Storage& storage = plan_.storages[step.workspace];
    Use& use = uses_[step.workspace];
    if (!storage.workspace || storage.kind != StorageKind::kSlot) fault("workspace is no slot");
    if (storage.size < fused_.kernels[step.kernel].workspace) fault("too little workspace");
    if (use.first != Use::kNever) fault("workspace is used twice");
    use = {step_, step_, step_};
  }

  void free(StorageId id) {
    const Storage& storage = plan_.storages[id];
    if (storage.kind != StorageKind::kSlot || storage.workspace) return fault("frees no slot");
    Use& use = uses_[id];
    if (use.freed != Use::kNever) fault("frees a slot twice");
    if (use.first == Use::kNever) fault("frees a slot that was never written");
    use.freed = step_;
  }

  // ---- At the end -------------------------------------------------------------------------------

  // Tells `visit` of each tensor that can be read whole in the memory of an output or a cached
  // value.
  template <class Visit>
  void for_each_kept(Visit&& visit) {
    for (const Kept& kept : kept_) {
      if (kept.version == version_[kept.at->storage]) visit(*kept.at);
    }
  }

  void note_prepared() {
    for_each_kept([&](const Located& at) {
      if (plan_.storages[at.storage].kind != StorageKind::kState) return;
      prepared_.classes[at.storage].push_back(classes_[at.tensor]);
    });
  }

  void judge_outputs() {
    std::vector<char> complete(fused_.outputs.size());
    for_each_kept([&](const Located& at) {
      const Storage& storage = plan_.storages[at.storage];
      if (storage.kind != StorageKind::kOutput || storage.index >= complete.size()) return;
      const TensorId output = fused_.outputs[storage.index];
      complete[storage.index] |= static_cast<char>(classes_[at.tensor] == classes_[output]);
    });
    for (std::size_t i = 0; i < complete.size(); ++i) {
      if (!complete[i]) fault("output " + name(fused_.outputs[i]) + " is not complete");
    }
  }

  const FusedGraph& fused_;
  const IdVector<TensorId, TensorId>& classes_;
  const Plan& plan_;
  bool prepare_;
  const Program& program_;
  Prepared& prepared_;
  IdVector<StorageId, Use>& uses_;
  std::vector<Label>& labels_;
  Faults& faults_;
  IdVector<TensorId, Known> known_;
  IdVector<StorageId, std::uint32_t> version_;
  IdVector<KernelId, char> ran_;
  struct Kept {
    const Located* at = nullptr;
    std::uint32_t version = 0;
  };
  std::vector<Kept> kept_;
  StepIndex step_ = 0;
};

}  // namespace

IdVector<TensorId, TensorId> value_classes(const FusedGraph& fused) {
  IdVector<TensorId, TensorId> classes(fused.tensors.size());
  for (const TensorId tensor : ids(fused.tensors)) classes[tensor] = tensor;
  for (const Kernel& kernel : fused.kernels) {
    if (keeps_values(fused, kernel)) classes[kernel.results[0]] = classes[kernel.operands[0]];
  }
  return classes;
}

bool judge_values(const FusedGraph& fused, const IdVector<TensorId, TensorId>& classes,
                  const Plan& plan, bool prepare, Prepared& prepared, Account& account,
                  Faults& faults) {
  return ValueJudge(fused, classes, plan, prepare, prepared, account, faults).judge();
}

}  // namespace wick::compiler::judge

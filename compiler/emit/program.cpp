#include "compiler/emit/program.h"

#include <algorithm>

#include "compiler/emit/calls.h"
#include "compiler/support/check.h"
#include "compiler/support/text.h"

namespace wick::compiler::cpp {
namespace {

class Statements {
 public:
  // The steps [begin, end) of a program.
  Statements(const Plan& plan, const Program& program, StepIndex begin, StepIndex end,
             const Symbols& symbols, TypeTable& types)
      : plan_(plan),
        fused_(*plan.fused),
        program_(program),
        begin_(begin),
        end_(end),
        symbols_(symbols),
        types_(types) {
    used_.inputs.resize(symbols.inputs.size());
    used_.outputs.resize(symbols.outputs.size());
    layouts_.resize(fused_.tensors.size());
    input_tensors_.resize(fused_.graph->inputs.size());
    constant_tensors_.resize(fused_.constants.size());
    for (const TensorId id : ids(fused_.tensors)) {
      const FusedTensor& tensor = fused_.tensors[id];
      if (tensor.kind == TensorKind::kResult) continue;
      layouts_[id] = Layout(tensor.shape);
      (tensor.kind == TensorKind::kInput ? input_tensors_ : constant_tensors_)[tensor.index] = id;
    }
    declared_ = IdVector<TensorId, char>(fused_.tensors.size(), 0);
    is_view_ = declared_;
    is_output_ = declared_;
    link_allocations();
    find_read();
  }

  std::vector<Line> run() {
    for (StepIndex index = begin_; index < end_; ++index) write_step(index);
    return std::move(lines_);
  }

  const Usage& used() const { return used_; }

 private:
  // A name for a layout is only written down if something reads it in the end.
  void find_read() {
    read_ = IdVector<TensorId, char>(fused_.tensors.size(), 0);
    for (StepIndex i = end_; i-- > begin_;) {
      const Step& step = program_.steps[i];
      if (step.kind == StepKind::kReference && !names_memory(step)) continue;
      for (const Located& read : step.reads) read_[read.tensor] = 1;
    }
  }

  // Which slot had an allocation before, and whether another has it afterwards.
  void link_allocations() {
    std::vector<StorageId> slots;
    for (const StorageId id : ids(plan_.storages)) {
      if (plan_.storages[id].allocation.valid()) slots.push_back(id);
    }
    std::ranges::stable_sort(slots, {}, [&](StorageId id) { return plan_.storages[id].birth; });
    IdVector<StorageId, StorageId> last(plan_.storages.size());
    previous_ = IdVector<StorageId, StorageId>(plan_.storages.size());
    reused_later_ = IdVector<StorageId, char>(plan_.storages.size(), 0);
    for (const StorageId id : slots) {
      StorageId& before = last[plan_.storages[id].allocation];
      if (before.valid()) {
        previous_[id] = before;
        reused_later_[before] = 1;
      }
      before = id;
    }
  }

  // ---- Steps ----

  void write_step(StepIndex index) {
    const Step& step = program_.steps[index];
    if (step.kind != StepKind::kReference || names_memory(step)) {
      for (const Located& read : step.reads) declare_missing(read);
    }
    const std::size_t before = lines_.size();
    if (step.kind == StepKind::kReference) {
      write_reference(step);
    } else {
      std::vector<std::string> results;
      for (std::size_t i = 0; i < step.writes.size(); ++i) results.push_back(declare(step, i));
      Line line = statement("", call_of(step, results), step_comment(step, index));
      line.node = node_of(step);
      lines_.push_back(std::move(line));
    }
    const bool heap = plan_.options.storage == StorageMode::kHeap;
    if (heap && step.workspace.valid())
      lines_.push_back(statement("", {"wick::free", {workspace_name(step)}}));
    for (const StorageId storage : step.frees) write_free(storage, index);
    for (std::size_t i = before; i < lines_.size(); ++i) {
      if (!lines_[i].node.valid()) lines_[i].node = node_of(step);
    }
  }

  NodeId node_of(const Step& step) const {
    if (!step.kernel.valid() || fused_.kernels[step.kernel].nodes.empty()) return NodeId();
    return fused_.kernels[step.kernel].nodes.back();
  }

  // What an operand is called where nothing before it in this function gave it a name: a cached
  // value, or what an earlier part of the program computed. It is found again by its place in
  // memory.
  void declare_missing(const Located& read) {
    if (declared_[read.tensor] != 0 || fused_.tensors[read.tensor].kind != TensorKind::kResult)
      return;
    declared_[read.tensor] = 1;
    layouts_[read.tensor] = read.layout;
    const Storage& storage = plan_.storages[read.storage];
    if (is_parameter(read)) {
      is_output_[read.tensor] = 1;
      return;
    }
    const bool whole = read.layout.is_packed() &&
                       read.layout.shape() == fused_.tensors[read.tensor].shape &&
                       byte_count(read.layout.shape(), dtype(read.tensor)) == storage.size;
    Call call = memory_call(read.storage, read.tensor,
                            whole ? type(read.tensor) : flat_type(read.tensor, storage.size));
    if (!whole) {
      const std::string offset =
          read.layout.offset() != 0 ? ", " + std::to_string(read.layout.offset()) : "";
      call = {"wick::view<" + types_.of(dtype(read.tensor), read.layout) + offset + ">",
              {call.on_one_line()}};
    }
    const bool owned =
        storage.kind != StorageKind::kInput && storage.kind != StorageKind::kConstant;
    is_view_[read.tensor] = whole && owned ? 0 : 1;
    const std::string note = storage.kind == StorageKind::kState ? "cached" : "";
    lines_.push_back(statement("const auto " + name(read.tensor) + " = ", std::move(call), note));
  }

  // The bytes of a storage as a tensor of the type, which has elements like those of `tensor`.
  Call memory_call(StorageId id, TensorId tensor, const std::string& type) {
    const Storage& storage = plan_.storages[id];
    if (storage.kind == StorageKind::kInput || storage.kind == StorageKind::kConstant) {
      const bool input = storage.kind == StorageKind::kInput;
      const TensorId source = (input ? input_tensors_ : constant_tensors_)[storage.index];
      const bool same = dtype(source) == dtype(tensor);
      return {(same ? "wick::view<" : "wick::in_place<") + type + ">", {handle(source)}};
    }
    if (storage.kind == StorageKind::kOutput) {
      used_.outputs[storage.index] = 1;
      return {"wick::in_place<" + type + ">", {symbols_.outputs[storage.index]}};
    }
    return {"wick::slot<" + type + ">", {memory_of(storage), offset_of(id)}};
  }

  std::string memory_of(const Storage& storage) {
    if (storage.size.count == 0) return "nullptr";
    const bool state = storage.kind == StorageKind::kState;
    (state ? used_.state : used_.arena) = true;
    return state ? "state.bytes" : "arena";
  }

  std::string flat_type(TensorId id, Bytes size) {
    const auto count = size.count / static_cast<std::int64_t>(size_of(dtype(id)));
    return types_.packed(dtype(id), Shape::of({count}), "");
  }

  bool is_parameter(const Located& tensor) const {
    const Storage& storage = plan_.storages[tensor.storage];
    return storage.kind == StorageKind::kOutput &&
           name(tensor.tensor) == symbols_.outputs[storage.index];
  }

  // A reference is a statement if something reads it by a name that it has not got yet.
  bool names_memory(const Step& step) const {
    return read_[step.writes[0].tensor] != 0 && !is_parameter(step.writes[0]);
  }

  void write_reference(const Step& step) {
    const Located& to = step.writes[0];
    const Located& from = step.reads[0];
    layouts_[to.tensor] = to.layout;
    declared_[to.tensor] = 1;
    const bool eternal = step.placements[0] == Placement::kReferenceEternal;
    const Kernel& kernel = fused_.kernels[step.kernel];
    const auto& computed = kernel.views.empty() ? kernel.nodes : kernel.views;
    const std::string what = computed.empty()
                                 ? "packed already"
                                 : std::string(fused_.graph->nodes[computed.back()].op->name);
    if (is_parameter(to)) {
      is_output_[to.tensor] = 1;
      lines_.push_back(comment(name(to.tensor) + " is " + name(from.tensor) +
                               " in another shape (" + what + ": reference)"));
      return;
    }
    if (!names_memory(step)) return;
    is_view_[to.tensor] = 1;
    const std::string note = what + (eternal ? ": reference (eternal)" : ": reference (slot)");
    lines_.push_back(
        statement("const auto " + name(to.tensor) + " = ", view_call(from.tensor, to), note));
  }

  Call view_call(TensorId from, const Located& to) {
    const std::int64_t offset = to.layout.offset() - layouts_[from].offset();
    std::string callee = "wick::view<" + types_.of(dtype(to.tensor), to.layout);
    if (offset != 0) callee += ", " + std::to_string(offset);
    return {callee + ">", {handle(from)}};
  }

  // Gives the result its bytes and a name, and returns how the statement refers to it.
  std::string declare(const Step& step, std::size_t i) {
    const Located& write = step.writes[i];
    const Storage& storage = plan_.storages[write.storage];
    // A copy to an output has the tensor's number, but is not what its name stands for.
    const bool copies_out = step.kind == StepKind::kCopy && !step.kernel.valid();
    if (!copies_out) layouts_[write.tensor] = write.layout;
    if (storage.kind == StorageKind::kOutput) return declare_in_output(step, i, storage);
    if (step.placements[i] == Placement::kInPlace) {
      return declare_in_place(write, overwritten(step.reads[step.in_place_operand]));
    }
    return declare_slot(write.tensor, write.storage);
  }

  std::string declare_in_output(const Step& step, std::size_t i, const Storage& storage) {
    const Located& write = step.writes[i];
    const std::string& parameter = symbols_.outputs[storage.index];
    used_.outputs[storage.index] = 1;
    const bool copies_out = step.kind == StepKind::kCopy && !step.kernel.valid();
    const bool is_output = copies_out || name(write.tensor) == parameter;
    const bool in_place = step.placements[i] == Placement::kInPlace;
    if (!is_output)
      return declare_in_place(
          write, in_place ? overwritten(step.reads[step.in_place_operand]) : parameter);
    if (!copies_out) {
      declared_[write.tensor] = 1;
      is_output_[write.tensor] = 1;
    }
    if (in_place) return "wick::in_place<" + type(write.tensor) + ">(" + parameter + ")";
    return parameter;
  }

  // The operand that a result is written over, by a name that may be written to: a view is only
  // read, so it is its storage that stands there.
  std::string overwritten(const Located& operand) {
    if (is_view_[operand.tensor] == 0) return handle(operand.tensor);
    const Storage& storage = plan_.storages[operand.storage];
    if (storage.kind == StorageKind::kOutput) return symbols_.outputs[storage.index];
    if (storage.kind == StorageKind::kInput) return handle(input_tensors_[storage.index]);
    if (declared_[storage.first] == 0) declare_slot(storage.first, operand.storage);
    return name(storage.first);
  }

  std::string declare_in_place(const Located& write, const std::string& over) {
    declared_[write.tensor] = 1;
    const std::string& result = name(write.tensor);
    lines_.push_back(statement("const auto " + result + " = ",
                               {"wick::in_place<" + type(write.tensor) + ">", {over}}));
    return result;
  }

  std::string declare_slot(TensorId tensor, StorageId id) {
    declared_[tensor] = 1;
    const std::string& result = name(tensor);
    const Storage& storage = plan_.storages[id];
    const bool heap =
        plan_.options.storage == StorageMode::kHeap && storage.kind == StorageKind::kSlot;
    Call call;
    if (!heap) {
      call = {"wick::slot<" + type(tensor) + ">", {memory_of(storage), offset_of(id)}};
    } else if (previous_[id].valid()) {
      call = {"wick::reuse<" + type(tensor) + ">", {name(plan_.storages[previous_[id]].first)}};
    } else {
      call = {"wick::heap_slot<" + type(tensor) + ">", {}};
    }
    lines_.push_back(statement("const auto " + result + " = ", std::move(call)));
    return result;
  }

  std::string offset_of(StorageId id) const {
    const std::string& constant = symbols_.offsets[id];
    return constant.empty() ? std::to_string(plan_.storages[id].offset.count) : constant;
  }

  // ---- Frees ----

  void write_free(StorageId id, StepIndex index) {
    const Storage& storage = plan_.storages[id];
    if (storage.workspace || !storage.first.valid()) return;
    if (declared_[storage.first] == 0) declare_slot(storage.first, id);
    const bool heap = plan_.options.storage == StorageMode::kHeap;
    const bool last = !heap || reused_later_[id] == 0;
    lines_.push_back(statement("", {last ? "wick::free" : "wick::retire", {name(storage.first)}},
                               free_comment(id, index)));
  }

  // What a reader might miss: that nobody reads the slot, or that its last reader knows it by
  // another name.
  std::string free_comment(StorageId id, StepIndex index) const {
    const Storage& storage = plan_.storages[id];
    if (storage.death == storage.birth + 1 && index == storage.birth) return "never read";
    for (const Located& read : program_.steps[index].reads) {
      if (read.storage == id && read.tensor == storage.first) return "";
    }
    for (const Located& read : program_.steps[index].reads) {
      if (read.storage == id) return "last read as " + name(read.tensor);
    }
    return "";
  }

  // ---- Calls ----

  const std::string& name(TensorId id) const { return symbols_.tensors[id]; }
  DType dtype(TensorId id) const { return fused_.tensors[id].dtype; }
  std::string type(TensorId id) {
    return types_.packed(dtype(id), fused_.tensors[id].shape, name(id));
  }

  // An operand as the statement reads it: by its name, or through another layout than it was
  // declared with.
  std::string operand(const Located& read) {
    if (read.layout == layouts_[read.tensor] || same_view(read.layout, layouts_[read.tensor]))
      return handle(read.tensor);
    return view_call(read.tensor, read).on_one_line();
  }

  // Constants and bound parameters are members of what holds them.
  std::string handle(TensorId id) {
    const FusedTensor& tensor = fused_.tensors[id];
    if (tensor.kind == TensorKind::kConstant) {
      used_.weights = true;
      return "weights." + name(id);
    }
    if (tensor.kind == TensorKind::kInput) used_.inputs[tensor.index] = 1;
    if (!is_bound(id)) {
      if (is_output_[id] != 0) mark_output(id);
      return name(id);
    }
    used_.state = true;
    return "state." + name(id);
  }

  void mark_output(TensorId id) {
    const auto at = std::ranges::find(symbols_.outputs, name(id));
    used_.outputs[static_cast<std::size_t>(at - symbols_.outputs.begin())] = 1;
  }

  bool is_bound(TensorId id) const {
    const FusedTensor& tensor = fused_.tensors[id];
    return tensor.kind == TensorKind::kInput && fused_.graph->inputs[tensor.index].parameter;
  }

  static bool same_view(const Layout& a, const Layout& b) {
    return a.shape() == b.shape() && a.offset() == b.offset() && a.is_contiguous() &&
           b.is_contiguous();
  }

  Call call_of(const Step& step, const std::vector<std::string>& results) {
    std::vector<std::string> reads;
    for (const Located& read : step.reads) reads.push_back(operand(read));
    if (step.kind == StepKind::kCopy) return {"wick::copy", {results[0], reads[0]}};
    const std::string workspace = declare_workspace(step, fused_.kernels[step.kernel].workspace);
    return kernel_call(fused_, symbols_, step.kernel, results, reads, workspace,
                       step.placements[0] == Placement::kInPlace);
  }

  // Names the scratch memory of a step in front of its statement.
  std::string declare_workspace(const Step& step, Bytes size) {
    if (!step.workspace.valid() || size.count == 0) return "wick::kNoWorkspace";
    const std::string scratch = workspace_name(step);
    const std::string bytes = "<" + std::to_string(size.count) + ">";
    Call call{"wick::heap_workspace" + bytes, {}};
    if (plan_.options.storage != StorageMode::kHeap) {
      used_.arena = true;
      call = {"wick::workspace" + bytes,
              {"arena", std::to_string(plan_.storages[step.workspace].offset.count)}};
    }
    lines_.push_back(statement("const auto " + scratch + " = ", std::move(call)));
    return scratch;
  }

  const std::string& workspace_name(const Step& step) const {
    return symbols_.offsets[step.workspace];
  }

  // ---- Comments ----

  std::string step_comment(const Step& step, StepIndex index) const {
    const std::string head = "step " + std::to_string(index) + ": ";
    if (!step.kernel.valid()) return head + copy_reason(step);
    switch (step.placements[0]) {
      case Placement::kInPlace:
        return head + "in place of " + name(step.reads[step.in_place_operand].tensor);
      case Placement::kReuse:
        return head + "reuses " + reused_name(step);
      case Placement::kFresh:
        return head + "fresh";
      case Placement::kState:
        return head + "cached";
      default:
        return head + "output";
    }
  }

  // Why an output is not written where it was computed.
  std::string copy_reason(const Step& step) const {
    switch (fused_.tensors[step.reads[0].tensor].kind) {
      case TensorKind::kInput:
        return "an input as output";
      case TensorKind::kConstant:
        return "a constant as output";
      case TensorKind::kResult:
        break;
    }
    const StorageKind from = plan_.storages[step.reads[0].storage].kind;
    return from == StorageKind::kOutput ? "another name of an output" : "packed as output";
  }

  std::string reused_name(const Step& step) const {
    const bool named = step.reused.valid() && plan_.storages[step.reused].first.valid();
    return named ? name(plan_.storages[step.reused].first) : "scratch";
  }

  const Plan& plan_;
  const FusedGraph& fused_;
  const Program& program_;
  StepIndex begin_;
  StepIndex end_;
  const Symbols& symbols_;
  TypeTable& types_;
  std::vector<Line> lines_;
  Usage used_;
  std::vector<TensorId> input_tensors_, constant_tensors_;  // by index
  IdVector<TensorId, Layout> layouts_;                      // with which a tensor was declared
  IdVector<TensorId, char> declared_;
  IdVector<TensorId, char> is_view_;         // it was declared as one: its name is only read
  IdVector<TensorId, char> is_output_;       // its name is that of a parameter
  IdVector<TensorId, char> read_;            // by one of the steps
  IdVector<StorageId, StorageId> previous_;  // heap: the slot that had the same allocation before
  IdVector<StorageId, char> reused_later_;  // heap: another slot has the same allocation afterwards
};

}  // namespace

ProgramText program_text(const Plan& plan, const Program& program, StepIndex begin, StepIndex end,
                         const Symbols& symbols, TypeTable& types) {
  Statements statements(plan, program, begin, end, symbols, types);
  std::vector<Line> lines = statements.run();
  return {std::move(lines), statements.used()};
}

std::string bytes_text(Bytes bytes) {
  return grouped(bytes.count) + (bytes.count == 1 ? " byte" : " bytes");
}

std::vector<Line> offset_lines(const Plan& plan, const Symbols& symbols) {
  std::vector<Line> lines;
  const bool heap = plan.options.storage == StorageMode::kHeap;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    if (symbols.offsets[id].empty() || storage.workspace) continue;
    if (heap && storage.kind == StorageKind::kSlot) continue;
    std::string note = bytes_text(storage.size);
    if (storage.kind == StorageKind::kState) {
      note += " of the state";
    } else {
      note += std::string(storage.in_prepare ? ", prepare" : ", live") + " [" +
              std::to_string(storage.birth) + ", " + std::to_string(storage.death) + ")";
    }
    lines.push_back(raw("constexpr std::size_t " + symbols.offsets[id] + " = " +
                            std::to_string(storage.offset.count) + ";",
                        note));
  }
  return lines;
}

}  // namespace wick::compiler::cpp

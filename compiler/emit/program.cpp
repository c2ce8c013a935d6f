#include "compiler/emit/program.h"

#include <algorithm>

#include "compiler/emit/kernels.h"
#include "compiler/emit/literals.h"
#include "compiler/support/check.h"
#include "compiler/support/text.h"

namespace wick::compiler::cpp {
namespace {

class Statements {
 public:
  Statements(const Plan& plan, const Program& program, const Symbols& symbols, TypeTable& types)
      : plan_(plan), fused_(*plan.fused), program_(program), symbols_(symbols), types_(types) {
    layouts_.resize(fused_.tensors.size());
    for (const TensorId id : ids(fused_.tensors)) {
      if (fused_.tensors[id].kind != TensorKind::kResult)
        layouts_[id] = Layout(fused_.tensors[id].shape);
    }
    declared_ = IdVector<TensorId, char>(fused_.tensors.size(), 0);
    link_allocations();
    find_read();
  }

  std::vector<Line> run() {
    for (StepIndex index = 0; index < program_.steps.size(); ++index) write_step(index);
    return std::move(lines_);
  }

  // The tensors that a statement of the program reads.
  const IdVector<TensorId, char>& read() const { return read_; }

 private:
  // A name for a layout is only written down if something reads it in the end.
  void find_read() {
    read_ = IdVector<TensorId, char>(fused_.tensors.size(), 0);
    for (std::size_t i = program_.steps.size(); i-- > 0;) {
      const Step& step = program_.steps[i];
      if (step.kind == StepKind::kReference && read_[step.writes[0].tensor] == 0) continue;
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
    declare_cached_reads(step);
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

  // A cached value, or what shares its bytes in another layout, has a name in a program once it is
  // read there. (The tensor that the bytes are called after may live in the arena here: it is
  // computed anew where something else needs it.)
  void declare_cached_reads(const Step& step) {
    for (const Located& read : step.reads) {
      const Storage& storage = plan_.storages[read.storage];
      if (storage.kind != StorageKind::kState || declared_[read.tensor] != 0) continue;
      if (read.layout.is_packed()) {
        layouts_[read.tensor] = read.layout;
        declare_slot(read.tensor, read.storage, "state.bytes", "cached");
        continue;
      }
      const Call whole{
          "wick::slot<" +
              types_.packed(dtype(storage.first), fused_.tensors[storage.first].shape, "") + ">",
          {"state.bytes", offset_of(read.storage)}};
      Call view{"wick::view<" + types_.of(dtype(read.tensor), read.layout), {whole.on_one_line()}};
      if (read.layout.offset() != 0) view.callee += ", " + std::to_string(read.layout.offset());
      view.callee += ">";
      layouts_[read.tensor] = read.layout;
      declared_[read.tensor] = 1;
      lines_.push_back(
          statement("const auto " + name(read.tensor) + " = ", std::move(view), "cached"));
    }
  }

  void write_reference(const Step& step) {
    const Located& to = step.writes[0];
    const Located& from = step.reads[0];
    layouts_[to.tensor] = to.layout;
    declared_[to.tensor] = 1;
    const bool eternal = step.placements[0] == Placement::kReferenceEternal;
    const Kernel& kernel = fused_.kernels[step.kernel];
    const std::vector<NodeId>& computed = kernel.views.empty() ? kernel.nodes : kernel.views;
    const std::string what = computed.empty()
                                 ? "packed already"
                                 : std::string(fused_.graph->nodes[computed.back()].op->name);
    if (plan_.storages[to.storage].kind == StorageKind::kOutput &&
        name(to.tensor) == symbols_.outputs[plan_.storages[to.storage].index]) {
      lines_.push_back(comment(name(to.tensor) + " is " + name(from.tensor) +
                               " in another shape (" + what + ": reference)"));
      return;
    }
    if (read_[to.tensor] == 0) return;
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
    if (step.placements[i] == Placement::kInPlace)
      return declare_in_place(write, name(step.reads[step.in_place_operand].tensor));
    if (storage.kind == StorageKind::kState)
      return declare_slot(write.tensor, write.storage, "state.bytes", "");
    return declare_slot(write.tensor, write.storage, "arena", "");
  }

  std::string declare_in_output(const Step& step, std::size_t i, const Storage& storage) {
    const Located& write = step.writes[i];
    const std::string& parameter = symbols_.outputs[storage.index];
    const bool copies_out = step.kind == StepKind::kCopy && !step.kernel.valid();
    const bool is_output = copies_out || name(write.tensor) == parameter;
    const bool in_place = step.placements[i] == Placement::kInPlace;
    if (!is_output)
      return declare_in_place(
          write, in_place ? name(step.reads[step.in_place_operand].tensor) : parameter);
    if (!copies_out) declared_[write.tensor] = 1;
    if (in_place) return "wick::in_place<" + type(write.tensor) + ">(" + parameter + ")";
    return parameter;
  }

  std::string declare_in_place(const Located& write, const std::string& over) {
    declared_[write.tensor] = 1;
    const std::string& result = name(write.tensor);
    lines_.push_back(statement("const auto " + result + " = ",
                               {"wick::in_place<" + type(write.tensor) + ">", {over}}));
    return result;
  }

  std::string declare_slot(TensorId tensor, StorageId id, const std::string& memory,
                           const std::string& note) {
    declared_[tensor] = 1;
    const std::string& result = name(tensor);
    const Storage& storage = plan_.storages[id];
    const bool heap =
        plan_.options.storage == StorageMode::kHeap && storage.kind == StorageKind::kSlot;
    Call call;
    if (!heap) {
      call = {"wick::slot<" + type(tensor) + ">",
              {storage.size.count > 0 ? memory : "nullptr", offset_of(id)}};
    } else if (previous_[id].valid()) {
      call = {"wick::reuse<" + type(tensor) + ">", {name(plan_.storages[previous_[id]].first)}};
    } else {
      call = {"wick::heap_slot<" + type(tensor) + ">", {}};
    }
    lines_.push_back(statement("const auto " + result + " = ", std::move(call), note));
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
    const bool heap = plan_.options.storage == StorageMode::kHeap;
    const bool last = !heap || reused_later_[id] == 0;
    const bool unread = storage.death == storage.birth + 1 && index == storage.birth;
    lines_.push_back(statement("", {last ? "wick::free" : "wick::retire", {name(storage.first)}},
                               unread ? "never read" : ""));
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
  std::string handle(TensorId id) const {
    const bool constant = fused_.tensors[id].kind == TensorKind::kConstant;
    return (constant ? "weights." : is_bound(id) ? "state." : "") + name(id);
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
    const Kernel& kernel = fused_.kernels[step.kernel];
    const bool in_place = step.placements[0] == Placement::kInPlace;
    switch (kernel.kind) {
      case KernelKind::kMap:
        return map_call(kernel, results[0], reads, in_place);
      case KernelKind::kReduce:
        return reduce_call(kernel, results[0], reads, in_place);
      case KernelKind::kProduct:
        return product_call(kernel, results[0], reads, in_place);
      case KernelKind::kRows:
        return rows_call(step, kernel, results, reads);
      case KernelKind::kCall:
        return runtime_call(step, kernel, results, reads);
      default:
        throw InternalError("emit: a view is computed");
    }
  }

  Call map_call(const Kernel& kernel, const std::string& result, std::vector<std::string> reads,
                bool in_place) const {
    Call call{in_place ? "wick::map_in_place" : "wick::map",
              {result, symbols_.bodies[kernel.body]}};
    call.arguments.insert(call.arguments.end(), reads.begin(), reads.end());
    return call;
  }

  static std::string axes_text(const std::vector<std::int64_t>& axes) {
    std::string text = "wick::Axes<";
    for (std::size_t i = 0; i < axes.size(); ++i)
      text += (i > 0 ? ", " : "") + std::to_string(axes[i]);
    return text + ">";
  }

  Call reduce_call(const Kernel& kernel, const std::string& result,
                   const std::vector<std::string>& reads, bool in_place) const {
    const auto middle = reads.begin() + kernel.terms;
    Call terms{"wick::terms", {reads.begin(), middle}};
    if (kernel.body.valid())
      terms.arguments.insert(terms.arguments.begin(), symbols_.bodies[kernel.body]);
    Call call{
        (in_place ? "wick::reduce_in_place<" : "wick::reduce<") + axes_text(kernel.axes) + ">",
        {result, "wick::" + std::string(kernel.op->call.reducer) + "{}", terms.on_one_line()}};
    if (kernel.results_body.valid()) {
      Call finish{"wick::results", {middle, reads.end()}};
      finish.arguments.insert(finish.arguments.begin(), symbols_.bodies[kernel.results_body]);
      call.arguments.push_back(finish.on_one_line());
    }
    return call;
  }

  Call product_call(const Kernel& kernel, const std::string& result,
                    const std::vector<std::string>& reads, bool in_place) const {
    Call call{"wick::" + std::string(kernel.op->call.function) + (in_place ? "_in_place" : ""),
              {result, reads[0], reads[1]}};
    if (kernel.results_body.valid()) {
      call.arguments.push_back(symbols_.bodies[kernel.results_body]);
      call.arguments.insert(call.arguments.end(), reads.begin() + 2, reads.end());
    }
    return call;
  }

  // Names the scratch memory of a step in front of its statement.
  std::string declare_workspace(const Step& step, Bytes size) {
    if (!step.workspace.valid() || size.count == 0) return "wick::kNoWorkspace";
    const std::string scratch = workspace_name(step);
    const std::string bytes = "<" + std::to_string(size.count) + ">";
    Call call{"wick::heap_workspace" + bytes, {}};
    if (plan_.options.storage != StorageMode::kHeap) {
      call = {"wick::workspace" + bytes,
              {"arena", std::to_string(plan_.storages[step.workspace].offset.count)}};
    }
    lines_.push_back(statement("const auto " + scratch + " = ", std::move(call)));
    return scratch;
  }

  const std::string& workspace_name(const Step& step) const {
    return symbols_.offsets[step.workspace];
  }

  Call rows_call(const Step& step, const Kernel& kernel, const std::vector<std::string>& results,
                 const std::vector<std::string>& reads) {
    Call call{"wick::rows<" + axes_text(kernel.axes) + ">",
              {rows_name(symbols_, step.kernel), declare_workspace(step, kernel.workspace),
               Call{"wick::outs", results}.on_one_line()}};
    call.arguments.insert(call.arguments.end(), reads.begin(), reads.end());
    return call;
  }

  Call runtime_call(const Step& step, const Kernel& kernel, const std::vector<std::string>& results,
                    const std::vector<std::string>& reads) {
    const ops::RuntimeCall& recipe = kernel.op->call;
    Call call{"wick::" + std::string(recipe.function), results};
    std::string arguments;
    for (const ops::TemplateArgument& argument : recipe.template_arguments) {
      arguments += (arguments.empty() ? "" : ", ") + template_argument(argument, kernel.attributes);
    }
    if (!arguments.empty()) call.callee += "<" + arguments + ">";
    if (!recipe.reducer.empty())
      call.arguments.push_back("wick::" + std::string(recipe.reducer) + "{}");
    call.arguments.insert(call.arguments.end(), reads.begin(), reads.end());
    const DType literal_dtype =
        dtype(kernel.operands.empty() ? kernel.results[0] : kernel.operands[0]);
    for (const std::string_view attribute : recipe.literals) {
      call.arguments.push_back(
          literal(rounded_scalar(kernel.attributes.number(attribute), literal_dtype)));
    }
    if (recipe.workspace != nullptr)
      call.arguments.push_back(declare_workspace(step, kernel.workspace));
    return call;
  }

  static std::string template_argument(const ops::TemplateArgument& argument,
                                       const ops::Attributes& attributes) {
    using Form = ops::TemplateArgument::Form;
    const auto sides = [&](std::string text, std::size_t side) {
      const ops::Pairs& pairs = attributes.pairs(argument.attribute);
      for (std::size_t i = 0; i < pairs.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(pairs[i][side]);
      return text + ">";
    };
    switch (argument.form) {
      case Form::kInteger:
        return std::to_string(attributes.integer(argument.attribute));
      case Form::kFlag:
        return attributes.flag(argument.attribute) ? "true" : "false";
      case Form::kAxes:
        return axes_text(attributes.integers(argument.attribute));
      case Form::kBefore:
        return sides("wick::Before<", 0);
      case Form::kAfter:
        return sides("wick::After<", 1);
    }
    throw InternalError("emit: a template argument of no form");
  }

  // ---- Comments ----

  std::string step_comment(const Step& step, StepIndex index) const {
    if (!step.kernel.valid()) return "copy " + std::to_string(index) + ": " + copy_reason(step);
    const std::string head = "kernel " + std::to_string(index) + ": ";
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
  const Symbols& symbols_;
  TypeTable& types_;
  std::vector<Line> lines_;
  IdVector<TensorId, Layout> layouts_;  // with which a tensor was declared
  IdVector<TensorId, char> declared_;
  IdVector<TensorId, char> read_;            // by a step of this program
  IdVector<StorageId, StorageId> previous_;  // heap: the slot that had the same allocation before
  IdVector<StorageId, char> reused_later_;  // heap: another slot has the same allocation afterwards
};

}  // namespace

ProgramText program_text(const Plan& plan, const Program& program, const Symbols& symbols,
                         TypeTable& types) {
  Statements statements(plan, program, symbols, types);
  std::vector<Line> lines = statements.run();
  return {std::move(lines), statements.read()};
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

#include "compiler/plan/print.h"

#include <set>
#include <vector>

#include "compiler/plan/pack/lifetimes.h"
#include "compiler/support/text.h"

namespace wick::compiler {

namespace {

std::string bytes_text(Bytes bytes) { return grouped(bytes.count) + " bytes"; }

// "[2, 5)".
std::string lifetime_text(const Storage& storage) {
  return "[" + std::to_string(storage.birth) + ", " + std::to_string(storage.death) + ")";
}

// What a kernel does, in a word; of several views the last.
std::string_view kind_text(const FusedGraph& fused, const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kLayout:
      return fused.graph->nodes[kernel.views.back()].op->name;
    case KernelKind::kPack:
      return "pack";
    case KernelKind::kMap:
      return "map";
    case KernelKind::kReduce:
      return "reduce";
    case KernelKind::kRows:
      return "rows";
    case KernelKind::kProduct:
      return "product";
    case KernelKind::kCall:
      return kernel.op->name;
  }
  return "";
}

class Printer {
 public:
  explicit Printer(const Plan& plan) : plan_(plan), fused_(*plan.fused) {}

  std::string print() {
    text_ = "plan " + quoted(fused_.graph->name) + "\n";
    text_ += "  arena " + bytes_text(plan_.arena) + ", lower bound " +
             bytes_text(plan_.report.lower_bound) + ", state " + bytes_text(plan_.state) + "\n";
    print_storages();
    if (!plan_.prepare.steps.empty()) print_program("prepare", plan_.prepare);
    print_program("run", plan_.run);
    return std::move(text_);
  }

 private:
  void print_storages() {
    text_ += "\nstorages\n";
    for (const StorageId id : ids(plan_.storages)) {
      const Storage& storage = plan_.storages[id];
      text_ += "  " + name_of(plan_, id) + ": " + bytes_text(storage.size);
      if (storage.kind == StorageKind::kConstant && fused_.tensors[storage.first].panels)
        text_ += " in panels";
      if (storage.kind == StorageKind::kSlot) {
        if (plan_.options.storage == StorageMode::kHeap) {
          text_ += allocation_text(id);
        } else {
          text_ += " at " + grouped(storage.offset.count);
        }
        text_ += storage.in_prepare ? ", live in prepare " : ", live ";
        text_ += lifetime_text(storage);
      } else if (storage.kind == StorageKind::kState) {
        text_ += " at " + grouped(storage.offset.count) + " of the state";
      }
      text_ += "\n";
    }
  }

  std::string allocation_text(StorageId id) const {
    const StorageId allocation = plan_.storages[id].allocation;
    if (!allocation.valid() || allocation == id) return ", allocated";
    return ", in the allocation of " + name_of(plan_, allocation);
  }

  void print_program(std::string_view name, const Program& program) {
    text_ += "\n" + std::string(name) + "\n";
    std::size_t part = 0;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      if (part < program.parts.size() && program.parts[part] == i) {
        text_ += "  part " + std::to_string(part++) + "\n";
      }
      print_step(i, program.steps[i]);
    }
  }

  void print_step(std::size_t index, const Step& step) {
    std::vector<std::string> results, operands, frees;
    for (const Located& write : step.writes) results.push_back(tensor_text(write));
    for (const Located& read : step.reads) operands.push_back(tensor_text(read));
    for (const StorageId id : step.frees) frees.push_back(name_of(plan_, id));
    text_ += "  " + std::to_string(index) + ": " + joined(results, ", ") + " = ";
    text_ += step.kernel.valid() ? kind_text(fused_, fused_.kernels[step.kernel]) : "copy";
    text_ += "(" + joined(operands, ", ") + ")";
    for (std::size_t i = 0; i < step.placements.size(); ++i) {
      text_ += i == 0 ? "  # " : ", ";
      text_ += placement_text(step, i);
    }
    if (step.workspace.valid()) {
      text_ += "; workspace " + bytes_text(plan_.storages[step.workspace].size);
    }
    if (!frees.empty()) text_ += "; frees " + joined(frees, ", ");
    text_ += "\n";
  }

  // The name, with the layout if it is not the one that a fresh result has.
  std::string tensor_text(const Located& located) const {
    std::string text = fused_.tensors[located.tensor].name;
    if (!located.layout.is_packed()) text += " " + located.layout.to_string();
    return text;
  }

  std::string placement_text(const Step& step, std::size_t i) const {
    const Placement placement = step.placements[i];
    std::string text(name_of(placement));
    switch (placement) {
      case Placement::kInPlace:
        return text + " of " + fused_.tensors[step.reads[step.in_place_operand].tensor].name;
      case Placement::kReuse:
        return text + " of " + name_of(plan_, step.reused);
      case Placement::kReferenceSlot:
      case Placement::kReferenceEternal:
        return text + " to " + name_of(plan_, step.writes[i].storage);
      case Placement::kFresh:
      case Placement::kOutput:
      case Placement::kState:
        return text;
    }
    return text;
  }

  const Plan& plan_;
  const FusedGraph& fused_;
  std::string text_;
};

// The step whose scratch a workspace is, by its first result.
std::string owner_of_workspace(const Plan& plan, StorageId id) {
  const Storage& storage = plan.storages[id];
  const Program& program = storage.in_prepare ? plan.prepare : plan.run;
  const Step& step = program.steps[storage.birth];
  return plan.fused->tensors[step.writes[0].tensor].name;
}

}  // namespace

std::string_view name_of(Placement placement) {
  switch (placement) {
    case Placement::kInPlace:
      return "in place";
    case Placement::kReferenceSlot:
      return "reference (slot)";
    case Placement::kReferenceEternal:
      return "reference (eternal)";
    case Placement::kReuse:
      return "reuse";
    case Placement::kFresh:
      return "fresh";
    case Placement::kOutput:
      return "output";
    case Placement::kState:
      return "state";
  }
  return "";
}

std::string name_of(const Plan& plan, StorageId id) {
  const Storage& storage = plan.storages[id];
  if (storage.workspace) return "workspace of " + owner_of_workspace(plan, id);
  switch (storage.kind) {
    case StorageKind::kSlot:
      return plan.fused->tensors[storage.first].name;
    case StorageKind::kInput:
      return "input " + plan.fused->tensors[storage.first].name;
    case StorageKind::kConstant:
      return "constant " + plan.fused->tensors[storage.first].name;
    case StorageKind::kOutput:
      return "output " + plan.fused->tensors[plan.fused->outputs[storage.index]].name;
    case StorageKind::kState:
      return "cached " + plan.fused->tensors[storage.first].name;
  }
  return "";
}

std::string to_text(const Plan& plan) { return Printer(plan).print(); }

std::string lifetimes_csv(const Plan& plan) {
  pack::Lifetimes lifetimes;
  std::set<std::string> names;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    if (storage.kind != StorageKind::kSlot || storage.size.count == 0) continue;
    const auto start =
        static_cast<std::int64_t>(storage.in_prepare ? 0 : plan.prepare.steps.size());
    lifetimes.problem.buffers.push_back(
        {start + storage.birth, start + storage.death, storage.size.count, kArenaAlignment.count});
    // Only a tensor of both programs has two slots.
    std::string name = name_of(plan, id);
    if (!names.insert(name).second) name += " " + std::to_string(id.index());
    names.insert(name);
    lifetimes.ids.push_back(name);
  }
  return pack::write_lifetimes(lifetimes);
}

}  // namespace wick::compiler

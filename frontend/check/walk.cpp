#include "frontend/check/walk.h"

#include <algorithm>
#include <utility>

#include "frontend/check/names.h"

namespace wick::frontend::check {
namespace {

bool is_slot(Name::Kind kind) {
  return kind == Name::Kind::kSlot || kind == Name::Kind::kStateSlot;
}

bool is_heap(Name::Kind kind) {
  return kind == Name::Kind::kHeapSlot || kind == Name::Kind::kReuse;
}

// Constants, inputs, and what is bound: always there, never written.
bool is_given(Name::Kind kind) {
  return kind == Name::Kind::kInput || kind == Name::Kind::kConstant || kind == Name::Kind::kBound;
}

Storage::Kind region_of(Name::Kind kind) {
  return kind == Name::Kind::kStateSlot ? Storage::Kind::kState : Storage::Kind::kArena;
}

}  // namespace

Walk::Walk(const Program& program, std::vector<Finding>& findings)
    : program_(program), findings_(findings), memory_(findings) {
  is_called_.resize(program.functions.size(), 0);
  follows_empty_ = program.functions.size() == 1;
  for (const Parameter& parameter : program.functions.back().parameters) {
    const Actor by{parameter.name, parameter.place, 0, ~std::uint32_t{0}};
    if (parameter.kind == Parameter::Kind::kOutput) {
      parameters_[parameter.name] =
          memory_.add(Storage::Kind::kOutput, bytes_of(parameter.type), by);
    } else if (parameter.kind == Parameter::Kind::kDonated) {
      const StorageIndex index = memory_.add(Storage::Kind::kDonated, bytes_of(parameter.type), by);
      memory_.give_value(index, parameter.type.dtype, by);
      parameters_[parameter.name] = index;
    }
  }
}

void Walk::fail(Place place, std::string message, std::string hint) {
  findings_.push_back({place, std::move(message), std::move(hint), {}});
}

// ---- Functions ----------------------------------------------------------------------------------

void Walk::run() {
  walk(static_cast<std::uint32_t>(program_.functions.size() - 1), false);
  memory_.must_be_written();
  for (std::size_t i = 0; i + 1 < is_called_.size(); ++i) {
    if (is_called_[i] != 0) continue;
    fail(program_.functions[i].place, in_ticks(program_.functions[i].name) + " is never called",
         "each part of run is called once, in order");
  }
}

void Walk::walk(std::uint32_t function, bool is_prepare) {
  const Frame outer = std::exchange(frame_, Frame{});
  frame_.function = &program_.functions[function];
  frame_.index = function;
  frame_.is_prepare = is_prepare;
  frame_.meanings.resize(frame_.function->names.size());
  for (std::uint32_t i = 0; i < frame_.function->names.size(); ++i) {
    if (name(i).kind == Name::Kind::kDonated) meaning(i);
  }
  for (std::size_t i = 0; i < frame_.function->statements.size(); ++i) statement(i);
  finish_function();
  frame_ = outer;
}

void Walk::finish_function() {
  for (const Statement& statement : frame_.function->statements) {
    if (statement.kind != Statement::Kind::kDeclare) continue;
    const Meaning& meaning = frame_.meanings[statement.index];
    const bool leaks = name(statement.index).kind == Name::Kind::kHeapWorkspace &&
                       meaning.is_used && !meaning.is_freed;
    if (leaks) {
      fail(statement.place, in_ticks(label(statement.index)) + " is never freed",
           "free it directly after the statement that uses it");
    } else if (!meaning.is_used && !meaning.is_broken) {
      fail(statement.place,
           in_ticks(label(statement.index)) + " is declared here, but no statement uses it",
           "remove it, or put back the statement that used it");
    }
  }
  const bool ends = frame_.is_prepare || frame_.index + 1 == program_.functions.size();
  if (ends) memory_.must_be_freed();
}

void Walk::call(const Statement& statement, bool is_once) {
  const std::uint32_t callee = statement.index;
  const std::string& called = program_.functions[callee].name;
  const bool from_run = frame_.index + 1 == program_.functions.size();
  if (!from_run || callee >= frame_.index) {
    fail(statement.place, in_ticks(called) + " is called where it may not be",
         "run alone calls functions, and only those that stand before it");
    return;
  }
  if (is_called_[callee]++ != 0) {
    fail(statement.place, in_ticks(called) + " is called a second time",
         "each function is called once");
    return;
  }
  if (is_once && step_ > 0) {
    fail(statement.place, "cached values are prepared after the first statement of run",
         "the block stands in front of all statements");
  }
  walk(callee, is_once);
}

void Walk::statement(std::size_t at) {
  const Statement& statement = frame_.function->statements[at];
  switch (statement.kind) {
    case Statement::Kind::kDeclare:
      meaning(statement.index);
      return;
    case Statement::Kind::kKernel:
      kernel(statement);
      return;
    case Statement::Kind::kFree:
      free(at, Storage::End::kFreed);
      return;
    case Statement::Kind::kRetire:
      free(at, Storage::End::kRetired);
      return;
    case Statement::Kind::kCall:
      call(statement, false);
      return;
    case Statement::Kind::kOnce:
      call(statement, true);
      return;
    case Statement::Kind::kEnter:
    case Statement::Kind::kLeave:
      return;
  }
}

// ---- Names --------------------------------------------------------------------------------------

Walk::Meaning& Walk::meaning(std::uint32_t index) {
  if (!frame_.meanings[index].is_known) declare(index);
  return frame_.meanings[index];
}

// What messages call a name: an operand written as an expression is called by what it is made of.
std::string_view Walk::label(std::uint32_t index) const {
  while (name(index).text.starts_with("wick::") &&
         (name(index).kind == Name::Kind::kView || name(index).kind == Name::Kind::kInPlace)) {
    index = name(index).base;
  }
  return name(index).text;
}

Actor Walk::actor(std::uint32_t index, Place place) const {
  return {label(index), place, step_, frame_.index};
}

// The storage that lives where the slot points, which an earlier function may have written: then
// the name stands for what it holds.
void Walk::find_slot(const Name& name, Meaning& meaning) {
  meaning.storage = memory_.find(region_of(name.kind), name.offset, bytes_of(name.type));
  if (meaning.storage == kNoStorage) return;
  const Storage& storage = memory_[meaning.storage];
  if (storage.writer.function != frame_.index) meaning.value = storage.value;
}

void Walk::declare(std::uint32_t index) {
  const Name& name = this->name(index);
  Meaning meaning;
  meaning.is_known = true;
  meaning.root = index;
  const bool has_base = name.kind == Name::Kind::kView || name.kind == Name::Kind::kInPlace ||
                        name.kind == Name::Kind::kReuse;
  if (has_base) {
    Meaning& base = this->meaning(name.base);
    base.is_used = true;
    meaning.is_broken = base.is_broken;
    if (this->name(name.base).panels) {
      findings_.push_back({name.place,
                           "`" + this->name(name.base).text +
                               "` lies in panels: it is the right factor of products alone",
                           {},
                           {}});
      meaning.is_broken = true;
    }
    if (name.kind == Name::Kind::kView) {
      meaning.root = base.root;
      meaning.offset = base.offset + name.offset;
    } else {
      meaning.storage = base.storage;
    }
  }
  meaning.is_broken = !is_inside(program_, *frame_.function, name, findings_) || meaning.is_broken;
  if (meaning.is_broken) {
    const StorageIndex storage =
        meaning.root == index ? meaning.storage : this->meaning(meaning.root).storage;
    if (storage != kNoStorage) memory_.hush(storage);
    frame_.meanings[index] = meaning;
    return;
  }
  const Actor by = actor(index, name.place);
  if (is_slot(name.kind) && bytes_of(name.type) > 0) {
    find_slot(name, meaning);
  } else if (is_slot(name.kind) || name.kind == Name::Kind::kNothing) {
    if (follows_empty_) meaning.storage = memory_.add(Storage::Kind::kEmpty, 0, by);
    meaning.is_broken = !follows_empty_;
  } else if (name.kind == Name::Kind::kHeapSlot) {
    meaning.storage = memory_.add(Storage::Kind::kHeap, bytes_of(name.type), by);
  } else if (name.kind == Name::Kind::kReuse) {
    if (meaning.storage != kNoStorage)
      meaning.storage = memory_.reuse(meaning.storage, bytes_of(name.type), by);
  } else if (name.kind == Name::Kind::kDonated || name.kind == Name::Kind::kOutput) {
    const auto at = parameters_.find(frame_.function->parameters[name.parameter].name);
    meaning.is_broken = at == parameters_.end();  // run has no such parameter: reported
    if (!meaning.is_broken) {
      meaning.storage = at->second;
      meaning.value = memory_[meaning.storage].value;
    }
  } else if (name.kind == Name::Kind::kInPlace && meaning.storage != kNoStorage) {
    const Storage& storage = memory_[meaning.storage];
    if (storage.writer.function != frame_.index) meaning.value = storage.value;
  }
  frame_.meanings[index] = meaning;
}

// ---- Kernels ------------------------------------------------------------------------------------

void Walk::kernel(const Statement& statement) {
  const std::optional<Effects> effects =
      effects_of(program_, *frame_.function, statement, findings_);
  ++step_;
  if (!effects) return;
  std::vector<StorageIndex> operands;
  for (const Use& use : effects->reads) operands.push_back(read(use));
  for (const Use& use : effects->writes) {
    meaning(use.name).is_used = true;
    if (meaning(use.name).is_broken || !may_write(use)) continue;
    if (effects->in_place) {
      write_in_place(use, *effects, operands);
    } else {
      write(use);
    }
  }
  for (const Use& use : effects->scratch) use_scratch(use);
}

// Reads through a name, and returns the storage that it reads; none of what is given.
StorageIndex Walk::read(const Use& use) {
  Meaning& seen = meaning(use.name);
  seen.is_used = true;
  if (seen.is_broken) return kNoStorage;
  const std::uint32_t root = seen.root;
  Meaning& meaning = this->meaning(root);
  const Name& name = this->name(root);
  if (name.kind == Name::Kind::kInput && frame_.is_prepare) {
    fail(use.place, "the input " + in_ticks(name.text) + " is read by what is computed once",
         "cached values may depend on constants and bound tensors, not on what changes with each "
         "call");
  }
  if (is_given(name.kind)) return kNoStorage;
  const Actor by = actor(use.name, use.place);
  if (meaning.storage == kNoStorage) {
    meaning.is_broken = true;
    fail(use.place, in_ticks(by.name) + " is read here, but nothing has been written to it",
         "the statement that computes it must stand before this one");
    return kNoStorage;
  }
  const bool is_output = name.kind == Name::Kind::kOutput;
  const ValueIndex value = is_output ? memory_[meaning.storage].value : meaning.value;
  memory_.read(meaning.storage, value, this->name(use.name).type.dtype, by);
  if (is_output) memory_.finish(meaning.storage, by);
  return meaning.storage;
}

bool Walk::may_write(const Use& use) {
  std::uint32_t root = use.name;
  while (name(root).kind == Name::Kind::kView || name(root).kind == Name::Kind::kInPlace)
    root = name(root).base;
  const Name& name = this->name(root);
  const bool caller = name.kind == Name::Kind::kOutput || name.kind == Name::Kind::kDonated;
  const std::string written = in_ticks(label(use.name));
  if (is_given(name.kind)) {
    fail(use.place, written + " is written here, but it is only to be read",
         "inputs, constants and bound tensors belong to others");
  } else if (name.kind == Name::Kind::kStateSlot && !frame_.is_prepare) {
    fail(use.place, written + " is written here, but it is a cached value",
         "cached values are written once, by the function that prepares them");
  } else if (caller && frame_.is_prepare) {
    fail(use.place, written + " is written by what is computed once",
         "only cached values outlive a call");
  } else {
    return true;
  }
  return false;
}

void Walk::write(const Use& use) {
  Meaning& meaning = this->meaning(use.name);
  std::uint32_t root = use.name;
  while (name(root).kind == Name::Kind::kInPlace) root = name(root).base;
  const Name& name = this->name(root);
  const DType dtype = this->name(use.name).type.dtype;
  const Actor by = actor(use.name, use.place);
  if (is_slot(name.kind) && bytes_of(name.type) > 0) {
    meaning.storage =
        memory_.write_range(region_of(name.kind), name.offset, bytes_of(name.type), dtype, by);
  } else if (meaning.storage != kNoStorage) {
    memory_.write(meaning.storage, dtype, by);
  }
  if (meaning.storage != kNoStorage) meaning.value = memory_[meaning.storage].value;
}

void Walk::write_in_place(const Use& use, const Effects& effects,
                          const std::vector<StorageIndex>& operands) {
  Meaning& meaning = this->meaning(use.name);
  const Actor by = actor(use.name, use.place);
  if (name(use.name).kind == Name::Kind::kInPlace) {
    meaning.storage = this->meaning(name(use.name).base).storage;
  }
  if (meaning.storage == kNoStorage) {
    meaning.is_broken = true;
    fail(use.place,
         in_ticks(by.name) + " is overwritten in place here, but nothing has been written to it",
         "the statement that computes it must stand before this one");
    return;
  }
  memory_.read(meaning.storage, memory_[meaning.storage].value, std::nullopt, by);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == meaning.storage) check_shared(use, effects.reads[i]);
  }
  memory_.overwrite(meaning.storage, name(use.name).type.dtype, by);
  meaning.value = memory_[meaning.storage].value;
}

// An operand that shares the memory of the result of a statement that works in place.
void Walk::check_shared(const Use& use, const Use& operand) {
  const std::string both =
      in_ticks(label(operand.name)) + " shares the memory of " + in_ticks(label(use.name));
  if (!operand.at_written_index) {
    fail(operand.place, both + ", but is read after parts of it have been overwritten",
         "only operands that are read at the written index may share memory");
    return;
  }
  const TensorType& result = name(use.name).type;
  const TensorType& type = name(operand.name).type;
  bool same = meaning(operand.name).offset == 0 &&
              compiler::size_of(result.dtype) == compiler::size_of(type.dtype) &&
              type.shape().rank() <= result.shape().rank();
  const std::size_t missing = same ? result.shape().rank() - type.shape().rank() : 0;
  for (std::size_t axis = 0; same && axis < result.shape().rank(); ++axis) {
    if (result.shape()[axis] == 1) continue;
    same = axis >= missing && type.shape()[axis - missing] == result.shape()[axis] &&
           type.layout.stride(axis - missing) == result.layout.stride(axis);
  }
  if (same || !result.shape().has_elements()) return;
  fail(operand.place,
       both + ", but in another layout: elements are overwritten before they are read",
       "in place, an operand and the result have one layout");
}

void Walk::use_scratch(const Use& use) {
  const Name& name = this->name(use.name);
  Meaning& meaning = this->meaning(use.name);
  meaning.is_used = true;
  if (meaning.is_broken) return;
  const Actor by = actor(use.name, use.place);
  if (name.kind == Name::Kind::kWorkspace) {
    if (name.bytes > 0) memory_.scratch(name.offset, name.bytes, by);
  } else if (name.kind == Name::Kind::kHeapWorkspace) {
    if (meaning.is_freed) {
      fail(use.place, in_ticks(name.text) + " is used here, but it has been freed", "");
    }
    meaning.scratch_step = step_;
  } else if (name.kind == Name::Kind::kStateWorkspace) {
    fail(use.place, in_ticks(name.text) + " lies among the cached values",
         "scratch memory lies in the arena");
  }
}

// ---- Frees --------------------------------------------------------------------------------------

// Whether nothing but frees stands between the last statement and this free. A slot that an earlier
// function has written is named again where it is freed.
bool Walk::is_direct(std::size_t at) const {
  const std::vector<Statement>& statements = frame_.function->statements;
  for (std::size_t i = at; i-- > 0;) {
    const Statement& before = statements[i];
    const bool names_it = before.kind == Statement::Kind::kDeclare &&
                          statements[i + 1].index == before.index &&
                          (statements[i + 1].kind == Statement::Kind::kFree ||
                           statements[i + 1].kind == Statement::Kind::kRetire);
    if (before.kind == Statement::Kind::kKernel) return true;
    if (before.kind != Statement::Kind::kFree && before.kind != Statement::Kind::kRetire &&
        !names_it)
      return false;
  }
  return false;
}

void Walk::free(std::size_t at, Storage::End how) {
  const Statement& statement = frame_.function->statements[at];
  Meaning& meaning = this->meaning(statement.index);
  const Name& name = this->name(statement.index);
  meaning.is_used = true;
  if (meaning.is_broken) return;
  const bool directly = is_direct(at);
  if (name.kind == Name::Kind::kHeapWorkspace) {
    free_scratch(statement, directly);
    return;
  }
  const bool owns =
      name.kind == Name::Kind::kSlot || name.kind == Name::Kind::kNothing || is_heap(name.kind);
  if (!owns || (how == Storage::End::kRetired && !is_heap(name.kind))) {
    fail(statement.place, in_ticks(name.text) + " is freed here, but it does not own its memory",
         "slots are freed, by the name of the slot");
    return;
  }
  if (meaning.storage == kNoStorage) {
    meaning.is_broken = true;
    fail(statement.place,
         in_ticks(name.text) + " is freed here, but nothing has been written to it",
         "free what a statement has written");
    return;
  }
  memory_.end(meaning.storage, how, directly, actor(statement.index, statement.place));
}

void Walk::free_scratch(const Statement& statement, bool directly) {
  Meaning& meaning = this->meaning(statement.index);
  const std::string here = in_ticks(label(statement.index)) + " is freed here";
  if (meaning.is_freed) {
    fail(statement.place, here + " a second time", "free it once");
  } else if (!directly || meaning.scratch_step != step_) {
    fail(statement.place, here + ", but not by the statement after the one that uses it",
         "free it directly after that statement");
  }
  meaning.is_freed = true;
}

}  // namespace wick::frontend::check

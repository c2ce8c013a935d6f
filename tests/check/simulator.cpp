#include "tests/check/simulator.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>

#include "tests/check/memory_model.h"

namespace wick::mutation {
namespace {

// How a runtime function uses its arguments: those of the first `results` are written.
struct Usage {
  std::size_t results = 1;
  bool in_place = false;
};

Usage usage_of(std::string_view function) {
  if (function == "rows") return {0, false};  // wick::outs says it
  if (function == "rows_in_place") return {3, true};
  return {function == "topk" ? 2u : 1u, function.ends_with("_in_place")};
}

// From which argument on an operand may share the memory of an in-place result.
bool may_share(std::string_view function, std::size_t argument, bool in_results) {
  if (function == "map_in_place" || function == "rows_in_place") return true;
  if (function == "reduce_in_place") return in_results;
  const bool multiplies = function == "matmul_in_place" || function == "convolve_in_place";
  return multiplies && argument > 3;
}

// Whether a function gives each byte of its operand on as it is: a copy, or padding by nothing.
bool copies(std::string_view function, const Expression& call) {
  if (function == "copy") return true;
  if (function != "pad" && function != "pad_edge" && function != "pad_reflect") return false;
  return std::ranges::all_of(call.templates, [](const Expression& list) {
    return std::ranges::all_of(list.templates, [](const Expression& e) { return e.name == "0"; });
  });
}

std::string type_text(const Type& type) {
  std::string text = type.element + "[";
  for (std::size_t axis = 0; axis < type.extents.size(); ++axis)
    text += std::to_string(type.extents[axis]) + ":" + std::to_string(type.strides[axis]) + ",";
  return text + "]";
}

class Simulator {
 public:
  explicit Simulator(const Emitted& emitted) : emitted_(emitted) {}

  Simulation run() {
    Simulation result;
    try {
      globals();
      const int calls = emitted_.has_state ? 2 : 1;
      for (int i = 0; i < calls; ++i) result.calls.push_back(call());
    } catch (const Fault& fault) {
      result.fault = fault.what();
    }
    return result;
  }

 private:
  void globals() {
    if (emitted_.packed_bytes > 0)
      packed_ = memory_.add("packed", emitted_.packed_bytes, Block::Kind::kConstant);
    for (const WeightMember& weight : emitted_.weights) {
      if (weight.offset < 0) {
        const Type& type = *emitted_.type(weight.type);
        add_tensor("weights." + weight.name, type, Block::Kind::kConstant);
        continue;
      }
      const Type type = emitted_.describe(weight.packed.templates.at(0));
      if (weight.offset % type.element_bytes() != 0) throw Fault("a weight is misaligned");
      globals_["weights." + weight.name] = {packed_, weight.offset, type};
    }
    for (const BoundMember& bound : emitted_.bound)
      add_tensor("state." + bound.name, *emitted_.type(bound.type), Block::Kind::kConstant);
    if (emitted_.has_state)
      state_ = memory_.add("state.bytes", emitted_.state_bytes, Block::Kind::kPlain);
  }

  void add_tensor(const std::string& name, const Type& type, Block::Kind kind) {
    globals_[name] = {memory_.add(name, type.bytes(), kind), 0, type};
  }

  std::map<std::string, std::vector<Tag>> call() {
    arena_ = memory_.add("arena", emitted_.arena_bytes, Block::Kind::kPlain);
    std::map<std::string, Reference> names;
    for (const Parameter& parameter : emitted_.run().parameters) {
      if (parameter.type.empty()) continue;
      const Type& type = *emitted_.type(parameter.type);
      const auto kind = parameter.kind == "In"    ? Block::Kind::kConstant
                        : parameter.kind == "Out" ? Block::Kind::kPlain
                                                  : Block::Kind::kDonated;
      names[parameter.name] = {memory_.add(parameter.name, type.bytes(), kind), 0, type};
    }
    execute(emitted_.run(), names);
    memory_.check_heap();
    std::map<std::string, std::vector<Tag>> outputs;
    for (const Parameter& parameter : emitted_.run().parameters) {
      if (parameter.kind == "Out")
        outputs[parameter.name] = memory_.block(names.at(parameter.name).block).tags;
    }
    return outputs;
  }

  void execute(const Function& function, std::map<std::string, Reference> names) {
    for (const Statement& statement : function.statements) {
      try {
        statement_of(statement, names);
      } catch (const Fault& fault) {
        if (std::string_view(fault.what()).starts_with("line ")) throw;
        throw Fault("line " + std::to_string(line_of(emitted_.source, statement.span.begin)) +
                    ": " + fault.what());
      }
    }
  }

  void statement_of(const Statement& statement, std::map<std::string, Reference>& names) {
    const Expression& value = statement.value;
    if (!statement.declared.empty()) {
      if (value.name != "weights_at") names[statement.declared] = named(value, names);
      return;
    }
    if (const Function* part = emitted_.function(value.name)) {
      if (part->name != "prepare" || !prepared_) execute(*part, names);
      if (part->name == "prepare") prepared_ = true;
      return;
    }
    const std::string_view function = statement.runtime_function();
    if (function.empty() || function == "enter" || function == "leave") return;
    if (function == "free") return memory_.free(named(value.arguments.at(0), names));
    if (function == "retire") return memory_.retire(named(value.arguments.at(0), names));
    kernel(statement, function, names);
  }

  std::int64_t offset_of(const Expression& expression) const {
    const SlotConstant* slot = emitted_.slot(expression.name);
    return slot != nullptr ? slot->value : std::stoll(expression.name);
  }

  std::size_t base_of(const Expression& expression) const {
    return expression.name == "state.bytes" ? state_ : arena_;
  }

  // What an expression that names memory stands for.
  Reference named(const Expression& e, const std::map<std::string, Reference>& names) {
    if (const auto reference = known(e, names)) return *reference;
    throw Fault("unknown name " + e.name);
  }

  std::optional<Reference> known(const Expression& e,
                                 const std::map<std::string, Reference>& names) {
    if (!e.is_call) {
      if (const auto local = names.find(e.name); local != names.end()) return local->second;
      if (const auto global = globals_.find(e.name); global != globals_.end())
        return global->second;
      return std::nullopt;
    }
    if (e.name == "wick::slot") {
      const Type type = emitted_.describe(e.templates.at(0));
      if (type.elements() == 0) return Reference{arena_, 0, type};
      return memory_.open({base_of(e.arguments.at(0)), offset_of(e.arguments.at(1)), type});
    }
    if (e.name == "wick::heap_slot") return memory_.allocate(emitted_.describe(e.templates.at(0)));
    if (e.name == "wick::workspace") {
      return memory_.open(scratch(e, base_of(e.arguments.at(0)), offset_of(e.arguments.at(1))));
    }
    if (e.name == "wick::heap_workspace") {
      Reference reference = memory_.allocate(scratch(e, 0, 0).type);
      reference.is_workspace = true;
      return reference;
    }
    if (e.name == "wick::in_place" || e.name == "wick::view" || e.name == "wick::reuse")
      return renamed(e, names);
    return std::nullopt;
  }

  static Reference scratch(const Expression& e, std::size_t block, std::int64_t offset) {
    Type type;
    type.element = "std::uint8_t";
    type.extents = {std::stoll(e.templates.at(0).name)};
    type.strides = {1};
    return {block, offset, type, true};
  }

  Reference renamed(const Expression& e, const std::map<std::string, Reference>& names) {
    Reference reference = named(e.arguments.at(0), names);
    const Type type = emitted_.describe(e.templates.at(0));
    if (e.name == "wick::reuse") return memory_.reuse(reference, type);
    if (e.name == "wick::in_place") {
      if (type.elements() != reference.type.elements() ||
          type.element_bytes() != reference.type.element_bytes())
        throw Fault("in place of a tensor of another size");
    } else if (e.templates.size() > 1) {
      reference.offset += std::stoll(e.templates[1].name) * type.element_bytes();
    }
    reference.type = type;
    return reference;
  }

  // The memory that a statement uses.
  struct Operands {
    std::string call;  // its text, with the types of memory for its names
    std::vector<Reference> results;
    std::vector<Operand> reads;
    std::vector<Reference> scratch;
  };

  void collect(const Expression& e, std::string_view function, std::size_t argument,
               bool in_results, const std::map<std::string, Reference>& names, Operands& found) {
    if (e.name == "wick::terms" || e.name == "wick::results" || e.name == "wick::outs") {
      found.call += e.name + "(";
      for (const Expression& nested : e.arguments) {
        if (e.name == "wick::outs") {
          found.results.push_back(named(nested, names));
          found.call += type_text(found.results.back().type);
        } else {
          collect(nested, function, argument, e.name == "wick::results", names, found);
        }
      }
      found.call += ")";
      return;
    }
    const auto reference = known(e, names);
    found.call += reference ? type_text(reference->type) : std::string(emitted_.text(e.span)) + ",";
    if (!reference) return;  // a kernel, a reducer, a literal
    if (reference->is_workspace) {
      found.scratch.push_back(*reference);
    } else if (argument < usage_of(function).results) {
      found.results.push_back(*reference);
    } else {
      found.reads.push_back({*reference, may_share(function, argument, in_results)});
    }
  }

  void kernel(const Statement& statement, std::string_view function,
              const std::map<std::string, Reference>& names) {
    const Expression& value = statement.value;
    Operands operands;
    operands.call = emitted_.text({value.name_span.begin, value.arguments.at(0).span.begin});
    for (std::size_t i = 0; i < value.arguments.size(); ++i)
      collect(value.arguments[i], function, i, false, names, operands);
    const bool in_place = usage_of(function).in_place;
    Tag tag = std::hash<std::string>()(operands.call);
    for (const Operand& read : operands.reads) tag = memory_.read(read.reference, tag);
    for (const Reference& scratch : operands.scratch) {
      for (const Operand& read : operands.reads) memory_.check_apart(scratch, read.reference);
      for (const Reference& result : operands.results) memory_.check_apart(scratch, result);
    }
    for (std::size_t i = 0; i < operands.results.size(); ++i) {
      const Reference& result = operands.results[i];
      for (const Operand& read : operands.reads) {
        if (!in_place || !read.may_share || !memory_.is_same_place(read.reference, result))
          memory_.check_apart(read.reference, result);
      }
      for (std::size_t j = 0; j < i; ++j) memory_.check_apart(operands.results[j], result);
      if (copies(function, value)) {
        memory_.copy(operands.reads.at(0).reference, result);
      } else {
        tag = memory_.write(result, tag);
      }
    }
    for (const Reference& scratch : operands.scratch) memory_.spoil(scratch);
  }

  const Emitted& emitted_;
  Memory memory_;
  std::map<std::string, Reference> globals_;
  std::size_t packed_ = 0;
  std::size_t state_ = 0;
  std::size_t arena_ = 0;
  bool prepared_ = false;
};

}  // namespace

Simulation simulate(const Emitted& emitted) { return Simulator(emitted).run(); }

std::string wrong_byte(const Emitted& original, const Emitted& mutant) {
  const Simulation expected = simulate(original);
  const Simulation found = simulate(mutant);
  if (!expected.fault.empty()) return "the original: " + expected.fault;
  if (!found.fault.empty()) return found.fault;
  for (std::size_t i = 0; i < expected.calls.size(); ++i) {
    for (const auto& [name, tags] : expected.calls[i]) {
      if (i >= found.calls.size() || found.calls[i].count(name) == 0 ||
          found.calls[i].at(name) != tags)
        return "bytes of " + name + " come from somewhere else";
    }
  }
  return {};
}

}  // namespace wick::mutation

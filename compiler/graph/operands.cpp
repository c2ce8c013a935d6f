#include "compiler/graph/operands.h"

#include <bit>
#include <utility>

#include "compiler/graph/infer.h"
#include "compiler/graph/literal.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

using Faults = std::vector<ops::Inference::Fault>;

std::string operand_path(std::size_t index) { return "/inputs/" + std::to_string(index); }

bool check_count(const ops::OpRecord& op, std::size_t found, Faults& faults) {
  const OperandCount expected = operand_count(op);
  if (expected.allows(found)) return true;
  std::vector<std::string> names;
  for (const ops::OperandSpec& spec : op.operands) {
    names.push_back(std::string(spec.name) + (spec.variadic ? " …" : spec.optional ? "?" : ""));
  }
  faults.push_back(
      {found == 0 ? "" : "/inputs",
       quoted(op.name) + " takes " + expected.to_string() + ", found " + std::to_string(found),
       names.empty() ? "" : "its operands are: " + joined(names, ", ")});
  return false;
}

// What the operands of one group have in common.
struct Group {
  char letter = 0;
  ops::DTypeSet allowed = ops::kAnyDType;  // by every operand of the group
  std::optional<DType> dtype = {};         // of its named operands
  std::string_view decided_by = {};        // the first of them
  bool undecided_reported = false;
};

class Groups {
 public:
  Group& of(char letter) {
    for (Group& group : groups_) {
      if (group.letter == letter) return group;
    }
    groups_.push_back({.letter = letter});
    return groups_.back();
  }

 private:
  std::vector<Group> groups_;
};

void check_named(const ops::OpRecord& op, std::size_t index, const WrittenOperand& operand,
                 Group& group, Faults& faults) {
  const ops::OperandSpec& spec = operand_spec(op, index);
  const DType dtype = operand.type->dtype;
  if (!group.dtype) {
    group.dtype = dtype;
    group.decided_by = operand.text;
  }
  if (!spec.dtypes.contains(dtype)) {
    faults.push_back({operand_path(index),
                      quoted(op.name) + " expects " + to_string(spec.dtypes) + " for its operand " +
                          std::to_string(index) + " (" + std::string(spec.name) + "), found " +
                          quoted(operand.text) + " of dtype " + std::string(name_of(dtype)),
                      "dtypes are never converted silently: cast it first"});
  } else if (dtype != *group.dtype) {
    faults.push_back({operand_path(index),
                      quoted(op.name) + " expects one dtype for these operands, found " +
                          std::string(name_of(*group.dtype)) + " (" + quoted(group.decided_by) +
                          ") and " + std::string(name_of(dtype)) + " (" + quoted(operand.text) +
                          ")",
                      "dtypes are never converted silently: cast one of them first"});
  }
}

// The dtype of a group of numbers alone.
std::optional<DType> dtype_of_numbers(const Group& group, std::optional<DType> stated) {
  if (stated && group.allowed.contains(*stated)) return stated;
  if (std::has_single_bit(group.allowed.bits)) {
    return static_cast<DType>(std::countr_zero(group.allowed.bits));
  }
  if (group.allowed.bits == ops::kIndices.bits) return DType::kI64;
  return std::nullopt;
}

std::optional<HostTensor> read_operand(const ops::OpRecord& op, std::size_t index,
                                       const WrittenOperand& operand, Group& group,
                                       std::optional<DType> stated, Faults& faults) {
  const auto dtype = group.dtype ? group.dtype : dtype_of_numbers(group, stated);
  if (!dtype) {
    if (!std::exchange(group.undecided_reported, true)) {
      faults.push_back({operand_path(index),
                        "no operand says which dtype the number " + std::string(operand.text) +
                            " has: " + quoted(op.name) + " expects " + to_string(group.allowed),
                        "state the \"dtype\" of the node, or make the number a constant"});
    }
    return std::nullopt;
  }
  if (!operand_spec(op, index).dtypes.contains(*dtype)) return std::nullopt;
  ReadLiteral read = read_literal(operand.text, *dtype);
  if (!read.value) {
    faults.push_back({operand_path(index), std::move(read.message), std::move(read.hint)});
  }
  return std::move(read.value);
}

}  // namespace

TypedOperands type_operands(const ops::OpRecord& op, std::span<const WrittenOperand> written,
                            std::optional<DType> stated, Faults& faults) {
  TypedOperands typed;
  if (!check_count(op, written.size(), faults)) return typed;
  Groups groups;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const ops::OperandSpec& spec = operand_spec(op, i);
    Group& group = groups.of(spec.group);
    group.allowed.bits &= spec.dtypes.bits;
    if (written[i].type != nullptr) check_named(op, i, written[i], group, faults);
  }
  typed.types.resize(written.size());
  typed.literals.resize(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i].type != nullptr) {
      typed.types[i] = *written[i].type;
      continue;
    }
    Group& group = groups.of(operand_spec(op, i).group);
    typed.literals[i] = read_operand(op, i, written[i], group, stated, faults);
    if (typed.literals[i]) {
      typed.types[i] = {typed.literals[i]->dtype(), Layout(typed.literals[i]->shape())};
    }
  }
  return typed;
}

}  // namespace wick::compiler

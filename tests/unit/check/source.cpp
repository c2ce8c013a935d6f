#include "tests/unit/check/source.h"

#include <algorithm>

namespace wick::frontend::check::testing {
namespace {

using compiler::Layout;
using compiler::Shape;

Argument memory(NameIndex name, Access access) {
  Argument argument;
  argument.kind = Argument::Kind::kMemory;
  argument.access = access;
  argument.index = name;
  return argument;
}

Argument of_kind(Argument::Kind kind, std::vector<Argument> nested = {}) {
  Argument argument;
  argument.kind = kind;
  argument.nested = std::move(nested);
  return argument;
}

void place_at(std::vector<Argument>& arguments, Place place) {
  for (Argument& argument : arguments) {
    argument.place = place;
    place_at(argument.nested, place);
  }
}

}  // namespace

TensorType type(DType dtype, const std::vector<std::int64_t>& extents) {
  return {dtype, Layout(Shape::of(extents))};
}
TensorType f32(const std::vector<std::int64_t>& extents) { return type(DType::kF32, extents); }
TensorType i32(const std::vector<std::int64_t>& extents) { return type(DType::kI32, extents); }
TensorType i64(const std::vector<std::int64_t>& extents) { return type(DType::kI64, extents); }
TensorType strided(const std::vector<std::int64_t>& extents,
                   const std::vector<std::int64_t>& strides) {
  return {DType::kF32, Layout(Shape::of(extents), strides, 0)};
}

Argument in(NameIndex name) { return memory(name, Access::kRead); }
Argument out(NameIndex name) { return memory(name, Access::kWrite); }
Argument inout(NameIndex name) { return memory(name, Access::kOverwrite); }
Argument workspace(NameIndex name) {
  Argument argument = of_kind(Argument::Kind::kWorkspace);
  argument.index = name;
  return argument;
}
Argument kernel() { return of_kind(Argument::Kind::kKernel); }
Argument reducer() { return of_kind(Argument::Kind::kReducer); }
Argument literal() { return of_kind(Argument::Kind::kLiteral); }
Argument terms(std::vector<Argument> nested) {
  return of_kind(Argument::Kind::kTerms, std::move(nested));
}
Argument results(std::vector<Argument> nested) {
  return of_kind(Argument::Kind::kResults, std::move(nested));
}
Argument outs(std::vector<Argument> nested) {
  return of_kind(Argument::Kind::kOutputs, std::move(nested));
}
Argument rows() { return of_kind(Argument::Kind::kRowProgram); }
TemplateArgument integer(std::int64_t value) { return {TemplateArgument::Kind::kInteger, {value}}; }
TemplateArgument flag(bool value) { return {TemplateArgument::Kind::kFlag, {value ? 1 : 0}}; }
TemplateArgument list(TemplateArgument::Kind kind, std::vector<std::int64_t> values) {
  return {kind, std::move(values)};
}
TemplateArgument axes(std::vector<std::int64_t> values) {
  return list(TemplateArgument::Kind::kAxes, std::move(values));
}

Source::Source(std::int64_t arena_bytes) {
  program_.has_arena = arena_bytes > 0;
  program_.arena_bytes = arena_bytes;
  program_.arena_alignment = 64;
  program_.kernels.emplace_back();
  run_.name = "run";
  run_.is_noexcept = true;
}

// ---- Parameters ---------------------------------------------------------------------------------

NameIndex Source::add_parameter(Parameter::Kind kind, Name::Kind name_kind, const std::string& name,
                                TensorType type) {
  Parameter parameter;
  parameter.kind = kind;
  parameter.name = name;
  parameter.type = type;
  current_->parameters.push_back(parameter);
  const NameIndex index = add_name(name_kind, name, std::move(type), false);
  current_->names[index].parameter = static_cast<std::uint32_t>(current_->parameters.size() - 1);
  return index;
}

NameIndex Source::input(const std::string& name, TensorType type) {
  return add_parameter(Parameter::Kind::kInput, Name::Kind::kInput, name, std::move(type));
}
NameIndex Source::donated(const std::string& name, TensorType type) {
  return add_parameter(Parameter::Kind::kDonated, Name::Kind::kDonated, name, std::move(type));
}
NameIndex Source::output(const std::string& name, TensorType type) {
  return add_parameter(Parameter::Kind::kOutput, Name::Kind::kOutput, name, std::move(type));
}

NameIndex Source::parameter(const std::string& name) {
  const auto same = std::ranges::find(run_.parameters, name, &Parameter::name);
  switch (same->kind) {
    case Parameter::Kind::kInput:
      return input(name, same->type);
    case Parameter::Kind::kDonated:
      return donated(name, same->type);
    default:
      return output(name, same->type);
  }
}

NameIndex Source::constant(const std::string& name, TensorType type, std::int64_t offset) {
  Weight weight;
  weight.name = name;
  weight.type = type;
  weight.offset = offset;
  program_.weights.push_back(weight);
  const NameIndex index = add_name(Name::Kind::kConstant, "weights." + name, type, false);
  current_->names[index].index = static_cast<std::uint32_t>(program_.weights.size() - 1);
  return index;
}

NameIndex Source::bound(const std::string& name, TensorType type) {
  program_.bound.push_back({name, type, {}});
  const NameIndex index = add_name(Name::Kind::kBound, "state." + name, type, false);
  current_->names[index].index = static_cast<std::uint32_t>(program_.bound.size() - 1);
  return index;
}

void Source::state(std::int64_t bytes) {
  program_.has_state = true;
  program_.state_bytes = bytes;
  program_.state_alignment = 64;
}

// ---- Statements ---------------------------------------------------------------------------------

Statement& Source::add(Statement::Kind kind) {
  Statement statement;
  statement.kind = kind;
  statement.place = next();
  current_->statements.push_back(statement);
  return current_->statements.back();
}

NameIndex Source::add_name(Name::Kind kind, const std::string& name, TensorType type,
                           bool declare) {
  Name added;
  added.kind = kind;
  added.text = name;
  added.type = std::move(type);
  const auto index = static_cast<NameIndex>(current_->names.size());
  if (declare) {
    Statement& statement = add(Statement::Kind::kDeclare);
    statement.index = index;
    added.place = statement.place;
  } else {
    added.place = {line_, 3};
  }
  current_->names.push_back(added);
  return index;
}

NameIndex Source::slot(const std::string& name, TensorType type, std::int64_t offset) {
  const NameIndex index = add_name(Name::Kind::kSlot, name, std::move(type), true);
  current_->names[index].offset = offset;
  return index;
}
NameIndex Source::state_slot(const std::string& name, TensorType type, std::int64_t offset) {
  const NameIndex index = add_name(Name::Kind::kStateSlot, name, std::move(type), true);
  current_->names[index].offset = offset;
  return index;
}
NameIndex Source::heap_slot(const std::string& name, TensorType type) {
  return add_name(Name::Kind::kHeapSlot, name, std::move(type), true);
}
NameIndex Source::reuse(const std::string& name, TensorType type, NameIndex base) {
  const NameIndex index = add_name(Name::Kind::kReuse, name, std::move(type), true);
  current_->names[index].base = base;
  return index;
}
NameIndex Source::view(const std::string& name, TensorType type, NameIndex base,
                       std::int64_t offset) {
  const NameIndex index = add_name(Name::Kind::kView, name, std::move(type), true);
  current_->names[index].base = base;
  current_->names[index].offset = offset;
  return index;
}
NameIndex Source::in_place(const std::string& name, TensorType type, NameIndex base) {
  const NameIndex index = add_name(Name::Kind::kInPlace, name, std::move(type), true);
  current_->names[index].base = base;
  return index;
}
NameIndex Source::in_place_of(TensorType type, NameIndex base) {
  const NameIndex index =
      add_name(Name::Kind::kInPlace, "wick::in_place<T>(" + current_->names[base].text + ")",
               std::move(type), false);
  current_->names[index].base = base;
  return index;
}
NameIndex Source::scratch(const std::string& name, std::int64_t bytes, std::int64_t offset) {
  const NameIndex index = add_name(Name::Kind::kWorkspace, name, {}, true);
  current_->names[index].bytes = bytes;
  current_->names[index].offset = offset;
  return index;
}
NameIndex Source::heap_scratch(const std::string& name, std::int64_t bytes) {
  const NameIndex index = add_name(Name::Kind::kHeapWorkspace, name, {}, true);
  current_->names[index].bytes = bytes;
  return index;
}

void Source::call(const std::string& function, std::vector<TemplateArgument> templates,
                  std::vector<Argument> arguments) {
  Statement& statement = add(Statement::Kind::kKernel);
  statement.function = function;
  statement.template_arguments = std::move(templates);
  statement.arguments = std::move(arguments);
  place_at(statement.arguments, statement.place);
}

void Source::map(NameIndex result, const std::vector<NameIndex>& operands) {
  std::vector<Argument> arguments = {out(result), kernel()};
  std::ranges::transform(operands, std::back_inserter(arguments), in);
  call("map", {}, std::move(arguments));
}
void Source::map_in_place(NameIndex result, const std::vector<NameIndex>& operands) {
  std::vector<Argument> arguments = {inout(result), kernel()};
  std::ranges::transform(operands, std::back_inserter(arguments), in);
  call("map_in_place", {}, std::move(arguments));
}
void Source::free(NameIndex name) { add(Statement::Kind::kFree).index = name; }
void Source::retire(NameIndex name) { add(Statement::Kind::kRetire).index = name; }

// ---- Functions ----------------------------------------------------------------------------------

void Source::begin_part(const std::string& name) {
  part_ = Function{};
  part_.name = name;
  part_.is_noexcept = true;
  current_ = &part_;
}
void Source::begin_prepare() { begin_part("prepare"); }
void Source::end_part() {
  program_.functions.push_back(part_);
  current_ = &run_;
}
void Source::call_part(std::uint32_t function) { add(Statement::Kind::kCall).index = function; }
void Source::prepare(std::uint32_t function) { add(Statement::Kind::kOnce).index = function; }

Program Source::done() {
  if (program_.has_arena) {
    Statement enter, leave;
    enter.kind = Statement::Kind::kEnter;
    leave.kind = Statement::Kind::kLeave;
    enter.bytes = leave.bytes = program_.arena_bytes;
    for (NameIndex i = 0; i < run_.names.size(); ++i) {
      const Name::Kind kind = run_.names[i].kind;
      if (kind == Name::Kind::kInput || kind == Name::Kind::kDonated || kind == Name::Kind::kOutput)
        enter.arguments.push_back(in(i));
    }
    run_.statements.insert(run_.statements.begin(), enter);
    run_.statements.push_back(leave);
  }
  program_.functions.push_back(run_);
  return program_;
}

std::vector<std::string> texts(const std::vector<Finding>& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings)
    all.push_back(std::to_string(finding.place.line) + ": " + finding.message);
  return all;
}

}  // namespace wick::frontend::check::testing

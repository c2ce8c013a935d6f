// Emitted files for tests of the checker, put together by hand: each statement stands on a line of
// its own, counted from 1.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check::testing {

TensorType type(DType dtype, const std::vector<std::int64_t>& extents);
TensorType f32(const std::vector<std::int64_t>& extents);
TensorType i32(const std::vector<std::int64_t>& extents);
TensorType i64(const std::vector<std::int64_t>& extents);
TensorType strided(const std::vector<std::int64_t>& extents,
                   const std::vector<std::int64_t>& strides);

// A name of the function that is written.
using NameIndex = std::uint32_t;

// Arguments as the runtime takes them.
Argument in(NameIndex name);
Argument out(NameIndex name);
Argument inout(NameIndex name);
Argument workspace(NameIndex name);
Argument kernel();
Argument reducer();
Argument literal();
Argument terms(std::vector<Argument> nested);
Argument results(std::vector<Argument> nested);
Argument outs(std::vector<Argument> nested);
Argument rows();
TemplateArgument integer(std::int64_t value);
TemplateArgument flag(bool value);
TemplateArgument list(TemplateArgument::Kind kind, std::vector<std::int64_t> values);
TemplateArgument axes(std::vector<std::int64_t> values);

class Source {
 public:
  // A file whose run has an arena of so many bytes; none if it is 0.
  explicit Source(std::int64_t arena_bytes);

  // ---- Parameters and what stands outside of functions ----
  NameIndex input(const std::string& name, TensorType type);
  NameIndex donated(const std::string& name, TensorType type);
  NameIndex output(const std::string& name, TensorType type);
  NameIndex constant(const std::string& name, TensorType type, std::int64_t offset);
  NameIndex bound(const std::string& name, TensorType type);
  void state(std::int64_t bytes);

  // ---- Statements ----
  NameIndex slot(const std::string& name, TensorType type, std::int64_t offset);
  NameIndex state_slot(const std::string& name, TensorType type, std::int64_t offset);
  NameIndex heap_slot(const std::string& name, TensorType type);
  NameIndex reuse(const std::string& name, TensorType type, NameIndex base);
  NameIndex view(const std::string& name, TensorType type, NameIndex base, std::int64_t offset = 0);
  NameIndex in_place(const std::string& name, TensorType type, NameIndex base);
  NameIndex scratch(const std::string& name, std::int64_t bytes, std::int64_t offset);
  NameIndex heap_scratch(const std::string& name, std::int64_t bytes);
  // wick::in_place<…>(base) where an operand stands.
  NameIndex in_place_of(TensorType type, NameIndex base);
  void call(const std::string& function, std::vector<TemplateArgument> templates,
            std::vector<Argument> arguments);
  void map(NameIndex result, const std::vector<NameIndex>& operands);
  void map_in_place(NameIndex result, const std::vector<NameIndex>& operands);
  void free(NameIndex name);
  void retire(NameIndex name);

  // ---- Functions ----
  // What follows belongs to a function of its own, which run calls; names of parameters are given
  // again with `parameter`.
  void begin_part(const std::string& name);
  NameIndex parameter(const std::string& name);
  void begin_prepare();
  // Back to run, which is written last.
  void end_part();
  void call_part(std::uint32_t function);
  void prepare(std::uint32_t function);

  Program& program() { return program_; }
  Function& function() { return *current_; }
  // With enter and leave.
  Program done();

 private:
  NameIndex add_parameter(Parameter::Kind kind, Name::Kind name_kind, const std::string& name,
                          TensorType type);
  NameIndex add_name(Name::Kind kind, const std::string& name, TensorType type, bool declare);
  Statement& add(Statement::Kind kind);
  Place next() { return {++line_, 3}; }

  Program program_;
  Function run_;
  Function part_;
  Function* current_ = &run_;
  std::uint32_t line_ = 0;
};

// "line: message" of each finding.
std::vector<std::string> texts(const std::vector<Finding>& findings);

}  // namespace wick::frontend::check::testing

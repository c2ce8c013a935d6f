// What an emitted header tells as data: the tables of its tensors, and the file of its weights.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/clang/context.h"

namespace wick::frontend::check {

// A line of a table: wick::describe<T>("name", overwritten).
struct Described {
  std::string name;  // in the graph
  TensorType type;
  bool overwritten = false;
  clang::SourceLocation location;
};
using Tables = std::map<std::string, std::vector<Described>>;

// inline constexpr wick::TensorInfo kInputs[] = {wick::describe<T>("x"), …};
void read_table(Context& context, Tables& tables, const clang::VarDecl* variable);

// Compares kParameters, kInputs and kOutputs, as far as they are there, with what run and the state
// take, and gives those their names in the graph. Requires: run was read.
void apply_tables(Context& context, const Tables& tables, Program& program);

// inline constexpr wick::PackedFile kWeightsFile{"m.weights", kWeightsBytes, 0x73a2279147601bac};
void read_packed_file(Context& context, Program& program, const clang::VarDecl* variable);

}  // namespace wick::frontend::check

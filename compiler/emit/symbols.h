// Every name of an emitted file, chosen before anything is written.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/emit.h"
#include "compiler/emit/names.h"
#include "compiler/emit/types.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

struct Symbols {
  std::string name_space;
  std::string file_name;                    // "digits": digits.h, digits.cpp …
  std::vector<std::string> inputs;          // parameters, or members of State for those bound once
  std::vector<std::string> outputs;         // parameters
  IdVector<TensorId, std::string> tensors;  // handles; constants: members of Weights
  IdVector<StorageId, std::string>
      offsets;  // constants of slots and cached values: kHidden; handles of workspaces
  IdVector<KernelId, std::string> kernels;  // the stem of a kernel's lambdas: "hidden"
  IdVector<BodyId, std::string> bodies;     // lambdas: hidden_kernel; filled by the kernels section
  std::vector<std::string> values;          // arrays of inline constants, one per constant
  std::string weights_symbol;               // of the embedded bytes
  IdVector<KernelId, std::string> rows;     // row programs: hidden_rows; filled like `bodies`
  Scope taken;                              // all of these, and the names inside lambdas
};

// The tensors that are written straight into an output: for each output its tensor, or none if it
// is copied.
std::vector<TensorId> owned_outputs(const Plan& plan);

// Inputs come first, then outputs, then what lies between, in the order of the program: so a name
// depends only on those before it.
Symbols choose_symbols(const Plan& plan, const EmitOptions& options);

// The namespace: the option, else the graph's name, else the file's.
std::string name_space_of(const Plan& plan, const EmitOptions& options);

// What C symbols of a namespace begin with: "a::b" -> "a_b".
std::string c_prefix(const std::string& name_space);

}  // namespace wick::compiler::cpp

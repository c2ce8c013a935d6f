// What an emitted file computes, as terms: the other side of the proof of faithfulness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontend/check/algebra.h"
#include "frontend/check/kernel_terms.h"
#include "frontend/check/packed.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

// Which inputs of the graph the caller's tensors are.
struct InputNumbers {
  std::vector<std::uint32_t> parameters;  // of each parameter of run; meaningless for others
  std::vector<std::uint32_t> bound;       // of each entry of Program::bound
};

struct ProgramTerms {
  std::vector<std::optional<TermView>> outputs;  // of each parameter of run; nothing for others
  std::vector<Finding> findings;                 // what could not be followed
};

// Follows the statements of `run`, those of its parts and of what it runs once, in the order in
// which they are executed. `packed` is the file of weights. Requires: a program that prove_safe
// accepts; of any other the result may be wrong, but it is a result. Cost: O(n log n) in
// statements, linear in the bytes of the weights.
ProgramTerms program_terms(const Program& program, const Packed& packed, const InputNumbers& inputs,
                           Algebra& algebra);

// A row program as a statement calls it.
struct RowCall {
  const RowProgram* rows = nullptr;
  std::vector<std::int64_t> axes;
  std::vector<TensorType> results;
  std::vector<TermView> operands;
};

// What each result of the call is; a finding, and unknown values, for what has no meaning.
std::vector<TermView> row_terms(const RowCall& call, Kernels& kernels, Algebra& algebra,
                                std::vector<Finding>& findings);

}  // namespace wick::frontend::check

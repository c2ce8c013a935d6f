// The equations of kernels, as terms.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/check/algebra.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

// Finds the op records by what they are written as in emitted code.
class WrittenOps {
 public:
  WrittenOps();
  // The elementwise operation of an expression; null if there is none of this form.
  const compiler::ops::OpRecord* elementwise(const Expression& expression) const;
  // The reduction, product or opaque operation whose runtime function this is; null if there is
  // none. `reducer` may be empty.
  const compiler::ops::OpRecord* call(const std::string& function,
                                      const std::string& reducer) const;

 private:
  std::map<std::string, const compiler::ops::OpRecord*> elementwise_;  // by form and token
  std::map<std::string, const compiler::ops::OpRecord*> calls_;        // by function and reducer
};

// What `kernel` makes of operands that broadcast to `shape`. `algebra.origin.name` names the
// result; its place moves through the kernel. What is written but has no record is a finding, and
// unknown.
TermView kernel_term(Algebra& algebra, const WrittenOps& ops, const Kernel& kernel,
                     const std::vector<TermView>& operands, const Shape& shape,
                     std::vector<Finding>& findings);

}  // namespace wick::frontend::check

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

// The kernels of a file.
class Kernels {
 public:
  Kernels(const Program& program, Algebra& algebra, std::vector<Finding>& findings);

  const WrittenOps& ops() const { return ops_; }
  bool has(std::uint32_t kernel) const { return kernel < program_.kernels.size(); }

  // What the kernel makes of operands that broadcast to `shape`. `algebra.origin` is where it is
  // used, and names the result; terms of a kernel that is used once come from its own lines. What
  // is written but has no record is a finding, and unknown.
  TermView apply(std::uint32_t kernel, const std::vector<TermView>& operands, const Shape& shape);

 private:
  void count(const std::vector<Argument>& arguments);
  TermView value_of(const Kernel& kernel, const Expression& expression,
                    const std::vector<TermView>& operands, const std::vector<TermView>& values,
                    const Shape& shape);
  TermView unknown(const Expression& expression, const Shape& shape, std::string why);

  const Program& program_;
  Algebra& algebra_;
  std::vector<Finding>& findings_;
  WrittenOps ops_;
  std::vector<std::uint32_t> uses_;  // of each kernel, in the text
};

}  // namespace wick::frontend::check

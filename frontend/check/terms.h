// What tensors are computed from, as terms: the form in which an emitted file and its graph are
// compared. Equal terms are one term, so that two values are equal if they read the same term
// through the same layout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ops/record.h"
#include "compiler/support/hash_index.h"
#include "compiler/support/ids.h"
#include "compiler/tensor/host_tensor.h"
#include "frontend/check/access.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

using TermId = compiler::Id<struct TermTag>;

// A tensor: the elements of a term, which are packed, read through a layout (in elements).
struct TermView {
  TermId base;
  Layout layout;
  // Not compared. Of a chain: which entry of Term::chains it is; of another term of the graph: how
  // many steps of a chain came to nothing before it (x / 4 * 4).
  std::uint32_t chain = 0;
  const Shape& shape() const { return layout.shape(); }
  friend bool operator==(const TermView& a, const TermView& b) {
    return a.base == b.base && a.layout == b.layout;
  }
};

// Where a term was first met: in the graph (as expanded) or in the emitted file.
struct Origin {
  compiler::ValueId value;  // invalid: in the file
  Place place;
  std::string name;  // in the file: of the result that was being computed
};

enum class TermKind : std::uint8_t {
  kEmpty,        // of any tensor without elements
  kInput,        // input `index` of the graph
  kConstant,     // `data`
  kElementwise,  // `op` for each element of `shape`; literals stand last among the operands
  kAffine,       // scale * x + shift for each element of `shape`
  kReduce,       // `text` (the reducer) along the axes of operand 0 whose entry in `numbers` is 1
  kProduct,      // operands [batch…, m, k] and [batch…, k, n]
  kCall,     // result `index` of the runtime function `text`; `numbers`: all that specialises it
  kMove,     // operand 0, written down packed
  kUnknown,  // what the file does not say: number `index`
};

// An operation with a number, as one step of a chain scale * x + shift.
struct ChainStep {
  TermId from;                   // the chain that it goes on with; invalid if it begins one
  std::uint32_t from_chain = 0;  // in which of the ways that the graph makes that
  compiler::ops::ScalarRole role{};
  double number = 0;
  double addend = 0;  // of a multiplication with addition
  bool number_first = false;
};

// A way in which the graph makes a chain. Chains are equal if their rounded coefficients are;
// what goes on with one goes on with the coefficients before that.
struct Chain {
  double scale = 1;
  double shift = 0;
  bool shifted = false;
  std::uint32_t steps = 0;
  ChainStep last;
};

struct Term {
  TermKind kind = TermKind::kUnknown;
  compiler::DType dtype = compiler::DType::kF32;
  Shape shape;  // of the packed elements
  const compiler::ops::OpRecord* op = nullptr;
  std::vector<TermView> operands;
  std::vector<std::int64_t> numbers;
  std::string text;
  std::uint32_t index = 0;
  compiler::HostTensor data;

  // kAffine. Coefficients are computed in double; what is compared is what those of the first
  // entry are rounded to.
  std::vector<Chain> chains;

  // Not compared: where it comes from, and the operands and axes before they were brought into
  // normal form (kReduce).
  Origin origin;
  TermView shown;
  std::vector<std::int64_t> shown_axes;
};

// A coefficient as it is compared: rounded to the dtype, unless that leaves no ordinary number.
double coefficient(double number, compiler::DType dtype);

// Whether two chains multiply and add the same, as far as it is compared.
bool same_coefficients(const Chain& a, const Chain& b, compiler::DType dtype);

class TermTable {
 public:
  // The term that is equal to `term`, entered if there is none. Cost: amortised linear in the size
  // of the term; of constants, in their bytes.
  TermId intern(Term term);

  std::optional<TermId> find(const Term& term) const;

  const Term& operator[](TermId id) const { return terms_[id]; }
  Term& operator[](TermId id) { return terms_[id]; }
  std::size_t size() const { return terms_.size(); }

 private:
  compiler::IdVector<TermId, Term> terms_;
  compiler::HashIndex index_;
};

}  // namespace wick::frontend::check

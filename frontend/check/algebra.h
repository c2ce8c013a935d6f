// The normal forms in which the two sides of the proof of faithfulness meet: each function makes
// the term of one operation and applies the laws that docs/checking.md states, the same for the
// graph and for the emitted file.
//
// The graph's terms are made first (Side::kGraph), then those of the file (Side::kProgram), which
// are then found among them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/terms.h"

namespace wick::frontend::check {

// A call of a runtime function that is none of map, copy, reduce, rows and matmul.
struct CallText {
  std::string function;                        // "gather"
  std::string reducer;                         // "Sum"; may be empty
  std::vector<std::int64_t> template_numbers;  // each list after its length
  std::vector<Literal> literals;
  bool is_idempotent = false;
};

class Algebra {
 public:
  enum class Side : std::uint8_t { kGraph, kProgram };

  Side side = Side::kGraph;
  Origin origin;  // of the terms that are made next

  const Term& operator[](TermId id) const { return terms_[id]; }
  const Term& term(const TermView& reading) const { return terms_[reading.base]; }
  DType dtype(const TermView& reading) const { return terms_[reading.base].dtype; }
  std::size_t size() const { return terms_.size(); }

  // ---- Leaves ----

  TermView input(std::uint32_t index, DType dtype, const Shape& shape);
  TermView constant(const compiler::HostTensor& data);
  TermView literal(Literal literal);
  TermView unknown(DType dtype, const Shape& shape);
  TermView empty(DType dtype, const Shape& shape);

  // ---- Operations ----
  // Operands that do not fit are our bug: who reads a file looks first.

  // `content` lies packed in memory and is read through `outer`.
  TermView viewed(const TermView& content, const Layout& outer);

  // `op` for each element of `shape`, to which the operands broadcast; the record's literals stand
  // last among them.
  TermView elementwise(const compiler::ops::OpRecord& op, DType dtype,
                       std::vector<TermView> operands, const Shape& shape);

  // `result` has the reduced axes with extent 1, or not at all.
  TermView reduced(const std::string& reducer, const TermView& operand,
                   const std::vector<std::int64_t>& axes, const Shape& result);

  // NumPy's product, of operands of rank 1 too.
  TermView product(const TermView& a, const TermView& b, const Shape& result);

  std::vector<TermView> call(const CallText& text, const std::vector<TermView>& operands,
                             std::span<const TensorType> results);

  // ---- Constants ----

  // The only element of a constant that is the same everywhere.
  std::optional<Literal> scalar(const TermView& reading) const;
  // True if `op` of these operands is computed when the graph is read.
  bool is_foldable(const compiler::ops::OpRecord& op, std::span<const TermView> operands,
                   std::span<const TensorType> results) const;
  // From now on what `computed` reads is this constant, which has its shape: the reading of it.
  TermView fold(const TermView& computed, const compiler::HostTensor& value);

 private:
  // A step of a chain and what it is applied to.
  struct Link {
    TermView x;
    ChainStep step;
  };

  // Columns [first, first + count) of a matrix with `of` columns.
  struct Columns {
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t of = 0;
  };

  TermId intern(Term term);
  std::int64_t columns_below(TermId id, int depth) const;
  std::optional<TermView> columns_of(const TermView& reading);
  std::optional<TermView> narrowed(TermId id, const Columns& columns, int depth);
  TermView over(TermId base, const Layout& layout);
  TermView moved(const TermView& content, const Layout& outer);
  TermView settled(TermId base, const Layout& layout);
  // Brings the operands, which have the shape, into the least space, and reads the result.
  TermView placed(Term term, const std::vector<TermView>& operands, const Shape& shape);

  std::optional<TermView> by_identity(const compiler::ops::OpRecord& op,
                                      const std::vector<TermView>& operands) const;
  std::optional<TermView> by_repetition(const compiler::ops::OpRecord& op, DType dtype,
                                        const std::vector<TermView>& operands);
  std::optional<Link> as_link(const compiler::ops::OpRecord& op,
                              const std::vector<TermView>& operands) const;
  TermView affine(const Link& link, DType dtype, const Shape& shape);
  TermView graph_chain(Term term);
  TermView program_chain(Term term, const std::vector<Chain>& below);
  std::optional<TermId> known_chain(Term& term, const std::vector<Chain>& below) const;
  template <class Use>
  void walk_back(const ChainStep& last, const Use& use) const;
  bool goes_through(TermId chain, TermId from) const;
  bool folds(const ChainStep& last, const ChainStep& step, DType dtype) const;
  bool is_known_way_back(TermId x, const ChainStep& step) const;

  TermTable terms_;
  std::unordered_map<TermId, TermView> folded_;
  std::unordered_map<TermId, std::vector<TermId>> affine_over_;  // the graph's, by what they read
  // The graph's last steps of chains that do nothing as a whole, by what they end at.
  std::unordered_map<TermId, std::vector<ChainStep>> ways_back_;
  std::uint32_t unknowns_ = 0;
};

}  // namespace wick::frontend::check

// What the parts of the mutator share.
#pragma once

#include <string>
#include <vector>

#include "tests/check/mutant.h"

namespace wick::mutation {

// Takes mutants.
class Collector {
 public:
  explicit Collector(const Emitted& emitted) : emitted_(emitted) {}

  const Emitted& emitted() const { return emitted_; }
  void add(std::string_view kind, Oracle oracle, std::string what, std::vector<Edit> edits);
  // `old` becomes `text`.
  void replace(std::string_view kind, Oracle oracle, Span old, const std::string& text);
  void swap(std::string_view kind, Oracle oracle, Span a, Span b);
  std::vector<Mutant> take() { return std::move(mutants_); }
  void flip(std::size_t byte, const std::string& what);

  // The lines that a span touches, whole.
  Span lines(Span span) const;

 private:
  const Emitted& emitted_;
  std::vector<Mutant> mutants_;
};

// A name of memory that a statement may use.
struct ScopeName {
  enum class Kind : std::uint8_t { kIn, kDonated, kOut, kSlot, kInPlace, kView, kConstant };
  std::string name;
  Type type;
  Kind kind = Kind::kIn;
  std::size_t since = 0;  // usable from this statement on

  bool is_writable() const {
    return kind == Kind::kDonated || kind == Kind::kOut || kind == Kind::kSlot ||
           kind == Kind::kInPlace;
  }
};

std::vector<ScopeName> scope_of(const Emitted& emitted, const Function& function);
const ScopeName* find_name(const std::vector<ScopeName>& scope, std::string_view name);

bool is_same_type(const Type& a, const Type& b);

// Whether a statement calls a kernel of the runtime: no declaration, free, enter or leave.
bool is_kernel_call(const Statement& statement);
// The arguments of a call with those of wick::terms, results and outs in their place.
std::vector<const Expression*> flat_arguments(const Expression& call);

// Each adds the mutants of some kinds.
void mutate_slots(Collector& to);      // where memory lies, and how much of it there is
void mutate_frees(Collector& to);      // frees, retired memory
void mutate_views(Collector& to);      // views, wrong in-place writes
void mutate_order(Collector& to);      // statements that are missing or stand elsewhere
void mutate_arguments(Collector& to);  // what a statement reads, writes, calls
void mutate_kernels(Collector& to);    // what a kernel computes
void mutate_rows(Collector& to);       // what a row program does
void mutate_constants(Collector& to);  // constants, inline and packed
void mutate_contract(Collector& to);   // the interface, and what emitted code never contains

}  // namespace wick::mutation

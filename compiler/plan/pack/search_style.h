// How one attempt of the tree search differs from another.
//
// No order of candidates wins everywhere, and a search that does not find a packing soon rarely
// finds one late: many short attempts in different styles beat a long one. Styles are numbered; the
// same number gives the same style on every machine, because only integers are involved.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/plan/pack/instance.h"

namespace wick::compiler::pack {

struct SearchStyle {
  std::vector<std::uint32_t> rank;  // by block: the lower is tried first, among equal offsets
  bool by_slack = false;            // before the rank: the candidate with the tightest section
  bool narrow = false;  // branch over the candidates of one section where that is complete
};

class SearchStyles {
 public:
  explicit SearchStyles(const Instance& instance);

  SearchStyle style(std::int64_t number) const;

 private:
  // Logarithms to base 2, in 1/256, of what makes a block hard to place.
  struct Traits {
    std::int64_t load;  // of its busiest section
    std::int64_t size;
    std::int64_t span;  // number of sections
  };
  std::vector<Traits> traits_;
};

}  // namespace wick::compiler::pack

// The lower bound is tried first, with most of the effort: tight targets cut the tree best, and
// most instances reach it. Where they do not, the rungs between it and the best packing so far are
// tried from below, and a hit lowers the ladder as a whole. The top rung, one unit below the best,
// is there for the proof: if it is impossible, the best is optimal.
//
// Each rung is attempted again and again in other styles. How much effort one deserves cannot be
// known, so efforts follow the sequence of Luby, Sinclair and Zuckerman (Optimal speedup of Las
// Vegas algorithms, 1993): 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., which is within a logarithmic factor
// of the best fixed choice.

#include "compiler/plan/pack/ladder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/plan/pack/search.h"

namespace wick::compiler::pack {
namespace {

// The term of the sequence with this number, counted from 1.
std::int64_t luby(std::int64_t number) {
  for (;;) {
    std::int64_t power = 1;
    while (2 * power - 1 <= number) power *= 2;
    if (power - 1 == number || 2 * power - 1 == number) return power == 1 ? 1 : (number + 1) / 2;
    number -= power - 1;
  }
}

class Ladder {
 public:
  Ladder(const Instance& instance, Placement best, const LadderLimits& limits)
      : instance_(instance),
        limits_(limits),
        search_(instance, limits.memory_bits),
        styles_(instance) {
    result_.best = std::move(best);
    result_.bound = instance.bound;
  }

  LadderResult climb() {
    constexpr int kAttemptsAtTheBound = 8;
    // In sixteenths of the way from the bound to the top rung.
    constexpr std::array<std::int64_t, 7> kRungs = {2, 6, 9, 11, 13, 15, 16};
    while (!finished()) {
      for (int i = 0; i < kAttemptsAtTheBound && !finished(); ++i) attempt(result_.bound);
      std::int64_t previous = result_.bound;
      for (const std::int64_t rung : kRungs) {
        if (finished()) break;
        const std::int64_t way = result_.best.height - 1 - result_.bound;
        const std::int64_t target = result_.bound + way / 16 * rung + way % 16 * rung / 16;
        if (target > previous) attempt(target);
        previous = std::max(previous, target);
      }
    }
    result_.nodes = search_.nodes();
    return std::move(result_);
  }

 private:
  bool out_of_effort() const { return search_.work() >= limits_.work || limits_.out_of_time(); }

  bool finished() const { return result_.best.height <= result_.bound || out_of_effort(); }

  void attempt(std::int64_t target) {
    const std::int64_t number = target == result_.bound ? ++bound_attempts_ : ++rung_attempts_;
    const std::int64_t unit = 4 * static_cast<std::int64_t>(instance_.blocks.size()) + 16;
    const SearchOutcome outcome = search_.run(target, styles_.style(number), unit * luby(number),
                                              [this] { return out_of_effort(); });
    if (outcome == SearchOutcome::kFound) {
      result_.best = search_.placement();
      result_.improved = true;
    } else if (outcome == SearchOutcome::kImpossible) {
      result_.bound = std::max(result_.bound, target + 1);
    }
  }

  const Instance& instance_;
  const LadderLimits& limits_;
  TreeSearch search_;
  SearchStyles styles_;
  // Rungs move with every hit, so that one of them is rarely attempted twice: they share a count,
  // or the first few styles would be all that any of them sees.
  std::int64_t bound_attempts_ = 0;
  std::int64_t rung_attempts_ = 0;
  LadderResult result_;
};

}  // namespace

LadderResult climb(const Instance& instance, Placement best, const LadderLimits& limits) {
  return Ladder(instance, std::move(best), limits).climb();
}

}  // namespace wick::compiler::pack

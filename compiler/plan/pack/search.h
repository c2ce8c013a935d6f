// Tree search for a packing below a given height. The essay is at the head of search.cpp.
//
// Requires an instance with at least one block, and room for its overlapping pairs.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/plan/pack/failed_states.h"
#include "compiler/plan/pack/instance.h"
#include "compiler/plan/pack/search_bounds.h"
#include "compiler/plan/pack/search_state.h"
#include "compiler/plan/pack/search_style.h"

namespace wick::compiler::pack {

enum class SearchOutcome {
  kFound,       // `placement()` is a packing no higher than the target
  kImpossible,  // there is none: the whole tree was searched
  kGaveUp,      // the budget is spent, or the caller stopped the search
};

class TreeSearch {
 public:
  /// Remembers 2^`memory_bits` failed states from run to run.
  TreeSearch(const Instance& instance, int memory_bits);

  TreeSearch(const TreeSearch&) = delete;
  TreeSearch& operator=(const TreeSearch&) = delete;

  /// Searches for a packing no higher than `target` until `budget` nodes are visited or `stop`,
  /// which is asked every 64 nodes, says so.
  SearchOutcome run(std::int64_t target, const SearchStyle& style, std::int64_t budget,
                    const std::function<bool()>& stop);

  /// The packing that the last run found.
  Placement placement() const;

  std::int64_t nodes() const { return nodes_; }

  /// Operations so far: a measure of time that is the same on every machine.
  std::int64_t work() const { return work_ + bounds_.work(); }

 private:
  using FrameIndex = std::size_t;
  using PartIndex = std::size_t;
  static constexpr std::size_t kNone = SIZE_MAX;

  // A part that waits to be packed.
  struct WaitingPart {
    std::size_t members = 0;  // in members_: [members, members_end)
    std::size_t members_end = 0;
    std::uint32_t first = 0;  // sections
    std::uint32_t last = 0;
    std::int64_t level = 0;     // offsets are at this level or above
    FrameIndex parent = kNone;  // whose placement split it off
    PartIndex next = kNone;     // what waits behind it
  };

  // A node of the tree on the path from the root: a part, and the choice of what is placed next in
  // it.
  struct Frame {
    WaitingPart part;
    std::size_t candidates = 0;  // in candidates_: [candidates, candidates_end)
    std::size_t candidates_end = 0;
    std::size_t tried = 0;         // candidates before this one are done with
    BlockIndex chosen = kNoBlock;  // placed at the moment
    StateHash hash;
    // Sizes of the stacks when the frame was opened.
    std::size_t trail = 0;
    std::size_t parts = 0;
    std::size_t members = 0;
  };

  // A candidate and what it is sorted by.
  struct Ranked {
    std::int64_t rest;
    std::int64_t slack;
    std::uint32_t rank;
    BlockIndex block;

    friend auto operator<=>(const Ranked&, const Ranked&) = default;
  };

  void start();
  void open(PartIndex index);
  PartIndex advance();
  void withdraw(Frame& frame);
  PartIndex choose(Frame& frame);
  PartIndex split(const Frame& frame);
  void push_part(const WaitingPart& part, PartIndex& waiting);
  void drop_frames_above(FrameIndex frame);

  bool alive(Frame& frame);
  Part part_of(const Frame& frame) const;
  void collect_candidates(Frame& frame);
  void narrow_candidates(const Frame& frame);
  void sort_candidates(const Frame& frame);

  const Instance& instance_;
  Overlaps overlaps_;
  SearchState state_;
  SearchBounds bounds_;
  FailedStates failed_;

  std::int64_t target_ = 0;
  const SearchStyle* style_ = nullptr;

  std::vector<Frame> frames_;
  std::vector<WaitingPart> parts_;
  std::vector<BlockIndex> members_;
  std::vector<BlockIndex> candidates_;
  std::vector<std::uint32_t> options_;  // by section, scratch of narrow_candidates
  std::vector<Ranked> ranked_;          // scratch of sort_candidates
  std::int64_t nodes_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace wick::compiler::pack

// The tree search.
//
// The problem. Blocks have a fixed place in time and are to be stacked in space below a target. In
// a packing of least total offset no block can move down, not even by jumping over others. Sort
// such a packing by offset, equal offsets by number: each block rests on the highest end of what
// came before it in its sections. So every packing worth looking for is found by placing blocks one
// after another where they rest, in order of non-decreasing offset.
//
//     target ─────────────────────────          level: the offset of what was placed last; what
//             .   .  +-----+  .   .             follows is placed there or above.
//             .   .  |  c  |  .   .             `d` rests below the level: it is *skipped* until
//     level ─ +------+-----+  . d .             something placed in its sections lifts it.
//             |  a   |     |  .   .             If all of d would fit below whatever comes
//             +------+  b  +------+             next, the packing could be lower in total: do
//             |      |     |  e   |             not go there.
//             +------+-----+------+
//
// A node of the tree is a state: what is placed, at which level. Its children place one block each.
// Five things keep the tree small.
//
// 1. Order. Offsets never decrease. When a child has failed, its block is skipped in the siblings
//    placed at the same offset or above: all packings with it there have been looked at. Blocks of
//    equal lifetime and size are placed in the order of their numbers.
// 2. Ceiling. Nothing is placed at or above the lowest end that an unplaced block would have at
//    rest, because that block would fit below (the last remark of the drawing).
// 3. Bounds by section (search_bounds.h). The tighter the target the more they cut: a target equal
//    to the lower bound often takes milliseconds where one slightly above takes minutes.
// 4. Parts. Where no unplaced block crosses a moment in time, what lies before and what lies after
//    it no longer influence each other. They become separate parts, packed one after the other. If
//    one of them cannot be packed, no other arrangement of its siblings will help: the search
//    returns to the placement that split them.
// 5. Memory. Whether a part can be packed depends on its unplaced blocks, where they rest and which
//    are skipped. States that failed are remembered; other paths often lead to them again.
//
// The path from the root is an explicit stack of frames, so that depth is no problem. Placing a
// block changes where others rest; a trail of old values restores that. A frame owns what lies
// above its marks in the stacks of members, candidates and parts. Parts that wait form linked lists
// through `next`, shared between frames and never changed.
//
// A node costs O(members of the part and overlaps of the placed block).

#include "compiler/plan/pack/search.h"

#include <algorithm>

namespace wick::compiler::pack {

TreeSearch::TreeSearch(const Instance& instance, int memory_bits)
    : instance_(instance),
      overlaps_(instance),
      state_(instance, overlaps_),
      bounds_(instance, overlaps_, state_),
      failed_(memory_bits),
      options_(instance.load.size()) {}

SearchOutcome TreeSearch::run(std::int64_t target, const SearchStyle& style, std::int64_t budget,
                              const std::function<bool()>& stop) {
  constexpr std::int64_t kNodesBetweenStops = 64;
  const std::int64_t limit = nodes_ + budget;
  target_ = target;
  style_ = &style;
  start();
  PartIndex waiting = split(frames_.back());
  while (waiting != kNone) {
    if (nodes_ >= limit) return SearchOutcome::kGaveUp;
    if (nodes_ % kNodesBetweenStops == 0 && stop()) return SearchOutcome::kGaveUp;
    open(waiting);
    waiting = advance();
    if (frames_.empty()) return SearchOutcome::kImpossible;
  }
  return SearchOutcome::kFound;
}

Placement TreeSearch::placement() const {
  Placement placement;
  placement.offsets = state_.offsets();
  for (BlockIndex block = 0; block < placement.offsets.size(); ++block) {
    placement.height = std::max(placement.height, state_.end(block));
  }
  return placement;
}

// The root frame has no choice to make; it is the parent of the parts that the whole falls into.
void TreeSearch::start() {
  state_.reset();
  frames_.clear();
  parts_.clear();
  candidates_.clear();
  members_.resize(instance_.blocks.size());
  for (BlockIndex i = 0; i < members_.size(); ++i) members_[i] = i;
  Frame root;
  root.part.members_end = members_.size();
  root.members = members_.size();
  frames_.push_back(root);
}

void TreeSearch::open(PartIndex index) {
  ++nodes_;
  Frame frame;
  frame.part = parts_[index];
  frame.parts = parts_.size();
  frame.members = members_.size();
  frame.candidates = candidates_.size();
  if (alive(frame)) collect_candidates(frame);
  frame.candidates_end = candidates_.size();
  frame.tried = frame.candidates;
  // What was skipped just now belongs to the state of the frame, and is undone with its parent.
  frame.trail = state_.mark();
  frames_.push_back(frame);
}

// Makes the next choice of the last frame that has one left, and returns the parts that then wait.
// Leaves no frame if there is no choice left at all.
TreeSearch::PartIndex TreeSearch::advance() {
  for (;;) {
    Frame& frame = frames_.back();
    withdraw(frame);
    if (frame.tried < frame.candidates_end) return choose(frame);
    if (frame.part.parent == kNone) {
      frames_.clear();
      return kNone;
    }
    failed_.insert(frame.hash);
    drop_frames_above(frame.part.parent);
  }
}

// Takes back the frame's choice and all that followed from it.
void TreeSearch::withdraw(Frame& frame) {
  if (frame.chosen != kNoBlock) state_.unplace(frame.chosen);
  frame.chosen = kNoBlock;
  state_.undo(frame.trail);
  parts_.resize(frame.parts);
  members_.resize(frame.members);
  candidates_.resize(frame.candidates_end);
}

TreeSearch::PartIndex TreeSearch::choose(Frame& frame) {
  const BlockIndex block = candidates_[frame.tried];
  for (std::size_t i = frame.candidates; i < frame.tried; ++i) {
    if (state_.rest(candidates_[i]) <= state_.rest(block)) state_.skip(candidates_[i]);
  }
  ++frame.tried;
  frame.chosen = block;
  state_.place(block);
  work_ += static_cast<std::int64_t>(overlaps_.by_index[block].size()) * 2;
  return split(frame);
}

// The parts that the frame's unplaced members fall into, before what waited already.
TreeSearch::PartIndex TreeSearch::split(const Frame& frame) {
  PartIndex waiting = frame.part.next;
  WaitingPart part;
  part.parent = static_cast<FrameIndex>(&frame - frames_.data());
  part.level = frame.chosen == kNoBlock ? 0 : state_.rest(frame.chosen);
  part.members = members_.size();
  for (std::size_t i = frame.part.members; i < frame.part.members_end; ++i) {
    const BlockIndex member = members_[i];
    if (member == frame.chosen) continue;
    const Block& block = instance_.blocks[member];
    if (block.first >= part.last) {
      push_part(part, waiting);
      part.members = members_.size();
      part.first = block.first;
    }
    part.last = std::max(part.last, block.last);
    members_.push_back(member);
  }
  push_part(part, waiting);
  return waiting;
}

// Does nothing if the part is empty.
void TreeSearch::push_part(const WaitingPart& part, PartIndex& waiting) {
  if (part.members == members_.size()) return;
  parts_.push_back(part);
  parts_.back().members_end = members_.size();
  parts_.back().next = waiting;
  waiting = parts_.size() - 1;
}

void TreeSearch::drop_frames_above(FrameIndex index) {
  while (frames_.size() > index + 1) {
    withdraw(frames_.back());
    candidates_.resize(frames_.back().candidates);
    frames_.pop_back();
  }
}

Part TreeSearch::part_of(const Frame& frame) const {
  const auto begin = members_.begin() + static_cast<std::ptrdiff_t>(frame.part.members);
  const auto end = members_.begin() + static_cast<std::ptrdiff_t>(frame.part.members_end);
  return {{begin, end}, frame.part.first, frame.part.last};
}

// Settles the state of a new frame; false if it is known or seen to fail.
bool TreeSearch::alive(Frame& frame) {
  const Part part = part_of(frame);
  for (const BlockIndex member : part.members) {
    if (state_.rest(member) < frame.part.level && !state_.skipped(member)) state_.skip(member);
  }
  frame.hash = state_.hash(part, target_);
  if (failed_.contains(frame.hash)) return false;
  return bounds_.hold(part, frame.part.level, target_);
}

// The blocks that may be placed next, in the order in which they are tried.
void TreeSearch::collect_candidates(Frame& frame) {
  const Part part = part_of(frame);
  std::int64_t ceiling = kNever;
  for (const BlockIndex member : part.members) {
    ceiling = std::min(ceiling, state_.end(member));
  }
  // No section may be left with too little room above the new level.
  for (std::uint32_t s = part.first; s < part.last; ++s) {
    ceiling = std::min(ceiling, target_ - state_.remaining(s) + 1);
  }
  for (const BlockIndex member : part.members) {
    const std::int64_t rest = state_.rest(member);
    if (state_.skipped(member) || rest >= ceiling || bounds_.lower(member) > rest) continue;
    const BlockIndex twin = overlaps_.twin[member];
    if (twin != kNoBlock && !state_.placed(twin)) continue;
    candidates_.push_back(member);
  }
  if (candidates_.size() == frame.candidates) return;
  if (style_->narrow) narrow_candidates(frame);
  sort_candidates(frame);
}

// If a section must start at the lowest offset of all candidates, one of those that start it there
// is placed next, or could be: those placed at that offset elsewhere commute with it. Of all such
// sections the one with the fewest candidates is taken.
void TreeSearch::narrow_candidates(const Frame& frame) {
  const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(frame.candidates);
  std::int64_t lowest = kNever;
  for (auto it = begin; it != candidates_.end(); ++it) {
    lowest = std::min(lowest, state_.rest(*it));
  }
  const Part part = part_of(frame);
  std::fill(options_.begin() + part.first, options_.begin() + part.last, 0U);
  for (auto it = begin; it != candidates_.end(); ++it) {
    if (state_.rest(*it) != lowest) continue;
    const Block& block = instance_.blocks[*it];
    for (std::uint32_t s = block.first; s < block.last; ++s) ++options_[s];
  }
  std::uint32_t narrowest = part.last;
  for (std::uint32_t s = part.first; s < part.last; ++s) {
    const bool due = target_ - state_.remaining(s) == lowest;
    if (due && (narrowest == part.last || options_[s] < options_[narrowest])) narrowest = s;
  }
  if (narrowest == part.last) return;
  const auto elsewhere = [&](BlockIndex index) {
    const Block& block = instance_.blocks[index];
    return state_.rest(index) != lowest || narrowest < block.first || block.last <= narrowest;
  };
  candidates_.erase(std::remove_if(begin, candidates_.end(), elsewhere), candidates_.end());
}

// By offset, then by the style.
void TreeSearch::sort_candidates(const Frame& frame) {
  ranked_.clear();
  for (std::size_t i = frame.candidates; i < candidates_.size(); ++i) {
    const BlockIndex candidate = candidates_[i];
    std::int64_t slack = 0;
    if (style_->by_slack) {
      const Block& block = instance_.blocks[candidate];
      slack = bounds_.slack(block.first);
      for (std::uint32_t s = block.first; s < block.last; ++s) {
        slack = std::min(slack, bounds_.slack(s));
      }
    }
    ranked_.push_back({state_.rest(candidate), slack, style_->rank[candidate], candidate});
  }
  std::sort(ranked_.begin(), ranked_.end());
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    candidates_[frame.candidates + i] = ranked_[i].block;
  }
}

}  // namespace wick::compiler::pack

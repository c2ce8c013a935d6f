// The normal form of a packing problem, on which all packers work.
//
// Guarantees:
// - Blocks that take no space are gone; the others are sorted by (first, last, size, alignment), so
//   that the order of the caller's buffers cannot influence a packing's height.
// - Time is counted in *sections*. Only the moments matter at which the set of living blocks is
//   maximal, that is after some births and before the next death; each is one section, and blocks
//   overlap in time if and only if they share a section.
//
//       time      0    1    2    3    4    5
//       a         [---------)                      sections of a: [0, 1)
//       b              [--------------)            sections of b: [0, 2)
//       c                   [--------------)       sections of c: [1, 2)
//       section        0         1
//
// - Space is counted in *units*: the greatest common divisor of the alignments, and where all
//   blocks have that alignment also of the sizes. A packing whose blocks all rest on others or on
//   the ground has only such offsets.
//
// Cost: O(n log n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/plan/pack/pack.h"

namespace wick::compiler::pack {

struct Block {
  std::uint32_t first = 0;  // sections [first, last)
  std::uint32_t last = 0;
  std::int64_t size = 0;       // units
  std::int64_t alignment = 1;  // units
};

struct Instance {
  std::vector<Block> blocks;
  std::vector<std::size_t> origin;  // blocks[i] was buffers[origin[i]]
  std::vector<std::int64_t> load;   // by section: units alive in it
  std::int64_t unit = 1;            // bytes
  std::int64_t bound = 0;           // units: the highest load
  std::int64_t pairs = 0;           // pairs of blocks that overlap in time
};

/// Requires a problem without fault.
Instance make_instance(const Problem& problem);

/// The same instance with time running backwards; block i stays block i.
Instance reversed(const Instance& instance);

/// `offset` rounded up to a multiple of `alignment`.
inline std::int64_t align_up(std::int64_t offset, std::int64_t alignment) {
  if (alignment == 1) return offset;
  return (offset + alignment - 1) / alignment * alignment;
}

/// Offsets by block, in units, and the highest end.
struct Placement {
  std::vector<std::int64_t> offsets;
  std::int64_t height = 0;
};

}  // namespace wick::compiler::pack

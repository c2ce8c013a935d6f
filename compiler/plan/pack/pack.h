// Packing: an offset in one arena for each buffer, so that buffers alive together never overlap and
// the highest end is as low as can be.
//
// The problem is known as dynamic storage allocation: rectangles of fixed place in time, free to
// move up and down in space. It is NP-hard, so there are two entry points:
//
//   pack        the default: heuristics in O(n log n); where they miss the lower bound, a tree
//               search with a fixed budget. Budgets are counted in operations, never in seconds:
//               the result is the same on every machine.
//   pack_exact  searches on until the packing is proven optimal or the time is up, and says which.
//
// All intervals are half-open. A buffer of size 0 or with an empty lifetime takes no space and gets
// offset 0.
//
//    space
//      ^      +-----+
//      |      |  c  |          a = {0, 4, 2}    c = {2, 4, 1}
//      |  +---+-----+-----+    b = {4, 6, 3}
//      |  |     a   |  b  |
//      +--+---------+-----+--> time
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wick::compiler::pack {

/// A block of memory that is alive in [lower, upper). Times have no unit; only their order matters.
struct Buffer {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t size = 0;       ///< bytes, at least 0
  std::int64_t alignment = 1;  ///< bytes, at least 1: the offset is a multiple of it
};

struct Problem {
  std::vector<Buffer> buffers;
};

/// The sizes and alignments of a problem's buffers together are at most this: far more than any
/// memory, and small enough that no sum of offsets, sizes and alignments overflows.
inline constexpr std::int64_t kMaxTotal = (std::int64_t{1} << 61) - 1;

/// What is known about the height of a packing.
enum class Proof {
  kOptimal,  ///< no packing is lower: the height equals the proven bound
  kGap,      ///< a packing between the bound and the height may exist
};

/// What found the packing.
enum class Method {
  kTrivial,  ///< nothing takes space
  kBestFit,  ///< time-ordered best fit
  kSkyline,  ///< lowest feasible offset first
  kSearch,   ///< tree search
};

std::string_view name(Proof proof);
std::string_view name(Method method);

/// A packing. Sizes count in whole units of the greatest common divisor of all alignments, because
/// nothing else can start inside such a unit: with one common alignment of 64, a buffer of 4 bytes
/// counts as 64 in `height` and `lower_bound`.
struct Packing {
  std::vector<std::int64_t> offsets;  ///< bytes; offsets[i] belongs to buffers[i]
  std::int64_t height = 0;            ///< bytes; the highest end
  std::int64_t lower_bound = 0;       ///< bytes; no packing is lower than this (proven)
  Proof proof = Proof::kOptimal;
  Method method = Method::kTrivial;
  std::int64_t nodes = 0;  ///< nodes of the tree search that were visited
};

/// The reason why `problem` cannot be packed, or nothing: a negative size, an alignment below 1, a
/// lifetime that ends before it starts, or sizes and alignments whose sum exceeds `kMaxTotal`.
std::optional<std::string> find_fault(const Problem& problem);

/// The most bytes alive at once: no packing is lower. O(n log n).
/// Throws std::invalid_argument if `find_fault` finds one, as do `pack` and `pack_exact`.
std::int64_t lower_bound(const Problem& problem);

/// The default packer. O(n log n) time plus a constant budget; deterministic on every machine, and
/// the height does not depend on the order of the buffers or on where their times start.
Packing pack(const Problem& problem);

/// Like `pack`, then searches until the packing is proven optimal or `limit` has passed: `proof`
/// says which. Where more than 20 million pairs of buffers overlap in time there is no search.
Packing pack_exact(const Problem& problem, std::chrono::milliseconds limit);

/// The first fault of `offsets` as a packing of `problem`, or nothing: a wrong count, a negative or
/// misaligned offset, or two buffers that share a byte while both are alive. Shares no code with
/// the packers. O(n log n).
std::optional<std::string> find_overlap(const Problem& problem,
                                        const std::vector<std::int64_t>& offsets);

}  // namespace wick::compiler::pack

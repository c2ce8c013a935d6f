// The portfolio: cheap packers first, each next one only while the bound is missed.

#include "compiler/plan/pack/pack.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "compiler/plan/pack/best_fit.h"
#include "compiler/plan/pack/instance.h"
#include "compiler/plan/pack/ladder.h"
#include "compiler/plan/pack/skyline.h"

namespace wick::compiler::pack {
namespace {

// The best packing so far, in units, and how it came about.
struct Best {
  Placement placement;
  Method method = Method::kTrivial;

  void offer(Placement candidate, Method candidate_method) {
    if (!placement.offsets.empty() && candidate.height >= placement.height) return;
    placement = std::move(candidate);
    method = candidate_method;
  }
};

// Above this number of blocks each packer is tried with fewer keys: the portfolio stays within
// seconds for a million.
constexpr std::size_t kManyBlocks = 100'000;

void try_best_fit(const Instance& instance, Best& best) {
  const Instance backwards = reversed(instance);
  const bool many = instance.blocks.size() > kManyBlocks;
  for (const BirthOrder order :
       {BirthOrder::kLargest, BirthOrder::kLongest, BirthOrder::kBusiestArea}) {
    for (const Instance* direction : {&instance, &backwards}) {
      if (best.placement.height == instance.bound) return;
      best.offer(best_fit(*direction, order), Method::kBestFit);
    }
    if (many) return;
  }
}

void try_skyline(const Instance& instance, Best& best) {
  const bool many = instance.blocks.size() > kManyBlocks;
  const std::int64_t max_pops = static_cast<std::int64_t>(instance.blocks.size()) * (many ? 2 : 64);
  for (const SkylineKey key :
       {SkylineKey::kBusiest, SkylineKey::kLongest, SkylineKey::kArea, SkylineKey::kLargest}) {
    if (best.placement.height == instance.bound) return;
    if (auto placement = skyline(instance, key, max_pops)) {
      best.offer(std::move(*placement), Method::kSkyline);
    }
    if (many) return;
  }
}

Best run_heuristics(const Instance& instance) {
  Best best;
  try_best_fit(instance, best);
  try_skyline(instance, best);
  return best;
}

void require_sound(const Problem& problem) {
  if (const auto fault = find_fault(problem)) throw std::invalid_argument(*fault);
}

// The tree search pays where a dive to a first leaf, about `n` nodes of `n` operations, is a small
// part of the effort, and where the overlapping pairs fit into memory.
bool search_pays(const Instance& instance, std::int64_t work) {
  constexpr std::int64_t kMostPairs = 20'000'000;
  const auto count = static_cast<std::int64_t>(instance.blocks.size());
  return instance.pairs <= kMostPairs && count * count < work / 8;
}

// The default packer's effort, about 0.2 s: small problems get less, for they are many and are
// exhausted soon.
std::int64_t default_work(std::size_t buffers) {
  constexpr std::int64_t kMost = 120'000'000;
  constexpr std::int64_t kPerBuffer = 400'000;
  return std::min(kMost,
                  static_cast<std::int64_t>(std::min<std::size_t>(buffers, 1000)) * kPerBuffer);
}

Packing solve(const Problem& problem, const LadderLimits& limits) {
  require_sound(problem);
  const Instance instance = make_instance(problem);
  Best best = run_heuristics(instance);
  std::int64_t bound = instance.bound;
  std::int64_t nodes = 0;
  if (best.placement.height > bound && search_pays(instance, limits.work)) {
    LadderResult result = climb(instance, std::move(best.placement), limits);
    best.placement = std::move(result.best);
    if (result.improved) best.method = Method::kSearch;
    bound = result.bound;
    nodes = result.nodes;
  }
  Packing packing;
  packing.offsets.assign(problem.buffers.size(), 0);
  for (std::size_t i = 0; i < instance.blocks.size(); ++i) {
    packing.offsets[instance.origin[i]] = best.placement.offsets[i] * instance.unit;
  }
  packing.height = best.placement.height * instance.unit;
  packing.lower_bound = bound * instance.unit;
  packing.proof = packing.height == packing.lower_bound ? Proof::kOptimal : Proof::kGap;
  packing.method = best.method;
  packing.nodes = nodes;
  return packing;
}

}  // namespace

std::string_view name(Proof proof) { return proof == Proof::kOptimal ? "optimal" : "gap"; }

std::string_view name(Method method) {
  switch (method) {
    case Method::kTrivial:
      return "trivial";
    case Method::kBestFit:
      return "best fit";
    case Method::kSkyline:
      return "skyline";
    case Method::kSearch:
      return "search";
  }
  return "";
}

std::optional<std::string> find_fault(const Problem& problem) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    const std::string who = "buffer " + std::to_string(i) + ": ";
    if (buffer.size < 0) return who + "its size is negative";
    if (buffer.alignment < 1) return who + "its alignment is less than 1";
    if (buffer.lower > buffer.upper) return who + "its lifetime ends before it starts";
    if (buffer.size > kMaxTotal || buffer.alignment > kMaxTotal ||
        buffer.size + buffer.alignment > kMaxTotal - total) {
      return who + "the sizes do not fit into 61 bits together";
    }
    total += buffer.size + buffer.alignment;
  }
  return std::nullopt;
}

std::int64_t lower_bound(const Problem& problem) {
  require_sound(problem);
  const Instance instance = make_instance(problem);
  return instance.bound * instance.unit;
}

Packing pack(const Problem& problem) {
  LadderLimits limits;
  limits.work = default_work(problem.buffers.size());
  return solve(problem, limits);
}

Packing pack_exact(const Problem& problem, std::chrono::milliseconds limit) {
  const auto start = std::chrono::steady_clock::now();
  LadderLimits limits;
  limits.work = std::numeric_limits<std::int64_t>::max();
  limits.out_of_time = [&] { return std::chrono::steady_clock::now() - start >= limit; };
  limits.memory_bits = 20;
  return solve(problem, limits);
}

}  // namespace wick::compiler::pack

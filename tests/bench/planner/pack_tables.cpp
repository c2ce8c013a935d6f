#include "tests/bench/planner/pack_tables.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "compiler/plan/pack/lifetimes.h"
#include "compiler/plan/pack/pack.h"

namespace wick::compiler::pack {
namespace {

struct Case {
  const char* file;
  bool hard;
  std::int64_t goal;  // of the exact search: the published optimum, or 1048576
};

constexpr Case kCases[] = {
    {"A.1048576.csv", true, 1048576},    {"B.1048576.csv", true, 1048576},
    {"C.1048576.csv", true, 1039360},    {"D.1048576.csv", true, 1048576},
    {"E.1048576.csv", true, 1048576},    {"F.1048576.csv", true, 1048576},
    {"G.1048576.csv", true, 1048576},    {"H.1048576.csv", true, 1048576},
    {"I.1048576.csv", true, 1048576},    {"J.1048576.csv", true, 1048576},
    {"K.1048576.csv", true, 1048576},    {"G_1.csv", false, 3030937746},
    {"resnet50.csv", false, 1515472556},
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double ratio(std::int64_t height, std::int64_t bound) {
  return static_cast<double>(height) / static_cast<double>(bound);
}

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "pack_bench: %s\n", message.c_str());
  std::exit(1);
}

void require_sound(const Problem& problem, const std::vector<std::int64_t>& offsets) {
  if (const auto fault = find_overlap(problem, offsets)) fail(*fault);
}

Problem read_case(const std::string& name) {
  std::ifstream file(std::string(WICK_SOURCE_DIR "/tests/data/lifetimes/") + name);
  LifetimesResult result = read_lifetimes(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!result.errors.empty()) fail(name + ": " + result.errors[0].message);
  return std::move(result.lifetimes.problem);
}

// Places the buffers in the given order, each at the lowest offset that is free among those before.
std::int64_t place_in_order(const Problem& problem, const std::vector<std::size_t>& order) {
  const std::vector<Buffer>& buffers = problem.buffers;
  std::vector<std::int64_t> offsets(buffers.size(), 0);
  std::vector<std::size_t> placed;  // by offset
  std::int64_t height = 0;
  for (const std::size_t index : order) {
    const Buffer& buffer = buffers[index];
    std::int64_t offset = 0;
    for (const std::size_t other : placed) {
      if (buffers[other].upper <= buffer.lower || buffer.upper <= buffers[other].lower) continue;
      if (offsets[other] >= offset + buffer.size) break;
      offset = std::max(offset, offsets[other] + buffers[other].size);
    }
    offsets[index] = offset;
    height = std::max(height, offset + buffer.size);
    const auto by_offset = [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), index, by_offset), index);
  }
  require_sound(problem, offsets);
  return height;
}

template <typename Key>
std::int64_t place_sorted_by(const Problem& problem, Key key) {
  std::vector<std::size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key_a = key(problem.buffers[a]);
    const auto key_b = key(problem.buffers[b]);
    return key_a != key_b ? key_a < key_b : a < b;
  });
  return place_in_order(problem, order);
}

std::int64_t greedy_by_size(const Problem& problem) {
  return place_sorted_by(problem, [](const Buffer& buffer) { return -buffer.size; });
}

std::int64_t first_fit(const Problem& problem) {
  return place_sorted_by(problem, [](const Buffer& buffer) { return buffer.lower; });
}

// The same problem as another tool would write it: rows permuted, times moved.
Problem disguised(Problem problem) {
  std::mt19937 random(1);
  for (std::size_t i = problem.buffers.size(); i > 1; --i) {
    std::swap(problem.buffers[i - 1], problem.buffers[random() % i]);
  }
  for (Buffer& buffer : problem.buffers) {
    buffer.lower -= 123'456'789;
    buffer.upper -= 123'456'789;
  }
  return problem;
}

struct Timed {
  Packing packing;
  double seconds = 0;
};

template <typename Packer>
Timed timed(const Problem& problem, Packer packer) {
  const double start = processor_seconds();
  Timed result{packer(problem), 0};
  result.seconds = processor_seconds() - start;
  require_sound(problem, result.packing.offsets);
  return result;
}

void print_default() {
  std::printf("\n## Default packer: peak / most bytes alive at once\n\n");
  std::printf("| set | buffers | first fit | greedy by size | wick | found by | seconds |\n");
  std::printf("|---|--:|--:|--:|--:|---|--:|\n");
  double sum = 0;
  double worst = 0;
  int hard = 0;
  for (const Case& entry : kCases) {
    const Problem problem = read_case(entry.file);
    const std::int64_t bound = lower_bound(problem);
    const Timed result = timed(problem, pack);
    const double wick = ratio(result.packing.height, bound);
    std::printf("| %s | %zu | %.3f | %.3f | %.4f | %s | %.2f |\n", entry.file,
                problem.buffers.size(), ratio(first_fit(problem), bound),
                ratio(greedy_by_size(problem), bound), wick, name(result.packing.method).data(),
                result.seconds);
    if (!entry.hard) continue;
    ++hard;
    sum += wick;
    worst = std::max(worst, wick);
  }
  std::printf("\nHard sets: mean %.3f (wanted 1.12), worst %.3f (wanted 1.23).\n", sum / hard,
              worst);
}

void print_exact(std::chrono::milliseconds limit) {
  std::printf("\n## Exact search, limit %.1f s each\n\n",
              std::chrono::duration<double>(limit).count());
  std::printf("| set | goal | peak | proof | seconds | nodes | disguised: peak | seconds |\n");
  std::printf("|---|--:|--:|---|--:|--:|--:|--:|\n");
  double total = 0;
  double total_disguised = 0;
  int missed = 0;
  const auto exact = [&](const Problem& problem) { return pack_exact(problem, limit); };
  for (const Case& entry : kCases) {
    const Problem problem = read_case(entry.file);
    const Timed plain = timed(problem, exact);
    const Timed other = timed(disguised(problem), exact);
    std::printf("| %s | %lld | %lld | %s | %.2f | %lld | %lld | %.2f |\n", entry.file,
                static_cast<long long>(entry.goal), static_cast<long long>(plain.packing.height),
                name(plain.packing.proof).data(), plain.seconds,
                static_cast<long long>(plain.packing.nodes),
                static_cast<long long>(other.packing.height), other.seconds);
    total += plain.seconds;
    total_disguised += other.seconds;
    if (std::max(plain.packing.height, other.packing.height) > entry.goal) ++missed;
  }
  std::printf("\n%d goals missed; %.1f s in all (wanted 20), disguised %.1f s.\n", missed, total,
              total_disguised);
}

enum class Shape { kChain, kShortLived, kMixed, kTraining };

// A million buffers, of the kinds that graphs have.
Problem million(Shape shape) {
  constexpr std::int64_t kCount = 1'000'000;
  std::mt19937_64 random(7);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  Problem problem;
  for (std::int64_t i = 0; i < kCount; ++i) {
    std::int64_t lower = below(kCount);
    std::int64_t span = 1 + below(20);
    if (shape == Shape::kChain) {
      lower = i;
      span = 1 + below(3);
    } else if (shape == Shape::kMixed && below(100) == 0) {
      span = 1 + below(5000);
    } else if (shape == Shape::kTraining) {  // each forward value is read on the way back
      lower = i;
      span = i < kCount / 2 ? kCount - 2 * i : 2;
    }
    const std::int64_t size = 64 * (1 + below(below(4) == 0 ? 4096 : 16));
    problem.buffers.push_back({lower, lower + span, size, 64});
  }
  return problem;
}

void print_million() {
  std::printf("\n## A million buffers, default packer\n\n");
  std::printf("| lifetimes | peak / bound | found by | seconds (wanted 4) | sweep |\n");
  std::printf("|---|--:|---|--:|--:|\n");
  const std::pair<Shape, const char*> shapes[] = {{Shape::kChain, "a chain"},
                                                  {Shape::kShortLived, "short, at random"},
                                                  {Shape::kMixed, "short, one in 100 long"},
                                                  {Shape::kTraining, "forward and backward"}};
  for (const auto& [shape, text] : shapes) {
    const Problem problem = million(shape);
    const double start = processor_seconds();
    const Packing packing = pack(problem);
    const double packed = processor_seconds();
    require_sound(problem, packing.offsets);
    std::printf("| %s | %.4f | %s | %.2f | %.2f |\n", text,
                ratio(packing.height, packing.lower_bound), name(packing.method).data(),
                packed - start, processor_seconds() - packed);
  }
}

}  // namespace
}  // namespace wick::compiler::pack

namespace wick::bench {

void print_packing_tables(double seconds) {
  std::printf("# Packing\n");
  compiler::pack::print_default();
  compiler::pack::print_exact(std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds)));
  compiler::pack::print_million();
}

}  // namespace wick::bench

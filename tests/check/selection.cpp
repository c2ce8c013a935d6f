#include "tests/check/selection.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/random.h"

namespace wick::mutation {
namespace {

// The mutants of one kind: for each subject that has some, those that are left, in random order.
using Pool = std::vector<std::vector<Chosen>>;

std::map<std::string_view, Pool> pools_of(std::span<const Subject> subjects) {
  std::map<std::string_view, Pool> pools;
  for (const Subject& subject : subjects) {
    std::map<std::string_view, std::vector<Chosen>> found;
    for (Mutant& mutant : mutants_of(subject.emitted))
      found[mutant.kind].push_back({&subject, std::move(mutant)});
    for (auto& [kind, mutants] : found) {
      if (std::ranges::find(kinds(), kind) == kinds().end())
        throw std::runtime_error("a kind that the table does not know: " + std::string(kind));
      pools[kind].push_back(std::move(mutants));
    }
  }
  return pools;
}

}  // namespace

std::vector<Chosen> choose_mutants(std::span<const Subject> subjects, std::size_t count,
                                   std::uint64_t seed) {
  std::map<std::string_view, Pool> pools = pools_of(subjects);
  compiler::testing::Random random(seed);
  for (auto& [kind, pool] : pools) {
    random.shuffle(pool);
    for (std::vector<Chosen>& mutants : pool) random.shuffle(mutants);
  }
  std::vector<Chosen> chosen;
  for (std::size_t turn = 0; chosen.size() < count && !pools.empty(); ++turn) {
    for (const std::string_view kind : kinds()) {
      const auto found = pools.find(kind);
      if (found == pools.end() || chosen.size() >= count) continue;
      Pool& pool = found->second;
      const std::size_t at = turn % pool.size();
      chosen.push_back(std::move(pool[at].back()));
      pool[at].pop_back();
      if (pool[at].empty()) pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(at));
      if (pool.empty()) pools.erase(found);
    }
  }
  return chosen;
}

}  // namespace wick::mutation

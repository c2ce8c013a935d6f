// A fixed choice among all mutants of all subjects, spread evenly over kinds and subjects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tests/check/mutant.h"
#include "tests/check/subjects.h"

namespace wick::mutation {

struct Chosen {
  const Subject* subject = nullptr;
  Mutant mutant;
};

// `count` different mutants, or all if there are fewer: the same for the same seed. Kinds take
// turns, and within a kind the subjects do; what a kind cannot fill, the others do.
std::vector<Chosen> choose_mutants(std::span<const Subject> subjects, std::size_t count,
                                   std::uint64_t seed);

}  // namespace wick::mutation

// Runs mutants beside their originals.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/check/mutant.h"
#include "tests/check/subjects.h"

namespace wick::mutation {

struct Pair {
  const Subject* subject = nullptr;
  MutatedFiles mutant;  // with the interface of the original
  // What it runs beside: another compilation of the same graph; null: the subject itself.
  const Subject* other = nullptr;
};

struct Outcome {
  enum class Kind {
    kSame,        // all results of all runs have equal bits, all NaN counted as one value
    kDifferent,   // they do not, or the mutant crashed or did not end
    kNoCompiler,  // a C++ compiler refuses the mutant
  };
  Kind kind = Kind::kSame;
  std::string what;
};

// Compiles all pairs into programs in `folder`, which is made, and calls each function twice on
// several inputs: small whole numbers, special values, fractions. Slots are filled with signalling
// NaN when they are freed. A program that cannot be run makes all its pairs different.
std::vector<Outcome> run_pairs(const std::string& folder, std::span<const Pair> pairs);

// Which mutants a C++ compiler accepts.
std::vector<bool> compile_alone(const std::string& folder, std::span<const Pair> pairs);

}  // namespace wick::mutation

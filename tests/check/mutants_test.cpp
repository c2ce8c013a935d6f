// Breaks emitted files in every way that the mutator knows and puts them to the checker. The suite
// runs a fixed 500 mutants; WICK_CHECK_MUTANTS and WICK_CHECK_SEED choose others: the documented
// target `check-mutants` runs 10,000. WICK_CHECK_REPORT names a file for what was accepted.
//
// A mutant that the checker accepts is a miss unless the oracle that its kind names says that it is
// equivalent (see mutant.h). The table by kind is printed; docs/checking.md shows that of the long
// run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/check/judge.h"
#include "tests/check/runner.h"
#include "tests/check/selection.h"
#include "tests/check/simulator.h"
#include "tests/check/workers.h"

namespace wick::mutation {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string folder() {
  return (std::filesystem::temp_directory_path() / ("wick_mutants_" + std::to_string(getpid())))
      .string();
}

std::vector<std::byte> weights_of(const Chosen& chosen) {
  std::vector<std::byte> packed = chosen.subject->packed;
  if (chosen.mutant.flipped) packed.at(*chosen.mutant.flipped) ^= std::byte{0x10};
  return packed;
}

// What became of a mutant.
enum Column : std::size_t {
  kMade,
  kNoCompiler,
  kForm,
  kSafety,
  kFaithfulness,
  kEquivalent,
  kMissed
};
constexpr std::size_t kColumns = 7;

struct Result {
  Column column = kMissed;
  std::string why;
};

std::string to_string(const Chosen& chosen) {
  return chosen.subject->name + ", line " + std::to_string(chosen.mutant.line) + ", " +
         std::string(chosen.mutant.kind) + ": " + chosen.mutant.what;
}

class Campaign {
 public:
  explicit Campaign(std::vector<Chosen> chosen)
      : chosen_(std::move(chosen)), results_(chosen_.size()) {}

  void go() {
    for_each_index(chosen_.size(), [this](std::size_t i) { check(i); });
    decide_refused();
    decide_accepted();
  }

  std::string table() const {
    std::map<std::string_view, std::array<std::size_t, kColumns>> counts;
    std::array<std::size_t, kColumns> sum{};
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      for (const std::size_t column :
           {static_cast<std::size_t>(kMade), static_cast<std::size_t>(results_[i].column)}) {
        ++counts[chosen_[i].mutant.kind][column];
        ++sum[column];
      }
    }
    std::string text =
        "| kind of mistake | made | does not compile | form | safety | faithfulness | equivalent | "
        "missed |\n|---|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const std::string_view kind : kinds()) text += row(kind, counts[kind]);
    return text + row("all", sum);
  }

  // Lines about mutants that ended in a column.
  std::string list(Column column) const {
    std::string text;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (results_[i].column == column)
        text += to_string(chosen_[i]) + "\n    " + results_[i].why + "\n";
    }
    return text;
  }

 private:
  static std::string row(std::string_view name, const std::array<std::size_t, kColumns>& counts) {
    std::string text = "| " + std::string(name) + " |";
    for (const std::size_t count : counts) text += " " + std::to_string(count) + " |";
    return text + "\n";
  }

  void check(std::size_t i) {
    const Chosen& chosen = chosen_[i];
    const Judged judged =
        judge(*chosen.subject, apply(chosen.subject->emitted, chosen.mutant), weights_of(chosen));
    static constexpr std::array kOf = {kForm, kSafety, kFaithfulness, kMissed};
    results_[i] = {kOf[static_cast<std::size_t>(judged.stage)], judged.message};
  }

  // Which of those that the reader refuses a compiler refuses as well.
  void decide_refused() {
    std::vector<std::size_t> indices;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (results_[i].column != kForm) continue;
      indices.push_back(i);
      pairs.push_back({chosen_[i].subject, apply(chosen_[i].subject->emitted, chosen_[i].mutant)});
    }
    const std::vector<bool> compiles = compile_alone(folder(), pairs);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      if (!compiles[k]) results_[indices[k]].column = kNoCompiler;
    }
  }

  void decide_accepted() {
    std::vector<std::size_t> to_run;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (results_[i].column != kMissed) continue;
      decide_without_running(i);
      if (results_[i].column != kEquivalent || chosen_[i].mutant.oracle != Oracle::kResults)
        continue;
      to_run.push_back(i);
      pairs.push_back({chosen_[i].subject, apply(chosen_[i].subject->emitted, chosen_[i].mutant)});
    }
    const std::vector<Outcome> outcomes = run_pairs(folder(), pairs);
    std::vector<std::size_t> differ;
    for (std::size_t k = 0; k < to_run.size(); ++k) {
      if (outcomes[k].kind == Outcome::Kind::kSame) continue;
      results_[to_run[k]] = {kMissed, outcomes[k].what};
      if (outcomes[k].kind == Outcome::Kind::kDifferent) differ.push_back(k);
    }
    compare_with_graph(to_run, pairs, differ);
  }

  // Folding, which default floating point allows, changes last bits. A mutant that takes it back
  // computes the graph as it is written, and differs from its original alone.
  void compare_with_graph(const std::vector<std::size_t>& indices, std::vector<Pair>& pairs,
                          const std::vector<std::size_t>& differ) {
    std::vector<Subject> written;
    std::vector<Pair> again;
    written.reserve(differ.size());
    for (const std::size_t k : differ) {
      written.push_back(as_written(*pairs[k].subject));
      again.push_back({pairs[k].subject, std::move(pairs[k].mutant), &written.back()});
    }
    const std::vector<Outcome> outcomes = run_pairs(folder() + "_again", again);
    for (std::size_t i = 0; i < differ.size(); ++i) {
      if (outcomes[i].kind == Outcome::Kind::kSame)
        results_[indices[differ[i]]] = {kEquivalent, "to the graph as it is written"};
    }
  }

  void decide_without_running(std::size_t i) {
    const Chosen& chosen = chosen_[i];
    if (chosen.mutant.oracle == Oracle::kDefinition) {
      results_[i] = {kMissed, "a fault by definition"};
      return;
    }
    const MutatedFiles files = apply(chosen.subject->emitted, chosen.mutant);
    const Emitted mutant = parse_emitted(files.source, files.header);
    const std::string why = chosen.mutant.oracle == Oracle::kBytes
                                ? wrong_byte(chosen.subject->emitted, mutant)
                                : simulate(mutant).fault;
    results_[i] = why.empty() ? Result{kEquivalent, {}} : Result{kMissed, why};
  }

  std::vector<Chosen> chosen_;
  std::vector<Result> results_;
};

TEST(Mutants, AreCaughtUnlessTheyAreEquivalent) {
  const std::vector<Subject> subjects = all_subjects();
  Campaign campaign(choose_mutants(subjects, number_from("WICK_CHECK_MUTANTS", 500),
                                   number_from("WICK_CHECK_SEED", 1)));
  campaign.go();
  std::printf("%s", campaign.table().c_str());
  if (const char* path = std::getenv("WICK_CHECK_REPORT"))
    std::ofstream(path) << campaign.table() << "\nmissed\n\n"
                        << campaign.list(kMissed) << "\nequivalent\n\n"
                        << campaign.list(kEquivalent);
  EXPECT_EQ(campaign.list(kMissed), "");
  std::filesystem::remove_all(folder());
  std::filesystem::remove_all(folder() + "_again");
}

// What is not broken passes.
TEST(Subjects, AreAccepted) {
  const std::vector<Subject> subjects = all_subjects();
  std::vector<std::string> refusals(subjects.size());
  for_each_index(subjects.size(), [&](std::size_t i) {
    const Subject& subject = subjects[i];
    refusals[i] =
        judge(subject, {subject.emitted.source, subject.emitted.header}, subject.packed).message;
  });
  for (std::size_t i = 0; i < subjects.size(); ++i) EXPECT_EQ(refusals[i], "") << subjects[i].name;
}

}  // namespace
}  // namespace wick::mutation

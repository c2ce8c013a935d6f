// Where two computations differ: the smallest parts that do, by their names in the emitted file and
// in the graph.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"
#include "frontend/check/algebra.h"
#include "frontend/check/faithful.h"

namespace wick::frontend::check {

// Walks down from values that should be equal to where they part. Every difference ends in a
// finding or, if evaluation decides that there is none, in Faithfulness::tested.
class Differences {
 public:
  // `graph` is the expanded one, which the origins of terms are values of.
  Differences(const Algebra& algebra, const compiler::Graph& graph, Faithfulness& result)
      : algebra_(algebra), graph_(graph), result_(result) {}

  // `program` is computed where `graph` should be: an output of this name and place, which is an
  // output of the graph with this pointer.
  void compare(const TermView& program, const TermView& graph, const std::string& name,
               const Place& place, const std::string& pointer);

 private:
  struct Pair {
    TermView program;
    TermView graph;
    // Of what reads them.
    std::string name;
    Place place;
    std::string pointer;
  };

  void visit(const Pair& pair);
  bool is_new(const Pair& pair);
  void report(const Pair& pair, std::string message, std::string hint = {});
  // The same pair as its own terms say it: findings about these stand at their places.
  Pair located(const Pair& pair) const;
  void descend(const Pair& from, const TermView& program, const TermView& graph);

  void layouts(const Pair& pair);
  void constants(const Pair& pair);
  bool elements(const Pair& pair);
  void chains(const Pair& pair, const TermView& program, const TermView& graph);
  void reductions(const Pair& pair);
  void calls(const Pair& pair);
  void operands_of(const Pair& pair);
  void must_read_alike(const Pair& pair);
  void unlike(const Pair& pair);
  std::string missing(const TermView& program, const TermView& graph) const;
  bool misplaced(const Pair& pair);
  bool has_operand(const TermView& reading, const TermView& operand) const;

  std::vector<TermView> operands_seen(const TermView& reading) const;
  bool alike(const TermView& a, const TermView& b) const;
  std::string text_of(const Term& term) const;
  std::string name_of(const TermView& reading) const;
  std::string pointer_of(const Term& term) const;

  const Algebra& algebra_;
  const compiler::Graph& graph_;
  Faithfulness& result_;
  std::vector<Pair> open_;
  // Pairs that were looked at, by their terms.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::pair<Layout, Layout>>> seen_;
};

}  // namespace wick::frontend::check

// The second judge: reads emitted C++ and proves it, knowing nothing of the plan.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "frontend/check/faithful.h"
#include "frontend/clang/read.h"

namespace wick::frontend::check {

struct Verdict {
  std::vector<Finding> findings;    // none: proven
  std::vector<std::string> tested;  // see Faithfulness
  bool is_sound() const { return findings.empty(); }
};

// Reads, proves safety, proves the form, and, with a graph, faithfulness. A stage that finds faults
// ends the check, for the next one rests on it.
Verdict check(const SourceText& source, const SourceText& header, const compiler::Graph* graph,
              std::span<const std::byte> packed);

}  // namespace wick::frontend::check

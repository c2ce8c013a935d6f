// The second judge: reads emitted C++ and proves it, knowing nothing of the plan.
#pragma once

#include <cstdint>
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

// What the text has to look like.
enum class Form : std::uint8_t {
  kEmitted,  // as docs/emitted.clang-format says
  kAny,      // it was formatted since
};

// Reads, proves safety, with a graph faithfulness, and the form. A stage that finds faults ends the
// check, for the next one rests on it.
Verdict check(const SourceText& source, const SourceText& header, const compiler::Graph* graph,
              const Packed& packed, Form form = Form::kEmitted);

}  // namespace wick::frontend::check

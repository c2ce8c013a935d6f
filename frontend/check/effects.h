// What one statement does to memory: which names it reads, writes, and uses as scratch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// A name as a statement uses it.
struct Use {
  std::uint32_t name = 0;  // index in Function::names
  Place place;
  // Reads of statements that work in place: the operand may share the result's memory, for it is
  // read at the index that is written, before it is written.
  bool at_written_index = false;
};

struct Effects {
  bool in_place = false;  // the result is overwritten, not written afresh
  std::vector<Use> writes;
  std::vector<Use> reads;
  std::vector<Use> scratch;
};

// The effects of a statement of kind kKernel; nothing if it is not a call that the table of
// docs/generated-code.md lists, which is then a finding. Shapes with which the runtime would leave
// the memory of an operand are findings, too.
std::optional<Effects> effects_of(const Program& program, const Function& function,
                                  const Statement& statement, std::vector<Finding>& findings);

}  // namespace wick::frontend::check

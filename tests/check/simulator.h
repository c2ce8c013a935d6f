// What the bytes of memory would be: an emitted function followed statement by statement.
//
// A value is not computed. Every byte carries a tag that stands for where it comes from: a
// statement gives all bytes that it writes fresh tags, made of what it calls with operands of which
// types, the number of the byte, and the tags of every operand byte that it reads, in the order of
// the elements; a copy takes the tags along. Two functions whose outputs end with the same tags did
// the same to the same bytes; where slots lie makes no difference unless a byte was lost on the
// way.
//
// A read of bytes that nobody wrote, that were freed, or that lie beyond their tensor is a fault by
// itself, and so is a write over what the same statement reads, unless it is in place at the same
// index. All of this is decided on bytes, one at a time, without reasoning about ranges: it is
// slow, simple, and shares nothing with the checker.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/check/emitted.h"

namespace wick::mutation {

using Tag = std::uint64_t;

struct Simulation {
  std::string fault;  // the first one, with its line; empty if there is none
  // The tags of each output after a first and a second call.
  std::vector<std::map<std::string, std::vector<Tag>>> calls;
};

Simulation simulate(const Emitted& emitted);

// Why `mutant` is wrong as far as bytes go: a fault, or an output whose bytes come from something
// else than in `original`. Empty if it is not.
std::string wrong_byte(const Emitted& original, const Emitted& mutant);

}  // namespace wick::mutation

// Where no law decides, both sides are evaluated: scalar functions of the same elements, at many
// points.
#pragma once

#include <optional>
#include <string>

#include "frontend/check/algebra.h"

namespace wick::frontend::check {

// What evaluation says of two readings that have one shape.
struct Trial {
  std::size_t points = 0;
  bool agrees = false;
  std::string counterexample;  // "at 0.5, 2: 1.5, the graph gives 3"; if it does not agree
};

// Evaluates both by their op records, each operation rounded once, at points made of the literals
// in both, their neighbours, special values and numbers of all magnitudes; the same points at each
// call. Agreement is of bits, all NaNs being one value. Nothing if they are not elementwise
// functions of the same few elements, or too large to try.
std::optional<Trial> try_points(const Algebra& algebra, const TermView& program,
                                const TermView& graph);

// An element as text: "0.35355338".
std::string element_text(const compiler::HostTensor& tensor, std::int64_t index);

}  // namespace wick::frontend::check

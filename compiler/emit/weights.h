// Constants in emitted code: small ones as C++, the others as one aligned binary file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/types.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

struct WeightsLayout {
  bool inline_values = false;  // few bytes: written into the source
  std::vector<Bytes> offsets;  // of each constant in the packed file
  Bytes total;
  std::uint64_t hash = 0;  // wick::hash64 of the packed file, if the caller hands it in
};

// Constants of at most this many bytes together go through the C++ parser.
inline constexpr Bytes kMostInlineBytes{1024};

// Cost: reads all constants, if a hash is wanted.
WeightsLayout lay_out_weights(const Plan& plan, const EmitOptions& options);

// The declarations of `struct Weights` and of what fills it.
std::vector<Line> weights_lines(const Plan& plan, const Symbols& symbols,
                                const WeightsLayout& layout, const EmitOptions& options,
                                TypeTable& types);

// The bytes that the unit of the weights defines; declared where its name has linkage.
Line packed_declaration(const Symbols& symbols, const WeightsLayout& layout);

// The packed file, one piece after the other: every constant at its offset, zeros between. Only
// constants in panels are copied.
std::vector<HostTensor> packed_pieces(const Plan& plan, const WeightsLayout& layout);

// The unit that brings the packed file into the program.
std::string weights_unit(const Symbols& symbols, const std::string& banner);
// The unit of a graph whose constants need none: a comment.
std::string empty_weights_unit(const std::string& banner);

}  // namespace wick::compiler::cpp

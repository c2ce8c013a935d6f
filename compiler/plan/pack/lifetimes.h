// Lifetimes as CSV, the format that public instances of the packing problem come in and that other
// solvers read:
//
//     id,lower,upper,size,alignment
//     h0,0,2,384,64
//
// The header is required and names the columns, in any order; `alignment` may be left out. A field
// in double quotes may hold commas, line breaks and doubled quotes (RFC 4180). Lifetimes are
// half-open.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/plan/pack/pack.h"

namespace wick::compiler::pack {

struct LifetimesError {
  std::size_t line = 0;  ///< counted from 1
  std::string message;
};

struct Lifetimes {
  Problem problem;
  std::vector<std::string> ids;  ///< ids[i] names problem.buffers[i]; they are distinct
};

struct LifetimesResult {
  Lifetimes lifetimes;                 ///< complete only without errors
  std::vector<LifetimesError> errors;  ///< in order of line, at most `kMaxLifetimesErrors`
};

inline constexpr std::size_t kMaxLifetimesErrors = 20;

/// Reads lifetimes. Errors: a missing or wrong header, a row of the wrong number of fields, an
/// empty or repeated id, a field that is not a 64-bit integer, a negative size, an alignment below
/// 1, a lifetime that does not end after it starts, sizes whose sum is out of range, an open quote.
/// A problem read without errors has no fault. O(n log n).
LifetimesResult read_lifetimes(std::string_view text);

/// The CSV of `lifetimes`, with a column for the alignment if any is not 1, and one named `offset`
/// if `offsets` are given. Throws std::invalid_argument if the number of ids or offsets does not
/// match.
std::string write_lifetimes(const Lifetimes& lifetimes,
                            const std::vector<std::int64_t>& offsets = {});

}  // namespace wick::compiler::pack

// Findings in SARIF 2.1.0, which code-review tools read.
// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", 2020.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json/placed.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

// The kinds of findings, one rule of the log each; the exit codes say the same.
enum class SarifRule : std::uint8_t {
  kBadInput,
  kUsage,
  kOverBudget,
  kCheckFailed,
  kInputOutput,
  kBug,
};

// Results, an object a line: of diagnostics in a text …
std::string sarif_results(const std::vector<Placed>& placed, const SourceFile& source,
                          SarifRule rule);
// … and of an error that has no place in one.
std::string sarif_result(SarifRule rule, std::string_view message, std::string_view hint);

// The whole log around such lines, in the order given.
std::string sarif_log(std::string_view results, std::string_view version, int exit_code);

}  // namespace wick::frontend

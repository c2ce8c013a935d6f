#include "frontend/clang/check.h"

#include "frontend/check/safety.h"
#include "frontend/clang/style.h"

namespace wick::frontend::check {

Verdict check(const SourceText& source, const SourceText& header, const compiler::Graph* graph,
              const Packed& packed, Form form) {
  Reading reading = read_program(source, header);
  if (!reading.program) return {std::move(reading.findings), {}};
  Verdict verdict{prove_safe(*reading.program), {}};
  if (verdict.is_sound() && graph != nullptr) {
    Faithfulness faithfulness = compare(*reading.program, *graph, packed);
    verdict = {std::move(faithfulness.findings), std::move(faithfulness.tested)};
  }
  if (!verdict.is_sound() || form == Form::kAny) return verdict;
  verdict.findings = check_style(header.text, Place::File::kHeader);
  const std::vector<Finding> more = check_style(source.text, Place::File::kSource);
  verdict.findings.insert(verdict.findings.end(), more.begin(), more.end());
  return verdict;
}

}  // namespace wick::frontend::check

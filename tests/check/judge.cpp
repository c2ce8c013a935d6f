#include "tests/check/judge.h"

#include <vector>

#include "frontend/check/faithful.h"
#include "frontend/check/safety.h"
#include "frontend/clang/read.h"

namespace wick::mutation {
namespace {

Judged refused(Stage stage, const frontend::check::Finding& finding) {
  const bool in_header = finding.place.file == frontend::check::Place::File::kHeader;
  return {stage, std::string(in_header ? "header " : "") + "line " +
                     std::to_string(finding.place.line) + ": " + finding.message};
}

}  // namespace

Judged judge(const Subject& subject, const MutatedFiles& files, std::span<const std::byte> packed) {
  namespace check = frontend::check;
  const check::Reading reading = check::read_program({subject.name + ".cpp", files.source},
                                                     {subject.name + ".h", files.header});
  if (!reading.program) return refused(Stage::kReading, reading.findings.at(0));
  const auto unsafe = check::prove_safe(*reading.program);
  if (!unsafe.empty()) return refused(Stage::kSafety, unsafe.front());
  const check::Faithfulness faithfulness =
      check::compare(*reading.program, *subject.compilation.given, packed);
  if (!faithfulness.findings.empty())
    return refused(Stage::kFaithfulness, faithfulness.findings.front());
  return {};
}

}  // namespace wick::mutation

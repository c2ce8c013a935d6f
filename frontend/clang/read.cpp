#include "frontend/clang/read.h"

#include <clang/Sema/Sema.h>

#include "frontend/clang/declarations.h"
#include "frontend/clang/parse.h"
#include "frontend/clang/tokens.h"

namespace wick::frontend::check {
namespace {

// The last part of a path: what #include writes.
std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

}  // namespace

Reading read_program(const SourceText& source, const SourceText& header) {
  Reading reading;
  const SourceText included{base_name(header.name), header.text};
  append(reading.findings, check_tokens(included.text, Place::File::kHeader, {}));
  append(reading.findings, check_tokens(source.text, Place::File::kSource, included.name));
  if (!reading.findings.empty()) return reading;
  parse(source, included, reading.findings, [&](clang::Sema& sema) {
    Context context(sema.getASTContext(), reading.findings);
    Program program = read_declarations(context, sema);
    if (reading.findings.empty()) reading.program = std::move(program);
  });
  return reading;
}

}  // namespace wick::frontend::check

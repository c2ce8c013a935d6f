#include "frontend/check/safety.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "frontend/check/names.h"
#include "frontend/check/walk.h"

namespace wick::frontend::check {
namespace {

constexpr std::size_t kMost = 20;

bool is_tensor(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::kInput || parameter.kind == Parameter::Kind::kDonated ||
         parameter.kind == Parameter::Kind::kOutput;
}

class Frames {
 public:
  Frames(const Program& program, std::vector<Finding>& findings)
      : program_(program), findings_(findings) {}

  void check() {
    for (const Function& function : program_.functions) {
      if (!function.is_noexcept) {
        fail(function.place, "`" + function.name + "` is not noexcept",
             "emitted functions throw nothing, and say so");
      }
      const bool is_run = &function == &program_.functions.back();
      if (!is_run) check_part(function);
      check_bounds(function, is_run);
    }
    if (program_.has_arena) check_opened(program_.functions.back());
  }

 private:
  void fail(Place place, std::string message, std::string hint) {
    findings_.push_back({place, std::move(message), std::move(hint), {}});
  }

  // A part's tensors are those of run: the same names for the same types.
  void check_part(const Function& part) {
    const std::vector<Parameter>& all = program_.functions.back().parameters;
    for (const Parameter& parameter : part.parameters) {
      if (!is_tensor(parameter)) continue;
      const auto same = std::ranges::find(all, parameter.name, &Parameter::name);
      if (same != all.end() && same->kind == parameter.kind &&
          same->type.dtype == parameter.type.dtype && same->type.layout == parameter.type.layout)
        continue;
      fail(parameter.place,
           "`" + parameter.name + "` is not what run has by that name: another type, or none",
           "a part takes parameters of run as they are");
    }
  }

  // wick::enter and wick::leave stand at the ends of run, and nowhere else.
  void check_bounds(const Function& function, bool is_run) {
    const std::size_t last = function.statements.size();
    for (std::size_t i = 0; i < last; ++i) {
      const Statement& statement = function.statements[i];
      const bool enters = statement.kind == Statement::Kind::kEnter;
      if (!enters && statement.kind != Statement::Kind::kLeave) continue;
      const std::string call = enters ? "`wick::enter`" : "`wick::leave`";
      if (!is_run || i != (enters ? 0 : last - 1)) {
        fail(statement.place,
             call + " is not the " + (enters ? "first" : "last") + " statement of run",
             "the arena is opened for a whole call");
      } else if (statement.bytes != program_.arena_bytes) {
        fail(statement.place,
             call + " is told of " + std::to_string(statement.bytes) +
                 " bytes, but the arena has " + std::to_string(program_.arena_bytes),
             "");
      } else if (enters) {
        check_entered(function, statement);
      }
    }
  }

  void check_entered(const Function& run, const Statement& enter) {
    std::vector<std::string> tensors, given;
    for (const Parameter& parameter : run.parameters) {
      if (is_tensor(parameter)) tensors.push_back(parameter.name);
    }
    for (const Argument& argument : enter.arguments) {
      const Name& name = run.names[argument.index];
      const bool parameter = name.kind == Name::Kind::kInput || name.kind == Name::Kind::kDonated ||
                             name.kind == Name::Kind::kOutput;
      given.push_back(parameter ? run.parameters[name.parameter].name : name.text);
    }
    if (tensors == given) return;
    fail(enter.place, "`wick::enter` is not given the tensors that run takes, in their order",
         "it checks that none of them overlaps another");
  }

  void check_opened(const Function& run) {
    const auto kind_at = [&](bool first) {
      const Statement& statement = first ? run.statements.front() : run.statements.back();
      return statement.kind;
    };
    if (!run.statements.empty() && kind_at(true) == Statement::Kind::kEnter &&
        kind_at(false) == Statement::Kind::kLeave)
      return;
    fail(run.place,
         "run uses an arena, but does not begin with `wick::enter` and end with "
         "`wick::leave`",
         "the arena is opened for a whole call");
  }

  const Program& program_;
  std::vector<Finding>& findings_;
};

}  // namespace

std::vector<Finding> prove_safe(const Program& program) {
  std::vector<Finding> findings;
  if (program.functions.empty()) {
    findings.push_back({{}, "there is no function run", "", {}});
    return findings;
  }
  check_declarations(program, findings);
  Frames(program, findings).check();
  Walk(program, findings).run();
  std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
    return std::tuple(finding.place.file, finding.place.line, finding.place.column);
  });
  if (findings.size() > kMost) findings.resize(kMost);
  return findings;
}

}  // namespace wick::frontend::check

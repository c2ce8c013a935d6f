// The table of entry points: which arguments each takes, in which order, and what it does with
// them. One line for each row of docs/generated-code.md.
#include "frontend/check/effects.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "frontend/check/call.h"

namespace wick::frontend::check {
namespace {

// `arguments` has one letter for each argument:
//   W  result                     r  operand            K  kernel          R  reducer
//   O  result in place            m  operand that may share the result's memory
//   e  the same, of the kernel that makes results
//   p  operand that may lie in panels
//   T  terms   F  results, their operands may share in place
//   P  row program   U  outputs   s  workspace          L  literal
// A letter followed by ? may be missing, one followed by * stands for any number.
// `templates`: i integer, f flag, a axes, w sizes, s steps, d dilations, b before, z after.
struct EntryPoint {
  std::string_view name;
  std::string_view templates;
  std::string_view arguments;
  ShapeRule rule;
};

constexpr std::array kEntryPoints = {
    EntryPoint{"map", "", "WKr*", check_map},
    EntryPoint{"map_in_place", "", "OKm*", check_map},
    EntryPoint{"copy", "", "Wr", check_copy},
    EntryPoint{"reduce", "a", "WRTF?", check_reduce},
    EntryPoint{"reduce_in_place", "a", "ORTF", check_reduce},
    EntryPoint{"arg_reduce", "a", "WRr", check_arg_reduce},
    EntryPoint{"scan", "i", "WRr", check_scan},
    EntryPoint{"rows", "a", "PsUr*", check_rows},
    EntryPoint{"rows_in_place", "a", "PsOm*", check_rows_in_place},
    EntryPoint{"matmul", "", "WrpK?e*", check_matmul},
    EntryPoint{"matmul_in_place", "", "OrpKe*", check_matmul},
    EntryPoint{"matmul_transposed", "a", "WrpK?e*", check_matmul_transposed},
    EntryPoint{"convolve", "sdbi", "WrrK?e*", check_convolve},
    EntryPoint{"convolve_in_place", "sdbi", "OrrKe*", check_convolve},
    EntryPoint{"max_pool", "wsdb", "Wr", check_max_pool},
    EntryPoint{"average_pool", "wsbf", "Wr", check_average_pool},
    EntryPoint{"concat", "i", "Wr*", check_concat},
    EntryPoint{"pad", "bz", "WrL", check_pad},
    EntryPoint{"pad_edge", "bz", "Wr", check_pad_repeating},
    EntryPoint{"pad_reflect", "bz", "Wr", check_pad_repeating},
    EntryPoint{"gather", "i", "Wrr", check_gather},
    EntryPoint{"gather_elements", "i", "Wrr", check_gather_elements},
    EntryPoint{"one_hot", "i", "Wr", check_one_hot},
    EntryPoint{"iota", "i", "W", check_iota},
    EntryPoint{"tile", "", "Wr", check_tile},
    EntryPoint{"topk", "if", "WWrs", check_topk},
    EntryPoint{"sort", "if", "Wrs", check_sort},
    EntryPoint{"argsort", "if", "Wrs", check_argsort},
};

Argument::Kind kind_of(char letter) {
  switch (letter) {
    case 'K':
      return Argument::Kind::kKernel;
    case 'R':
      return Argument::Kind::kReducer;
    case 'T':
      return Argument::Kind::kTerms;
    case 'F':
      return Argument::Kind::kResults;
    case 'P':
      return Argument::Kind::kRowProgram;
    case 'U':
      return Argument::Kind::kOutputs;
    case 's':
      return Argument::Kind::kWorkspace;
    case 'L':
      return Argument::Kind::kLiteral;
    default:
      return Argument::Kind::kMemory;
  }
}

TemplateArgument::Kind template_kind_of(char letter) {
  switch (letter) {
    case 'f':
      return TemplateArgument::Kind::kFlag;
    case 'a':
      return TemplateArgument::Kind::kAxes;
    case 'w':
      return TemplateArgument::Kind::kSizes;
    case 's':
      return TemplateArgument::Kind::kSteps;
    case 'd':
      return TemplateArgument::Kind::kDilations;
    case 'b':
      return TemplateArgument::Kind::kBefore;
    case 'z':
      return TemplateArgument::Kind::kAfter;
    default:
      return TemplateArgument::Kind::kInteger;
  }
}

class Reader {
 public:
  Reader(const EntryPoint& entry, const Program& program, const Function& function,
         const Statement& statement, std::vector<Finding>& findings)
      : entry_(entry), program_(program), function_(function), statement_(statement) {
    call_.program = &program;
    call_.statement = &statement;
    call_.findings = &findings;
  }

  bool read() { return read_templates() && read_arguments(); }
  void check_shapes() const { entry_.rule(call_); }
  Effects effects() && { return std::move(effects_); }

 private:
  bool read_templates() const {
    const auto& given = statement_.template_arguments;
    return std::ranges::equal(given, entry_.templates, {}, &TemplateArgument::kind,
                              template_kind_of) &&
           std::ranges::all_of(given, [](const TemplateArgument& argument) {
             const bool one = argument.kind == TemplateArgument::Kind::kInteger ||
                              argument.kind == TemplateArgument::Kind::kFlag;
             return !one || argument.values.size() == 1;
           });
  }

  bool read_arguments() {
    std::size_t at = 0;
    const std::vector<Argument>& given = statement_.arguments;
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i) {
      const char letter = entry_.arguments[i];
      const char next = i + 1 < entry_.arguments.size() ? entry_.arguments[i + 1] : ' ';
      const bool many = next == '*';
      const bool optional = many || next == '?';
      if (optional) ++i;
      const std::size_t begin = at;
      while (at < given.size() && given[at].kind == kind_of(letter) && (many || at == begin)) {
        if (!take(letter, given[at])) return false;
        ++at;
      }
      if (at == begin && !optional) return false;
    }
    return at == given.size();
  }

  bool take(char letter, const Argument& argument) {
    switch (letter) {
      case 'W':
      case 'O':
        return take_result(argument, letter == 'O');
      case 'r':
        return take_operand(argument, call_.operands, false);
      case 'p':
        return take_operand(argument, call_.operands, false, true);
      case 'm':
        return take_operand(argument, call_.operands, effects_.in_place);
      case 'e':
        return take_operand(argument, call_.extras, effects_.in_place);
      case 's':
        call_.workspace = argument.index;
        call_.scratch = function_.names[argument.index].bytes;
        effects_.scratch.push_back({argument.index, argument.place});
        return true;
      case 'P':
        call_.rows = &program_.row_programs[argument.index];
        return true;
      case 'T':
        return take_nested(argument, call_.operands, false);
      case 'F':
        return take_nested(argument, call_.extras, effects_.in_place);
      case 'U':
        return std::ranges::all_of(argument.nested, [&](const Argument& nested) {
          return nested.kind == Argument::Kind::kMemory && take_result(nested, false);
        });
      default:
        return true;
    }
  }

  CallOperand operand_of(const Argument& argument) const {
    const Name& name = function_.names[argument.index];
    return {argument.index, &name.type, name.text, argument.place};
  }

  bool take_result(const Argument& argument, bool in_place) {
    if (argument.access != (in_place ? Access::kOverwrite : Access::kWrite)) return false;
    effects_.in_place = in_place;
    effects_.writes.push_back({argument.index, argument.place});
    call_.results.push_back(operand_of(argument));
    return true;
  }

  bool take_operand(const Argument& argument, std::vector<CallOperand>& to, bool may_share,
                    bool may_be_panels = false) {
    if (argument.access != Access::kRead) return false;
    if (function_.names[argument.index].panels && !may_be_panels) return false;
    effects_.reads.push_back({argument.index, argument.place, may_share});
    to.push_back(operand_of(argument));
    return true;
  }

  // terms(k, in...), terms(in), results(k, in...)
  bool take_nested(const Argument& argument, std::vector<CallOperand>& to, bool may_share) {
    std::size_t begin = 0;
    if (!argument.nested.empty() && argument.nested[0].kind == Argument::Kind::kKernel) begin = 1;
    for (std::size_t i = begin; i < argument.nested.size(); ++i) {
      if (argument.nested[i].kind != Argument::Kind::kMemory ||
          !take_operand(argument.nested[i], to, may_share))
        return false;
    }
    return true;
  }

  const EntryPoint& entry_;
  const Program& program_;
  const Function& function_;
  const Statement& statement_;
  Call call_;
  Effects effects_;
};

}  // namespace

std::optional<Effects> effects_of(const Program& program, const Function& function,
                                  const Statement& statement, std::vector<Finding>& findings) {
  const auto entry = std::ranges::find(kEntryPoints, statement.function, &EntryPoint::name);
  if (entry == kEntryPoints.end()) {
    findings.push_back({statement.place,
                        "`wick::" + statement.function + "` computes nothing",
                        "docs/generated-code.md lists the statements that there are",
                        {}});
    return std::nullopt;
  }
  Reader reader(*entry, program, function, statement, findings);
  if (!reader.read()) {
    findings.push_back({statement.place,
                        "`wick::" + statement.function + "` does not take these arguments",
                        "docs/generated-code.md says what it takes",
                        {}});
    return std::nullopt;
  }
  reader.check_shapes();
  return std::move(reader).effects();
}

}  // namespace wick::frontend::check

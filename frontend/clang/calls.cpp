#include "frontend/clang/calls.h"

#include <string_view>

#include "frontend/clang/rows.h"

namespace wick::frontend::check {
namespace {

using compiler::name_of;

// An entry point. Its template arguments, by letter: A Axes, z Sizes, s Steps, d Dilations,
// b Before, a After, i a number, f true or false. Its arguments: o Out, m InOut, I In, B In that
// may lie in panels, k a kernel, K a kernel that may be left out, r an operator, t terms, s
// results, S results that may be left out, p a row program, w workspace, u outs, v a value; *
// stands for any number of In.
struct Entry {
  std::string_view name;
  std::string_view template_arguments;
  std::string_view arguments;
  // Without a kernel: whether results have the element type of the first operand.
  bool keeps_dtype = false;
};

constexpr Entry kEntries[] = {
    {"map", "", "ok*"},
    {"map_in_place", "", "mk*"},
    {"copy", "", "oI", true},
    {"reduce", "A", "ortS"},
    {"reduce_in_place", "A", "mrts"},
    {"arg_reduce", "A", "orI"},
    {"scan", "i", "orI", true},
    {"rows", "A", "pwu*"},
    {"rows_in_place", "A", "pwm*"},
    {"matmul", "", "oIBK*", true},
    {"matmul_in_place", "", "mIBk*"},
    {"matmul_transposed", "A", "oIBK*", true},
    {"convolve", "sdbi", "oIIK*", true},
    {"convolve_in_place", "sdbi", "mIIk*"},
    {"max_pool", "zsdb", "oI", true},
    {"average_pool", "zsbf", "oI", true},
    {"concat", "i", "oI*", true},
    {"pad", "ba", "oIv", true},
    {"pad_edge", "ba", "oI", true},
    {"pad_reflect", "ba", "oI", true},
    {"gather", "i", "oII", true},
    {"gather_elements", "i", "oII", true},
    {"one_hot", "i", "oI"},
    {"iota", "i", "o"},
    {"tile", "", "oI", true},
    {"topk", "if", "ooIw", true},
    {"sort", "if", "oIw", true},
    {"argsort", "if", "oIw"},
};

const Entry* find_entry(llvm::StringRef name) {
  for (const Entry& entry : kEntries) {
    if (name == llvm::StringRef(entry.name)) return &entry;
  }
  return nullptr;
}

// The lists of numbers among template arguments: wick::Axes<...> and its relatives.
struct ListType {
  char letter;
  std::string_view name;
  TemplateArgument::Kind kind;
};

constexpr ListType kListTypes[] = {
    {'A', "Axes", TemplateArgument::Kind::kAxes},
    {'z', "Sizes", TemplateArgument::Kind::kSizes},
    {'s', "Steps", TemplateArgument::Kind::kSteps},
    {'d', "Dilations", TemplateArgument::Kind::kDilations},
    {'b', "Before", TemplateArgument::Kind::kBefore},
    {'a', "After", TemplateArgument::Kind::kAfter},
};

const ListType* find_list(char letter) {
  for (const ListType& type : kListTypes) {
    if (type.letter == letter) return &type;
  }
  return nullptr;
}

// What the letter means, for messages.
std::string meaning(char letter) {
  if (const ListType* list = find_list(letter)) return "wick::" + std::string(list->name) + "<...>";
  return letter == 'f' ? "true or false" : "a number";
}

}  // namespace

Statement Calls::read(const clang::CallExpr* call) {
  const clang::FunctionDecl* const function = Context::callee(call);
  const llvm::StringRef name = function == nullptr ? "" : context_.runtime_name(function);
  const Entry* const entry = find_entry(name);
  if (entry == nullptr)
    context_.refuse(call, "this calls nothing that emitted code may call",
                    "docs/generated-code.md lists the functions of the runtime");
  Statement statement;
  statement.function = name.str();
  statement.place = context_.place(call->getBeginLoc());
  read_template_arguments(call, entry->template_arguments, statement);

  Types types;
  std::string_view kinds = entry->arguments;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const char kind = kinds.empty() ? '!' : kinds[0];
    if (kind == '!') context_.refuse(call->getArg(i), "this call has an argument too many");
    statement.arguments.push_back(read_argument(call, i, kind, types));
    if (kind != '*') kinds.remove_prefix(1);
  }
  const bool is_complete = kinds.empty() || kinds[0] == '*' || kinds[0] == 'K' || kinds[0] == 'S';
  if (!is_complete) context_.refuse(call, "this call lacks an argument");
  if (!types.made && entry->keeps_dtype) types.made = types.reads[0];
  require_stored(call, types);
  return statement;
}

// ---- Template arguments
// --------------------------------------------------------------------------

void Calls::read_template_arguments(const clang::CallExpr* call, std::string_view kinds,
                                    Statement& statement) {
  const llvm::ArrayRef<clang::TemplateArgumentLoc> written = written_arguments(call);
  if (written.size() != kinds.size())
    context_.refuse(call, "'wick::" + statement.function + "' is called with " +
                              std::to_string(kinds.size()) + " template arguments");
  for (std::size_t i = 0; i < kinds.size(); ++i)
    statement.template_arguments.push_back(read_list(written[i], kinds[i]));
}

TemplateArgument Calls::read_list(const clang::TemplateArgumentLoc& written, char kind) {
  TemplateArgument argument;
  const clang::TemplateArgument& value = written.getArgument();
  if (kind == 'i' && value.getKind() == clang::TemplateArgument::Expression) {
    argument.values = {context_.constant(written.getSourceExpression())};
    return argument;
  }
  if (kind == 'f' && value.getKind() == clang::TemplateArgument::Expression) {
    const auto* flag =
        llvm::dyn_cast<clang::CXXBoolLiteralExpr>(Context::plain(written.getSourceExpression()));
    if (flag != nullptr) {
      argument.kind = TemplateArgument::Kind::kFlag;
      argument.values = {flag->getValue() ? 1 : 0};
      return argument;
    }
  }
  const ListType* const wanted = find_list(kind);
  if (wanted != nullptr && value.getKind() == clang::TemplateArgument::Type) {
    const auto* list = context_.runtime_class(value.getAsType());
    if (list != nullptr && list->getName() == llvm::StringRef(wanted->name)) {
      argument.kind = wanted->kind;
      for (const clang::TemplateArgument& number : list->getTemplateArgs()[0].pack_elements())
        argument.values.push_back(number.getAsIntegral().getExtValue());
      return argument;
    }
  }
  context_.refuse(written.getLocation(), "here stands " + meaning(kind));
}

// ---- Arguments
// -----------------------------------------------------------------------------------

Argument Calls::operand(const clang::Expr* expression, clang::QualType parameter,
                        bool may_be_panels) {
  Argument argument;
  argument.place = context_.place(expression->getBeginLoc());
  argument.index = memory_.read(expression);
  if (memory_.name(argument.index).panels && !may_be_panels)
    context_.refuse(expression, "a constant in panels is the right factor of a product");
  parameter = parameter.getNonReferenceType().getUnqualifiedType();
  const auto* type = context_.runtime_class(parameter);
  const llvm::StringRef name = type == nullptr ? "" : type->getName();
  if (name == "Workspace") {
    argument.kind = Argument::Kind::kWorkspace;
  } else if (name == "Out") {
    argument.access = Access::kWrite;
  } else if (name == "InOut") {
    argument.access = Access::kOverwrite;
  } else if (name != "In") {
    context_.refuse(expression, "this is passed as something else than an operand");
  }
  return argument;
}

Argument Calls::read_argument(const clang::CallExpr* call, unsigned index, char kind,
                              Types& types) {
  const clang::Expr* const written = call->getArg(index);
  switch (kind) {
    case 'k':
    case 'K': {
      std::vector<DType> operands;
      if (!types.reads.empty()) operands.push_back(types.reads[0]);  // the product's element
      const std::vector<DType> more = dtypes_from(call, index + 1);
      operands.insert(operands.end(), more.begin(), more.end());
      const Argument kernel = read_kernel(call, index, std::move(operands));
      types.made = kernels_.result_type(kernel.index);
      return kernel;
    }
    case 'p':
      return read_rows(call, index);
    case 't':
    case 's':
    case 'S':
    case 'u':
      return read_pack(call, index, kind, types);
    case 'r': {
      Argument reducer;
      reducer.kind = Argument::Kind::kReducer;
      reducer.text = reducer_of(context_, written);
      require_reducer(call, written, reducer.text);
      reducer.place = context_.place(written->getBeginLoc());
      return reducer;
    }
    case 'v': {
      Argument literal;
      literal.kind = Argument::Kind::kLiteral;
      literal.place = context_.place(written->getBeginLoc());
      const std::optional<Literal> value = context_.value(written);
      if (!value) context_.refuse(written, "here stands a literal");
      literal.literal = *value;
      return literal;
    }
    default:
      break;
  }
  const Argument argument =
      operand(written, Context::callee(call)->getParamDecl(index)->getType(), kind == 'B');
  const bool is_workspace = argument.kind == Argument::Kind::kWorkspace;
  const Access wanted = kind == 'o'   ? Access::kWrite
                        : kind == 'm' ? Access::kOverwrite
                                      : Access::kRead;
  if (is_workspace != (kind == 'w') || (!is_workspace && argument.access != wanted))
    context_.refuse(written, "this argument stands in the wrong place");
  if (is_workspace) return argument;
  const DType dtype = memory_.name(argument.index).type.dtype;
  (kind == 'o' || kind == 'm' ? types.results : types.reads).push_back(dtype);
  return argument;
}

// Which operators a function knows, the runtime says by overloads of its inner functions.
void Calls::require_reducer(const clang::CallExpr* call, const clang::Expr* written,
                            llvm::StringRef reducer) {
  const llvm::StringRef function = Context::callee(call)->getName();
  const bool finds = function == "arg_reduce";
  if (finds != reducer.starts_with("Arg") || (function == "scan" && reducer != "Sum"))
    context_.refuse(written, "'wick::" + function.str() + "' does not know this operator");
}

std::vector<DType> Calls::dtypes_from(const clang::CallExpr* call, unsigned first) {
  std::vector<DType> dtypes;
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    const std::optional<TensorType> type = context_.operand_type(
        Context::callee(call)->getParamDecl(i)->getType().getNonReferenceType());
    if (!type) context_.refuse(call->getArg(i), "here stands an operand");
    dtypes.push_back(type->dtype);
  }
  return dtypes;
}

Argument Calls::read_kernel(const clang::CallExpr* call, unsigned index, std::vector<DType> types) {
  Argument argument;
  argument.kind = Argument::Kind::kKernel;
  argument.place = context_.place(call->getArg(index)->getBeginLoc());
  argument.index = kernels_.kernel(call->getArg(index), types);
  return argument;
}

Argument Calls::read_rows(const clang::CallExpr* call, unsigned index) {
  Argument argument;
  argument.kind = Argument::Kind::kRowProgram;
  argument.place = context_.place(call->getArg(index)->getBeginLoc());
  argument.index =
      kernels_.rows(call->getArg(index), dtypes_of_results(call), dtypes_from(call, 3));
  return argument;
}

// Of a row program: outs(out...), or what it overwrites.
std::vector<DType> Calls::dtypes_of_results(const clang::CallExpr* call) {
  if (call->getNumArgs() < 3) context_.refuse(call, "this call lacks an argument");
  if (Context::callee(call)->getName() == "rows_in_place") return {dtypes_from(call, 2)[0]};
  const auto* outs = llvm::dyn_cast<clang::CallExpr>(Context::plain(call->getArg(2)));
  if (outs == nullptr || Context::callee(outs) == nullptr)
    context_.refuse(call, "the results of a row program are written wick::outs(...)");
  return dtypes_from(outs, 0);
}

// terms(k, in...), terms(in), results(k, in...), outs(out...)
Argument Calls::read_pack(const clang::CallExpr* outer, unsigned index, char kind, Types& types) {
  const clang::Expr* const written = outer->getArg(index);
  const char* const name = kind == 't' ? "terms" : kind == 'u' ? "outs" : "results";
  const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(written));
  const clang::FunctionDecl* const function = call == nullptr ? nullptr : Context::callee(call);
  if (function == nullptr || context_.runtime_name(function) != name ||
      !written_arguments(call).empty())
    context_.refuse(written, std::string("here stands wick::") + name + "(...)");
  Argument pack;
  pack.kind = kind == 't'   ? Argument::Kind::kTerms
              : kind == 'u' ? Argument::Kind::kOutputs
                            : Argument::Kind::kResults;
  pack.place = context_.place(written->getBeginLoc());
  unsigned first = 0;
  if (kind != 'u' && call->getNumArgs() > 0 && kernels_.is_lambda(call->getArg(0))) {
    std::vector<DType> operands = dtypes_from(call, 1);
    if (kind != 't' && types.made) operands.insert(operands.begin(), *types.made);
    pack.nested.push_back(read_kernel(call, 0, std::move(operands)));
    types.made = kernels_.result_type(pack.nested[0].index);
    first = 1;
  } else if (kind == 't' && call->getNumArgs() == 1) {
    types.made = dtypes_from(call, 0)[0];
  } else if (kind != 'u') {
    context_.refuse(call, std::string("wick::") + name + " takes a kernel first");
  }
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    pack.nested.push_back(operand(call->getArg(i), function->getParamDecl(i)->getType()));
    const Access wanted = kind == 'u' ? Access::kWrite : Access::kRead;
    if (pack.nested.back().kind != Argument::Kind::kMemory || pack.nested.back().access != wanted)
      context_.refuse(call->getArg(i), "this argument stands in the wrong place");
  }
  return pack;
}

// What a kernel makes has the type of what it is stored in; the runtime says so in bodies that are
// not instantiated here.
void Calls::require_stored(const clang::CallExpr* call, const Types& types) {
  if (!types.made || types.results.empty() || *types.made == types.results[0]) return;
  context_.refuse(call, "a value of " + std::string(name_of(*types.made)) +
                            " cannot be stored as " + std::string(name_of(types.results[0])));
}

}  // namespace wick::frontend::check

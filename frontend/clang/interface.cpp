#include "frontend/clang/interface.h"

#include "frontend/clang/memory.h"

namespace wick::frontend::check {
namespace {

// The text of a literal, or a refusal.
std::string text_of(Context& context, const clang::Expr* expression) {
  const auto* text = llvm::dyn_cast<clang::StringLiteral>(Context::plain(expression));
  if (text == nullptr || !text->isOrdinary()) context.refuse(expression, "here stands a name");
  return text->getString().str();
}

Described described(Context& context, const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(expression));
  const clang::FunctionDecl* const function = call == nullptr ? nullptr : Context::callee(call);
  const bool fits = function != nullptr && context.runtime_name(function) == "describe" &&
                    written_arguments(call).size() == 1 && call->getNumArgs() == 2;
  std::optional<TensorType> type;
  if (fits) {
    const clang::TemplateArgument& argument = written_arguments(call)[0].getArgument();
    if (argument.getKind() == clang::TemplateArgument::Type)
      type = context.tensor_type(argument.getAsType());
  }
  if (!type) context.refuse(expression, "here stands wick::describe<T>(\"name\")");
  Described result{text_of(context, call->getArg(0)), *type, false, call->getBeginLoc()};
  if (!llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(1))) {
    const auto* flag = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(call->getArg(1));
    if (flag == nullptr) context.refuse(call->getArg(1), "here stands true or false");
    result.overwritten = flag->getValue();
  }
  return result;
}

bool same_type(const TensorType& a, const TensorType& b) {
  return a.dtype == b.dtype && a.layout == b.layout;
}

// The next line of a table, if there is one and it tells of a tensor of that type.
void apply_next(Context& context, const std::vector<Described>& table, std::size_t& at,
                const TensorType& type, bool overwritten, std::string& name) {
  if (at >= table.size())
    context.refuse(table.back().location, "this table lacks a tensor that run takes");
  const Described& line = table[at++];
  if (!same_type(line.type, type) || line.overwritten != overwritten)
    context.refuse(line.location, "'" + line.name +
                                      "' is described as something else than what "
                                      "run takes");
  name = line.name;
}

}  // namespace

void read_table(Context& context, Tables& tables, const clang::VarDecl* variable) {
  static constexpr const char* kTables[] = {"kParameters", "kInputs", "kOutputs"};
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(Context::plain(variable->getInit()));
  if (list == nullptr || llvm::find(kTables, variable->getName()) == std::end(kTables))
    context.refuse(variable->getLocation(), "the tables are kParameters, kInputs and kOutputs");
  std::vector<Described>& table = tables[variable->getNameAsString()];
  for (const clang::Expr* line : list->inits()) table.push_back(described(context, line));
}

void apply_tables(Context& context, const Tables& tables, Program& program) {
  const auto table = [&](const char* name) {
    const auto found = tables.find(name);
    return found == tables.end() || found->second.empty() ? nullptr : &found->second;
  };
  std::size_t bound = 0, inputs = 0, outputs = 0;
  if (const auto* parameters = table("kParameters")) {
    for (Bound& one : program.bound)
      apply_next(context, *parameters, bound, one.type, false, one.original);
  }
  for (Parameter& parameter : program.functions.back().parameters) {
    const bool is_output = parameter.kind == Parameter::Kind::kOutput;
    const bool is_donated = parameter.kind == Parameter::Kind::kDonated;
    if (!is_output && !is_donated && parameter.kind != Parameter::Kind::kInput) continue;
    if (const auto* lines = table(is_output ? "kOutputs" : "kInputs")) {
      apply_next(context, *lines, is_output ? outputs : inputs, parameter.type, is_donated,
                 parameter.original);
    }
  }
  const std::pair<const char*, std::size_t> counts[] = {
      {"kParameters", bound}, {"kInputs", inputs}, {"kOutputs", outputs}};
  for (const auto& [name, count] : counts) {
    const auto* lines = table(name);
    if (lines != nullptr && count < lines->size())
      context.refuse((*lines)[count].location, "run takes no such tensor");
  }
}

void read_packed_file(Context& context, Program& program, const clang::VarDecl* variable) {
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(Context::plain(variable->getInit()));
  if (list == nullptr || list->getNumInits() != 3 || variable->getName() != "kWeightsFile")
    context.refuse(variable->getLocation(), "here stands the name, size and hash of the weights");
  program.packed_name = text_of(context, list->getInit(0));
  if (context.constant(list->getInit(1)) != program.packed_bytes)
    context.refuse(list->getInit(1), "the weights have kWeightsBytes bytes");
  clang::Expr::EvalResult hash;
  if (!list->getInit(2)->EvaluateAsInt(hash, context.ast()))
    context.refuse(list->getInit(2), "here stands a number");
  program.packed_hash = hash.Val.getInt().getZExtValue();
  program.packed_place = context.place(list->getInit(2));
}

}  // namespace wick::frontend::check

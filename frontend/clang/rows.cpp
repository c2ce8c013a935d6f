#include "frontend/clang/rows.h"

#include <clang/AST/Stmt.h>

#include <map>

#include "frontend/clang/kernels.h"

namespace wick::frontend::check {
namespace {

class RowReader {
 public:
  RowReader(Context& context, Kernels& kernels, const Lambda& lambda)
      : context_(context), kernels_(kernels), lambda_(lambda) {}

  RowProgram read(const std::vector<DType>& results, const std::vector<DType>& operands,
                  const clang::Expr* use) {
    const std::size_t count = lambda_.call->getNumParams();
    if (count != 1 + results.size() + operands.size())
      context_.refuse(use, "'" + lambda_.name() + "' takes a row, its results and its operands");
    results_ = results.size();
    program_.name = lambda_.name();
    program_.place = context_.place(lambda_.variable->getLocation());
    row_ = lambda_.call->getParamDecl(0);
    for (std::uint32_t i = 1; i < count; ++i) {
      const clang::ParmVarDecl* const parameter = lambda_.call->getParamDecl(i);
      program_.parameters.push_back(parameter->getNameAsString());
      const std::uint32_t at = i - 1;
      const DType type = at < results_ ? results[at] : operands[at - results_];
      values_[parameter] = {{RowArgument::Kind::kParameter, at, {}}, type};
    }
    for (const clang::Stmt* statement : statements_of(context_, lambda_.call))
      read_statement(statement);
    return std::move(program_);
  }

 private:
  struct Value {
    RowArgument argument;
    DType type = DType::kF32;
  };

  void read_statement(const clang::Stmt* written) {
    const clang::VarDecl* local = nullptr;
    const auto* expression = llvm::dyn_cast<clang::Expr>(written);
    if (expression == nullptr) {
      local = local_of(context_, written);
      expression = local->getInit();
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(expression));
    const auto* member =
        call == nullptr ? nullptr
                        : llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(call->getCallee());
    if (member == nullptr || member->isImplicitAccess() || member->isArrow() ||
        Context::named(member->getBase()) != row_ || member->getQualifier() != nullptr)
      context_.refuse(written, "a row program consists of calls of `row` only");

    RowStatement statement;
    statement.place = context_.place(written->getBeginLoc());
    if (local != nullptr) statement.name = local->getNameAsString();
    const std::string name = member->getMember().getAsString();
    std::size_t first = 0;  // the first argument after the reducer or the target
    if (name == "reduce") {
      statement.kind = RowStatement::Kind::kReduce;
      const clang::Expr* const reducer = argument(call, first++);
      statement.reducer = reducer_of(context_, reducer);
      if (llvm::StringRef(statement.reducer).starts_with("Arg"))
        context_.refuse(reducer, "`row.reduce` does not know this operator");
    } else if (name == "keep") {
      statement.kind = RowStatement::Kind::kKeep;
      read_kept(statement, member);
    } else if (name == "scalar") {
      statement.kind = RowStatement::Kind::kScalar;
    } else if (name == "write") {
      statement.kind = RowStatement::Kind::kWrite;
      statement.target = read_target(argument(call, first++));
    } else {
      context_.refuse(member->getMemberLoc(), "a row has no statement '" + name + "'");
    }
    const bool has_value = statement.kind != RowStatement::Kind::kWrite;
    if (has_value != (local != nullptr))
      context_.refuse(written, has_value ? "the value of this statement has no name"
                                         : "`row.write` gives no value");
    if (member->hasExplicitTemplateArgs() != (statement.kind == RowStatement::Kind::kKeep))
      context_.refuse(member->getMemberLoc(), "only `row.template keep<...>` states types");
    const DType type = read_operation(statement, call, first);
    if (local != nullptr) {
      const auto at = static_cast<std::uint32_t>(program_.statements.size());
      values_[local] = {{RowArgument::Kind::kLocal, at, {}}, type};
    }
    program_.statements.push_back(std::move(statement));
  }

  const clang::Expr* argument(const clang::CallExpr* call, std::size_t index) {
    if (index >= call->getNumArgs()) context_.refuse(call, "an argument is missing");
    return call->getArg(static_cast<unsigned>(index));
  }

  // keep<E, I>: the element type, and which buffer.
  void read_kept(RowStatement& statement, const clang::CXXDependentScopeMemberExpr* member) {
    const llvm::ArrayRef<clang::TemplateArgumentLoc> arguments = member->template_arguments();
    const bool fits = arguments.size() == 2 &&
                      arguments[0].getArgument().getKind() == clang::TemplateArgument::Type &&
                      arguments[1].getArgument().getKind() == clang::TemplateArgument::Expression;
    const std::optional<DType> type =
        fits ? context_.dtype_of(arguments[0].getArgument().getAsType()) : std::nullopt;
    if (!type) context_.refuse(member->getMemberLoc(), "keep states an element type and a number");
    statement.kept = *type;
    statement.buffer =
        static_cast<std::uint32_t>(context_.constant(arguments[1].getSourceExpression()));
    if (statement.buffer != kept_++)
      context_.refuse(member->getMemberLoc(), "the kept rows of a program count from 0");
  }

  std::uint32_t read_target(const clang::Expr* expression) {
    const auto known = values_.find(Context::named(expression));
    if (known == values_.end() || known->second.argument.kind != RowArgument::Kind::kParameter ||
        known->second.argument.index >= results_)
      context_.refuse(expression, "`row.write` writes one of the program's results");
    target_type_ = known->second.type;
    return known->second.argument.index;
  }

  // The kernel, if there is one, and what it is applied to. Gives the type of the value.
  DType read_operation(RowStatement& statement, const clang::CallExpr* call, std::size_t first) {
    const clang::Expr* kernel = nullptr;
    if (kernels_.is_lambda(argument(call, first))) {
      kernel = call->getArg(static_cast<unsigned>(first++));
    } else if (statement.kind == RowStatement::Kind::kKeep ||
               statement.kind == RowStatement::Kind::kScalar) {
      context_.refuse(call, "this statement takes a kernel first");
    }
    std::vector<DType> types;
    for (std::size_t i = first; i < call->getNumArgs(); ++i) {
      const Value value = read_value(call->getArg(static_cast<unsigned>(i)));
      statement.arguments.push_back(value.argument);
      types.push_back(value.type);
    }
    if (kernel == nullptr && types.size() != 1)
      context_.refuse(call, "without a kernel there is one operand");
    DType type = kernel == nullptr ? types[0] : DType::kF32;
    if (kernel != nullptr) {
      statement.kernel = kernels_.kernel(kernel, types);
      type = kernels_.result_type(statement.kernel);
    }
    const bool is_kept = statement.kind == RowStatement::Kind::kKeep;
    const DType wanted = is_kept ? statement.kept : target_type_;
    if ((is_kept || statement.kind == RowStatement::Kind::kWrite) && type != wanted)
      context_.refuse(call, "a value of " + std::string(name_of(type)) + " cannot be stored as " +
                                std::string(name_of(wanted)));
    return type;
  }

  Value read_value(const clang::Expr* expression) {
    const auto known = values_.find(Context::named(expression));
    if (known == values_.end())
      context_.refuse(expression, "here stands an operand or a value of this row program");
    Value value = known->second;
    if (value.argument.kind == RowArgument::Kind::kParameter && value.argument.index < results_)
      context_.refuse(expression, "a row program does not read its results");
    value.argument.place = context_.place(expression);
    return value;
  }

  Context& context_;
  Kernels& kernels_;
  const Lambda& lambda_;
  RowProgram program_;
  const clang::ParmVarDecl* row_ = nullptr;
  std::map<const clang::ValueDecl*, Value> values_;
  std::size_t results_ = 0;
  std::uint32_t kept_ = 0;
  DType target_type_ = DType::kF32;
};

}  // namespace

RowProgram read_row_program(Context& context, Kernels& kernels, const Lambda& lambda,
                            const std::vector<DType>& results, const std::vector<DType>& operands,
                            const clang::Expr* use) {
  return RowReader(context, kernels, lambda).read(results, operands, use);
}

std::string reducer_of(Context& context, const clang::Expr* expression) {
  static constexpr const char* kReducers[] = {"Sum",        "Product",   "Maximum", "Minimum",
                                              "All",        "Any",       "Mean",    "SumOfSquares",
                                              "ArgMaximum", "ArgMinimum"};
  const auto* made = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(Context::plain(expression));
  const auto* list = made == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::InitListExpr>(Context::plain(made->getSubExpr()));
  const auto* record = expression->getType()->getAsCXXRecordDecl();
  const llvm::StringRef name = record == nullptr ? "" : context.runtime_name(record);
  if (list == nullptr || list->getNumInits() != 0 ||
      llvm::find(kReducers, name) == std::end(kReducers))
    context.refuse(expression, "here stands the operator of a reduction, like wick::Sum{}");
  return name.str();
}

}  // namespace wick::frontend::check

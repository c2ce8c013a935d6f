#include "frontend/clang/declarations.h"

#include <clang/AST/Attr.h>

#include "frontend/clang/functions.h"
#include "frontend/clang/globals.h"
#include "frontend/clang/interface.h"
#include "frontend/clang/kernels.h"
#include "frontend/clang/records.h"

namespace wick::frontend::check {
namespace {

class FileReader {
 public:
  FileReader(Context& context, clang::Sema& sema)
      : context_(context), kernels_(context, sema, program_) {}

  Program read() {
    for (const clang::Decl* declaration : context_.ast().getTranslationUnitDecl()->decls()) {
      if (!declaration->isImplicit() && context_.is_emitted(declaration))
        context_.attempt([&] { read_top(declaration); });
    }
    // What is missing or unused may be so because of something that was refused.
    if (!context_.has_findings()) kernels_.report_unused();
    if (!context_.has_findings()) context_.attempt([&] { finish(); });
    return std::move(program_);
  }

 private:
  void read_top(const clang::Decl* declaration) {
    const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
    if (!is_plain(scope))
      context_.refuse(declaration->getLocation(), "emitted code stands in one namespace");
    std::string name = scope->getNameAsString();
    if (name == "wick" || name == "std")
      context_.refuse(declaration->getLocation(), "this namespace belongs to somebody else");
    while (const clang::NamespaceDecl* inner = only_inner(scope)) {
      scope = inner;
      name += "::" + inner->getNameAsString();
    }
    if (!program_.name_space.empty() && name != program_.name_space)
      context_.refuse(declaration->getLocation(), "the namespace is '" + program_.name_space +
                                                      "' in the header and '" + name + "' here");
    program_.name_space = name;
    read_scope(scope, false);
  }

  static bool is_plain(const clang::NamespaceDecl* scope) {
    return scope != nullptr && !scope->isAnonymousNamespace() && !scope->isInline() &&
           !scope->hasAttrs();
  }

  // The one namespace inside another (`namespace a::b {`), or null.
  static const clang::NamespaceDecl* only_inner(const clang::NamespaceDecl* scope) {
    const auto begin = scope->decls_begin();
    if (begin == scope->decls_end() || std::next(begin) != scope->decls_end()) return nullptr;
    const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(*begin);
    return is_plain(inner) ? inner : nullptr;
  }

  void read_scope(const clang::DeclContext* scope, bool is_anonymous) {
    for (const clang::Decl* declaration : scope->decls()) {
      if (declaration->isImplicit()) continue;
      context_.attempt([&] { read_declaration(declaration, is_anonymous); });
    }
  }

  void read_declaration(const clang::Decl* declaration, bool is_anonymous) {
    if (!context_.is_emitted(declaration)) return;
    const bool in_header = context_.place(declaration->getLocation()).file == Place::File::kHeader;
    const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
    if (scope != nullptr && scope->isAnonymousNamespace() && !in_header && !is_anonymous &&
        !scope->isInline() && !scope->hasAttrs()) {
      read_scope(scope, true);
    } else if (const auto* alias = llvm::dyn_cast<clang::TypeAliasDecl>(declaration)) {
      const clang::QualType type = alias->getUnderlyingType();
      const bool is_known = context_.tensor_type(type) || context_.panels_type(type);
      if (!is_known || alias->hasAttrs())
        context_.refuse(alias->getLocation(),
                        "'" + alias->getNameAsString() + "' is no tensor description");
    } else if (const auto* version = llvm::dyn_cast<clang::StaticAssertDecl>(declaration)) {
      read_version(version);
    } else if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) {
      read_linkage(linkage);
    } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration)) {
      read_record(record);
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      read_variable(variable, in_header, is_anonymous);
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      read_function_declaration(function, in_header, is_anonymous);
    } else {
      context_.refuse(declaration->getLocation(), "this is no declaration that wick emits");
    }
  }

  // WICK_REQUIRE_RUNTIME(1, 1)
  void read_version(const clang::StaticAssertDecl* version) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(version->getAssertExpr()));
    if (call == nullptr || call->getNumArgs() != 2)
      context_.refuse(version->getLocation(), "this states no version of the runtime");
    for (unsigned i = 0; i < 2; ++i) {
      const std::optional<Literal> number = context_.value(call->getArg(i));
      if (!number) context_.refuse(version->getLocation(), "versions are numbers");
      program_.runtime_version[i] = static_cast<int>(number->bits);
    }
    has_version_ = true;
  }

  // extern "C" const std::byte NAME_weights[45568];
  void read_linkage(const clang::LinkageSpecDecl* linkage) {
    const auto begin = linkage->decls_begin();
    const auto* variable =
        begin == linkage->decls_end() ? nullptr : llvm::dyn_cast<clang::VarDecl>(*begin);
    const auto* array =
        variable == nullptr ? nullptr : context_.ast().getAsConstantArrayType(variable->getType());
    if (array == nullptr || std::next(begin) != linkage->decls_end() || linkage->hasBraces() ||
        !context_.is_type(array->getElementType(), "const std::byte") || variable->hasInit() ||
        variable->hasAttrs() || globals_.packed != nullptr)
      context_.refuse(linkage->getLocation(), "only the embedded weights have C linkage");
    globals_.packed = variable;
    set_packed_bytes(static_cast<std::int64_t>(array->getZExtSize()), variable);
  }

  void read_record(const clang::CXXRecordDecl* record) {
    if (record->getName() == "Weights") {
      read_weights(context_, globals_, program_, record);
    } else if (record->getName() == "State") {
      read_state(context_, globals_, program_, record);
    } else {
      context_.refuse(record->getLocation(), "emitted code has the structs Weights and State");
    }
  }

  // ---- Variables ----

  void read_variable(const clang::VarDecl* variable, bool in_header, bool is_anonymous) {
    const clang::QualType type = variable->getType();
    const std::string name = variable->getNameAsString();
    if (is_static_arena(variable) && is_anonymous) return;
    if (!variable->isConstexpr())
      context_.refuse(variable->getLocation(),
                      "'" + name + "' can be changed, and emitted code keeps nothing in variables");
    if (variable->hasAttrs() || variable->isInline() != in_header ||
        variable->getStorageClass() != clang::SC_None || is_anonymous == in_header)
      context_.refuse(variable->getLocation(), "'" + name + "' is no constant that wick emits");
    if (context_.is_type(type, "const unsigned long")) {
      const std::int64_t value = context_.constant(variable->getInit());
      if (in_header) set_size(name, value, variable);
    } else if (type->getAsCXXRecordDecl() != nullptr &&
               type->getAsCXXRecordDecl() == globals_.weights_record && !in_header) {
      if (globals_.weights_values != nullptr || name != "weights" ||
          !is_default(variable->getInit()))
        context_.refuse(variable->getLocation(), "here stands `constexpr Weights weights{};`");
      globals_.weights_values = variable;
    } else if (type->getAsCXXRecordDecl() != nullptr && type->getAsCXXRecordDecl()->isLambda()) {
      kernels_.declare(variable);
    } else if (in_header && context_.is_class(type, "PackedFile")) {
      read_packed_file(context_, program_, variable);
    } else {
      read_array(variable, in_header);
    }
  }

  void set_size(llvm::StringRef name, std::int64_t value, const clang::VarDecl* variable) {
    if (name == "kArenaBytes") program_.arena_bytes = value;
    if (name == "kArenaAlignment") program_.arena_alignment = value;
    if (name == "kWeightsBytes") set_packed_bytes(value, variable);
    if (name == "kStateBytes") require_of_state(variable, value, &StateSize::Width);
    if (name == "kStateAlignment") require_of_state(variable, value, &StateSize::Align);
  }

  // Callers that know no C++ make room for the state by these numbers.
  using StateSize = clang::TypeInfoChars;
  void require_of_state(const clang::VarDecl* variable, std::int64_t value,
                        clang::CharUnits StateSize::* member) {
    const clang::CXXRecordDecl* const state = globals_.state_record;
    const bool fits =
        state != nullptr &&
        (context_.ast().getTypeInfoInChars(context_.ast().getRecordType(state)).*member)
                .getQuantity() == value;
    if (!fits)
      context_.refuse(variable->getLocation(),
                      "'" + variable->getNameAsString() + "' is not that of State");
  }

  void read_array(const clang::VarDecl* variable, bool in_header) {
    const auto* array = context_.ast().getAsConstantArrayType(variable->getType());
    if (array != nullptr && in_header && context_.is_class(array->getElementType(), "TensorInfo")) {
      read_table(context_, tables_, variable);
    } else if (array == nullptr || in_header || !context_.dtype_of(array->getElementType())) {
      context_.refuse(variable->getLocation(),
                      "'" + variable->getNameAsString() + "' is no constant that wick emits");
    }
  }

  // The header tells the size of the weights, the source declares them.
  void set_packed_bytes(std::int64_t bytes, const clang::NamedDecl* declaration) {
    if (program_.packed_bytes != 0 && program_.packed_bytes != bytes)
      context_.refuse(
          declaration->getLocation(),
          "the weights have " + std::to_string(program_.packed_bytes) + " bytes in the header");
    program_.packed_bytes = bytes;
  }

  // Every member by its own initialiser.
  static bool is_default(const clang::Expr* init) {
    const clang::Expr* const value = Context::plain(init);
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(value)) {
      return llvm::all_of(list->inits(), [](const clang::Expr* member) {
        return llvm::isa<clang::CXXDefaultInitExpr>(member);
      });
    }
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(value);
    return made != nullptr && made->getNumArgs() == 0;
  }

  // alignas(64) std::byte static_arena[256];
  bool is_static_arena(const clang::VarDecl* variable) {
    const auto* array = context_.ast().getAsConstantArrayType(variable->getType());
    if (array == nullptr || variable->isConstexpr() || variable->getName() != "static_arena" ||
        !context_.is_type(array->getElementType(), "std::byte") || variable->hasInit() ||
        variable->getStorageClass() != clang::SC_None || globals_.static_arena != nullptr ||
        !Context::is_only_aligned(variable))
      return false;
    globals_.static_arena = variable;
    program_.is_static = true;
    program_.arena_bytes = static_cast<std::int64_t>(array->getZExtSize());
    program_.arena_alignment =
        context_.ast().toCharUnitsFromBits(variable->getMaxAlignment()).getQuantity();
    return true;
  }

  // ---- Functions ----

  void read_function_declaration(const clang::FunctionDecl* function, bool in_header,
                                 bool is_anonymous) {
    const std::string name = function->getNameAsString();
    if (!function->doesThisDeclarationHaveABody()) {
      if (!in_header || name != "run" || globals_.run != nullptr || function->isInlined())
        context_.refuse(function->getLocation(), "the header declares run, and nothing else");
      require_plain_function(context_, function);
      globals_.run = function;
      return;
    }
    if (name == "weights_at" && in_header == function->isInlined() && in_header != is_anonymous) {
      read_weights_at(context_, globals_, program_, function);
    } else if (in_header && function->isInlined() && name == "bind") {
      read_bind(context_, globals_, function);
      has_bind_ = true;
    } else if (in_header && function->isInlined() && name == "reset") {
      read_reset(context_, globals_, function);
    } else if (in_header || is_anonymous || function->isInlined()) {
      context_.refuse(function->getLocation(), "'" + name + "' is no function that wick emits");
    } else {
      read_program_function(function);
    }
  }

  void read_program_function(const clang::FunctionDecl* function) {
    const bool is_run = function->getName() == "run";
    const bool is_declared =
        globals_.run != nullptr && function->getCanonicalDecl() == globals_.run->getCanonicalDecl();
    if (is_run != is_declared)
      context_.refuse(function->getLocation(),
                      "run does not have the parameters that the header "
                      "declares");
    if (is_run != (function->getStorageClass() == clang::SC_None) ||
        (!is_run && function->getStorageClass() != clang::SC_Static))
      context_.refuse(function->getLocation(), "every function but run is static");
    if (has_run_) context_.refuse(function->getLocation(), "run is the last function");
    if (is_run) require_names_of_header(function);
    read_function(context_, globals_, kernels_, program_, function);
    has_run_ = is_run;
  }

  // Callers go by the names that the header gives to the parameters of run.
  void require_names_of_header(const clang::FunctionDecl* run) {
    for (unsigned i = 0; i < run->getNumParams(); ++i) {
      const clang::ParmVarDecl* const parameter = run->getParamDecl(i);
      const std::string name = globals_.run->getParamDecl(i)->getNameAsString();
      if (parameter->getName() != name)
        context_.refuse(parameter->getLocation(), "this parameter is '" + name + "' in the header");
    }
  }

  // What must be there, and what only the whole tells.
  void finish() {
    if (!has_run_) context_.report_lack(Place::File::kSource, "the file does not define run");
    if (!has_version_)
      context_.report_lack(Place::File::kHeader, "the header states no version of the runtime");
    if (!globals_.bound.empty() && !has_bind_)
      context_.report_lack(Place::File::kHeader,
                           "the header lacks the function that binds the state's parameters");
    if (!has_run_) return;
    for (const Parameter& parameter : program_.functions.back().parameters)
      program_.has_arena = program_.has_arena || parameter.kind == Parameter::Kind::kArena;
    if (program_.has_arena && program_.is_static)
      context_.report_lack(Place::File::kSource,
                           "the arena is a parameter and an array of the file");
    program_.has_arena = program_.has_arena || program_.is_static;
    apply_tables(context_, tables_, program_);
  }

  Context& context_;
  Program program_;
  Globals globals_;
  Tables tables_;
  Kernels kernels_;
  bool has_version_ = false;
  bool has_bind_ = false;
  bool has_run_ = false;
};

}  // namespace

Program read_declarations(Context& context, clang::Sema& sema) {
  return FileReader(context, sema).read();
}

}  // namespace wick::frontend::check

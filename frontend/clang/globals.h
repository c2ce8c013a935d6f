// What the names at the scope of an emitted file's namespace stand for.
#pragma once

#include <clang/AST/DeclCXX.h>

#include <cstdint>
#include <map>

namespace wick::frontend::check {

struct Globals {
  // Constants.
  const clang::CXXRecordDecl* weights_record = nullptr;      // struct Weights
  std::map<const clang::ValueDecl*, std::uint32_t> weights;  // its members: Program::weights
  const clang::VarDecl* weights_values = nullptr;            // constexpr Weights weights{};
  const clang::FunctionDecl* weights_at = nullptr;
  const clang::VarDecl* packed = nullptr;  // extern "C" const std::byte NAME_weights[...];

  // What lives across calls.
  const clang::CXXRecordDecl* state_record = nullptr;      // struct State
  std::map<const clang::ValueDecl*, std::uint32_t> bound;  // its members: Program::bound
  const clang::ValueDecl* once = nullptr;
  const clang::ValueDecl* state_bytes = nullptr;

  const clang::VarDecl* static_arena = nullptr;
  std::map<const clang::FunctionDecl*, std::uint32_t> functions;  // Program::functions
  const clang::FunctionDecl* run = nullptr;                       // as the header declares it
};

}  // namespace wick::frontend::check

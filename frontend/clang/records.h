// The structs of an emitted file, and the functions that fill them: Weights and weights_at, State
// and bind and reset.
#pragma once

#include "frontend/clang/context.h"
#include "frontend/clang/globals.h"

namespace wick::frontend::check {

// struct Weights { wick::In<T> name; … };  Inline constants have their array as initialiser.
void read_weights(Context& context, Globals& globals, Program& program,
                  const clang::CXXRecordDecl* record);

// Weights weights_at(const std::byte* packed) noexcept { return {wick::constant<T>(packed, 0), …};
// }
void read_weights_at(Context& context, Globals& globals, Program& program,
                     const clang::FunctionDecl* function);

// struct State { wick::Once once; alignas(64) std::byte bytes[N]; wick::In<T> name{nullptr}; … };
void read_state(Context& context, Globals& globals, Program& program,
                const clang::CXXRecordDecl* record);

// inline void bind(State& state, wick::In<T> name, …) noexcept { state.name = name; … }
void read_bind(Context& context, const Globals& globals, const clang::FunctionDecl* function);

// inline void reset(State& state) noexcept { state.once.reset(); }
void read_reset(Context& context, const Globals& globals, const clang::FunctionDecl* function);

}  // namespace wick::frontend::check

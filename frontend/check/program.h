// An emitted file as the checker understands it: what its text says, and nothing that wick knew
// when it wrote the text.
//
// frontend/clang reads C++ into these records; the proofs (safety.h, faithful.h) are made on them
// and see neither Clang nor any pass of the compiler but the op records and the verified graph.
// What docs/generated-code.md does not list has no record here: the reader refuses it.
//
// The reader sees to what one name or one call says by itself: an in-place name keeps the number
// and the size of elements, a view the element type, reused memory its size; a kernel's value has
// the element type of what it is stored in. It does not compare the shapes of a statement's
// operands (the runtime does that in bodies that the reader skips), nor anything between
// statements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ops/record.h"

namespace wick::frontend::check {

using compiler::DType;
using compiler::ops::TensorType;

// Where in the checked files; counted from 1.
struct Place {
  enum class File : std::uint8_t { kSource, kHeader };
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  File file = File::kSource;
};

// Something that is wrong.
struct Finding {
  Place place;
  std::string message;  // one sentence that a C++ programmer understands
  std::string hint;     // what to do; may be empty
  std::string pointer;  // JSON pointer into the graph; empty if the graph has no part in it
};

// ---- Kernels ------------------------------------------------------------------------------------

// A typed literal, by its bits (in the low bytes).
struct Literal {
  DType dtype = DType::kF32;
  std::uint64_t bits = 0;
};

// One expression of a kernel. Operands stand before their users in Kernel::expressions.
struct Expression {
  enum class Kind : std::uint8_t {
    kParameter,  // `index`
    kLiteral,
    kInfix,   // operands[0] token operands[1]
    kPrefix,  // token operands[0]
    kCall,    // wick::token(operands...)
    kCast,    // wick::cast<dtype>(operands[0])
  };
  Kind kind = Kind::kParameter;
  std::uint32_t index = 0;
  Literal literal;
  std::string token;  // "+", "-", "relu"
  std::vector<std::uint32_t> operands;
  DType dtype = DType::kF32;  // of the value, from the instantiation of the lambda
  Place place;
};

// A lambda over elements, with the element types of one use. A lambda used with other types stands
// here once for each list of types.
struct Kernel {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<DType> parameter_types;
  std::vector<Expression> expressions;
  std::uint32_t result = 0;  // index in `expressions`
  Place place;
};

// ---- Row programs -------------------------------------------------------------------------------

// An argument of a row statement.
struct RowArgument {
  enum class Kind : std::uint8_t {
    kParameter,  // a parameter of the program after `row`, counted from 0: results, then operands
    kLocal,      // what statement number `index` gave
  };
  Kind kind = Kind::kParameter;
  std::uint32_t index = 0;
  Place place;
};

struct RowStatement {
  enum class Kind : std::uint8_t { kReduce, kKeep, kScalar, kWrite };
  static constexpr std::uint32_t kNoKernel = ~std::uint32_t{0};
  Kind kind = Kind::kReduce;
  std::string name;                  // of the local; empty for kWrite
  std::string reducer;               // kReduce: "Sum"
  DType kept = DType::kF32;          // kKeep: element type of the row buffer
  std::uint32_t buffer = 0;          // kKeep: its number
  std::uint32_t target = 0;          // kWrite: the parameter written
  std::uint32_t kernel = kNoKernel;  // index in Program::kernels; none: the argument as it is
  std::vector<RowArgument> arguments;
  Place place;
};

struct RowProgram {
  std::string name;
  std::vector<std::string> parameters;  // after `row`
  std::vector<RowStatement> statements;
  Place place;
};

// ---- Names for memory ---------------------------------------------------------------------------

// An expression that names memory: a parameter, a declared local, or an operand written in place
// (`wick::in_place<Matrix2x3>(y)`). Indices are into Function::names unless said otherwise.
struct Name {
  enum class Kind : std::uint8_t {
    kInput,           // parameter In<T>; `index`: which parameter
    kDonated,         // parameter InOut<T>
    kOutput,          // parameter Out<T>
    kConstant,        // `index` in Program::weights
    kBound,           // `index` in Program::bound: a tensor that the state points to
    kSlot,            // bytes [offset, …) of the arena
    kStateSlot,       // bytes [offset, …) of State::bytes
    kInPlace,         // the bytes of `base`
    kView,            // `base` read from element `offset` on
    kHeapSlot,        // memory of its own
    kReuse,           // the memory of `base`, which was retired
    kWorkspace,       // scratch: `bytes` bytes at `offset` of the arena
    kStateWorkspace,  // scratch in State::bytes
    kHeapWorkspace,   // scratch of its own
    kNoWorkspace,
    kNothing,  // a tensor without elements, which has no memory (`wick::slot<T>(nullptr, 0)`)
  };
  Kind kind = Kind::kInput;
  std::string text;  // as written: "h0", "weights.b0"
  TensorType type;   // strides as written, offset 0; meaningless for scratch
  std::uint32_t index = 0;
  std::uint32_t base = 0;
  std::int64_t offset = 0;      // bytes for slots and scratch, elements for views
  std::int64_t bytes = 0;       // scratch, and what a slot's tensor needs
  std::uint32_t parameter = 0;  // kInput, kDonated, kOutput: position among Function::parameters
  bool panels = false;          // kConstant: as Weight::panels
  Place place;
};

// ---- Statements ---------------------------------------------------------------------------------

enum class Access : std::uint8_t { kRead, kWrite, kOverwrite };  // In, Out, InOut

struct Argument {
  enum class Kind : std::uint8_t {
    kMemory,      // `index` in Function::names, used as the runtime function's parameter says
    kWorkspace,   // `index` in Function::names
    kKernel,      // `index` in Program::kernels
    kRowProgram,  // `index` in Program::row_programs
    kReducer,     // `text`: "Sum"
    kLiteral,
    kTerms,    // wick::terms(...)
    kResults,  // wick::results(...)
    kOutputs,  // wick::outs(...)
  };
  Kind kind = Kind::kMemory;
  Access access = Access::kRead;
  std::uint32_t index = 0;
  std::string text;
  Literal literal;
  std::vector<Argument> nested;
  Place place;
};

struct TemplateArgument {
  enum class Kind : std::uint8_t {
    kInteger,
    kFlag,
    kAxes,
    kSizes,
    kSteps,
    kDilations,
    kBefore,
    kAfter,
  };
  Kind kind = Kind::kInteger;
  std::vector<std::int64_t> values;  // one for kInteger and kFlag
};

struct Statement {
  enum class Kind : std::uint8_t {
    kDeclare,  // the name `index` comes into being (a slot, a view, …)
    kKernel,   // a runtime function: `function`
    kFree,     // wick::free(name `index`)
    kRetire,   // wick::retire(name `index`)
    kEnter,    // wick::enter(arena, offset bytes, names of `arguments`…)
    kLeave,    // wick::leave(arena, offset bytes)
    // Program::functions[index](arguments…), a part: the tensors among its arguments, as kMemory
    // (weights, state and arena are passed under these names and do not stand here).
    kCall,
    kOnce,  // if (state.once.begin()) { Program::functions[index](…); state.once.finish(); }
  };
  Kind kind = Kind::kKernel;
  std::uint32_t index = 0;
  std::int64_t bytes = 0;  // kEnter, kLeave
  std::string function;    // "map", "matmul_in_place"
  std::vector<TemplateArgument> template_arguments;
  std::vector<Argument> arguments;  // in the order written
  Place place;
};

struct Parameter {
  enum class Kind : std::uint8_t { kWeights, kState, kInput, kDonated, kOutput, kArena };
  Kind kind = Kind::kInput;
  std::string name;
  TensorType type;  // of tensors
  Place place;
  std::string original = {};  // what the graph calls it, if the header says so
};

// `run`, `prepare`, or a part of `run`. A part's parameters carry the names of run's, and its call
// passes them under these names (the reader refuses another).
struct Function {
  std::string name;
  bool is_noexcept = false;
  std::vector<Parameter> parameters;
  std::vector<Name> names;
  std::vector<Statement> statements;
  Place place;
};

// ---- The file -----------------------------------------------------------------------------------

// A constant: packed at an offset of the weights file, or written out in the source.
struct Weight {
  std::string name;
  TensorType type;
  bool panels = false;  // its bytes lie in k-major panels: only the right factor of a product
  bool is_inline = false;
  std::int64_t offset = 0;        // bytes, if packed
  std::vector<std::byte> values;  // if inline: elements in row-major order
  Place place;
};

// A tensor that the caller binds to the state.
struct Bound {
  std::string name;
  TensorType type;
  Place place;
  std::string original = {};  // as Parameter::original
};

struct Program {
  std::string name_space;
  std::array<int, 2> runtime_version{};  // of WICK_REQUIRE_RUNTIME
  bool has_arena = false;                // a parameter, or (is_static) an array of the file
  bool is_static = false;
  std::int64_t arena_bytes = 0;  // kArenaBytes, or the array's size
  std::int64_t arena_alignment = 0;
  bool has_state = false;
  std::int64_t state_bytes = 0;
  std::int64_t state_alignment = 0;
  std::int64_t packed_bytes = 0;  // size of the packed weights, as declared
  std::string packed_name;        // kWeightsFile, if the caller brings the weights
  std::uint64_t packed_hash = 0;  // of the same
  Place packed_place;
  std::vector<Weight> weights;
  std::vector<Bound> bound;
  std::vector<Kernel> kernels;
  std::vector<RowProgram> row_programs;
  std::vector<Function> functions;  // in the order of the file; the last is run
};

}  // namespace wick::frontend::check

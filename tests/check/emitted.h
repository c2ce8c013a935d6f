// An emitted file as text: where its types, constants, kernels and statements stand.
//
// It knows the fixed format of docs/generated-code.md and nothing else, and shares no code with the
// emitter, the planner or the checker: what is mutated, and what is a fault, is decided without
// them. A text that has another format is a bug of the tests: std::runtime_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wick::mutation {

// A half-open range of characters of the source or of the header.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What emitted code writes as a value or a type: `wick::slot<Row96>(arena, kH0)`, `a + b`, `-1.0f`,
// `wick::Sum{}`, `{a, b}`. A name is taken together with what it is qualified by: `weights.b0`.
struct Expression {
  Span span;
  Span name_span;
  std::string name;  // of an infix or prefix expression: the operator; of a list: empty
  std::vector<Expression> templates;
  std::vector<Expression> arguments;
  bool is_call = false;
  bool is_operator = false;

  bool is_name() const { return !is_call && !is_operator && templates.empty() && !name.empty(); }
};

struct Statement {
  Span span;             // with the semicolon
  std::string declared;  // x in `const auto x = …;`
  bool is_return = false;
  Expression value;

  // "map" for a call of wick::map; empty for anything else.
  std::string_view runtime_function() const;
};

// A tensor description: wick::Tensor, wick::Strided or wick::Panels. The last has the strides of
// its matrix, for all that is asked here is which bytes it takes.
struct Type {
  std::string name;  // of the alias
  std::string element;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  bool in_header = false;
  bool is_in_panels = false;
  Expression definition;

  std::int64_t elements() const;
  std::int64_t element_bytes() const;
  std::int64_t bytes() const { return elements() * element_bytes(); }
};

struct Parameter {
  std::string kind;  // "In", "Out", "InOut", "State", "arena"
  std::string type;  // of a tensor
  std::string name;
  Span kind_span;
};

struct Function {
  std::string name;
  Span name_span;
  std::vector<Parameter> parameters;
  std::vector<Statement> statements;
  Span body;  // between the braces

  const Parameter* parameter(std::string_view wanted) const;
};

// A kernel, or a row program (whose first parameter is `row`).
struct Lambda {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<Statement> statements;

  bool is_rows() const { return !parameters.empty() && parameters.front() == "row"; }
};

// `constexpr std::size_t kH0 = 0;`
struct SlotConstant {
  std::string name;
  std::int64_t value = 0;
  Span span;  // of the number
};

// A member of Weights.
struct WeightMember {
  std::string name;
  Span name_span;
  std::string type;
  Expression values;         // of inline weights: the name of the array
  std::int64_t offset = -1;  // of packed weights, in bytes
  Expression packed;         // wick::constant<Type>(packed, offset)
};

// An inline array of values.
struct Values {
  std::string name;
  std::vector<Expression> elements;
};

// A tensor that the caller binds to the state.
struct BoundMember {
  std::string name;
  std::string type;
};

struct Emitted {
  std::string source;
  std::string header;
  std::string name_space;
  std::vector<Type> types;
  std::vector<SlotConstant> slots;
  std::vector<Values> values;
  std::vector<Expression> tables;  // in the header: wick::describe<Row4>("x")
  std::vector<WeightMember> weights;
  std::vector<BoundMember> bound;
  std::vector<Lambda> lambdas;
  std::vector<Function> functions;  // the last one is run
  std::int64_t arena_bytes = 0;
  Span arena_span;  // of the number
  bool arena_in_header = false;
  bool has_state = false;
  std::int64_t state_bytes = 0;
  std::int64_t packed_bytes = 0;

  const Function& run() const { return functions.back(); }
  const Function* function(std::string_view name) const;
  const Type* type(std::string_view name) const;
  const Lambda* lambda(std::string_view name) const;
  const SlotConstant* slot(std::string_view name) const;
  // The type that an expression such as `Row96` or `wick::Strided<Row96, 0>` describes.
  Type describe(const Expression& expression) const;
  std::string_view text(Span span) const {
    return std::string_view(source).substr(span.begin, span.end - span.begin);
  }
};

Emitted parse_emitted(const std::string& source, const std::string& header);

// Counted from 1.
std::uint32_t line_of(std::string_view text, std::size_t place);

}  // namespace wick::mutation

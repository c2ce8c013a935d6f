#include "tests/check/emitted.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/check/tokens.h"

namespace wick::mutation {
namespace {

std::int64_t number(std::string_view text) { return std::stoll(std::string(text)); }

std::vector<std::int64_t> packed_strides(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis])
    strides[axis] = stride;
  return strides;
}

void append(std::vector<Expression>& to, const std::vector<Expression>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Reads the declarations of one file in the order in which they stand.
class Reader {
 public:
  Reader(Emitted& emitted, bool in_header)
      : emitted_(emitted),
        in_header_(in_header),
        parser_(in_header ? emitted.header : emitted.source) {}

  void read() {
    while (!parser_.at_end()) declaration();
  }

 private:
  void declaration() {
    if (parser_.accept("namespace")) {
      if (!parser_.sees("{")) emitted_.name_space = parser_.take().text;
      parser_.expect("{");
    } else if (parser_.accept("using")) {
      alias();
    } else if (parser_.sees("extern")) {
      packed_weights();
    } else if (parser_.sees("alignas")) {
      static_arena();
    } else if (parser_.accept("struct")) {
      structure();
    } else if (parser_.sees("Weights")) {
      weights_at();
    } else if (parser_.sees("constexpr") || parser_.sees("inline")) {
      constant();
    } else if (!in_header_ && (parser_.sees("static") || parser_.sees("void"))) {
      function();
    } else {
      parser_.take();
    }
  }

  void alias() {
    Type type;
    const std::string name(parser_.take().text);
    parser_.expect("=");
    const Expression definition = parser_.expression();
    type = emitted_.describe(definition);
    type.name = name;
    type.in_header = in_header_;
    type.definition = definition;
    emitted_.types.push_back(std::move(type));
  }

  // extern "C" const std::byte digits_weights[45568];
  void packed_weights() {
    parser_.skip_behind("[");
    emitted_.packed_bytes = number(parser_.take().text);
  }

  // alignas(64) std::byte static_arena[256];
  void static_arena() {
    parser_.skip_behind("[");
    arena(parser_.take());
  }

  void arena(const Token& token) {
    emitted_.arena_bytes = number(token.text);
    emitted_.arena_span = token.span;
    emitted_.arena_in_header = in_header_;
  }

  void structure() {
    const bool is_state = parser_.take().text == "State";
    if (is_state) emitted_.has_state = true;
    parser_.expect("{");
    while (!parser_.accept("}")) {
      if (parser_.sees("wick::In")) {
        member(is_state);
      } else if (parser_.accept("[")) {
        emitted_.state_bytes = number(parser_.take().text);
      } else {
        parser_.take();
      }
    }
  }

  // wick::In<Row4> x;   wick::In<Row4> x{x_values};   wick::In<Row4> x{nullptr};
  void member(bool is_state) {
    parser_.expect("wick::In");
    parser_.expect("<");
    const std::string type(parser_.take().text);
    parser_.expect(">");
    const Expression name = parser_.expression();
    if (is_state) {
      emitted_.bound.push_back({name.name, type});
    } else {
      WeightMember weight{name.name, name.name_span, type, {}, -1, {}};
      if (!name.arguments.empty()) weight.values = name.arguments.front();
      emitted_.weights.push_back(std::move(weight));
    }
  }

  void weights_at() {
    parser_.skip_behind("return");
    const Expression list = parser_.expression();
    for (std::size_t i = 0; i < list.arguments.size(); ++i) {
      emitted_.weights.at(i).packed = list.arguments[i];
      emitted_.weights[i].offset = number(list.arguments[i].arguments.at(1).name);
    }
  }

  void constant() {
    if (parser_.accept("inline")) {
      if (!parser_.sees("constexpr")) {
        parser_.skip_behind("{");
        parser_.skip_block();
        return;
      }
    }
    parser_.expect("constexpr");
    if (parser_.accept("auto")) return lambda();
    const std::string type(parser_.take().text);
    const std::string name(parser_.take().text);
    if (parser_.accept("[")) {
      parser_.skip_behind("=");
      const Expression list = parser_.expression();
      if (!in_header_) emitted_.values.push_back({name, list.arguments});
      if (in_header_) append(emitted_.tables, list.arguments);
    } else if (type == "std::size_t" && parser_.accept("=")) {
      const Token value = parser_.take();
      if (in_header_ && name == "kArenaBytes") arena(value);
      if (!in_header_) emitted_.slots.push_back({name, number(value.text), value.span});
    } else {
      parser_.skip_behind(";");
    }
  }

  void lambda() {
    Lambda lambda;
    lambda.name = parser_.take().text;
    parser_.expect("=");
    parser_.skip_behind("(");
    while (!parser_.accept(")")) {
      parser_.expect("auto");
      lambda.parameters.emplace_back(parser_.take().text);
      parser_.accept(",");
    }
    parser_.expect("{");
    while (!parser_.accept("}")) lambda.statements.push_back(parser_.statement());
    emitted_.lambdas.push_back(std::move(lambda));
  }

  void function() {
    Function function;
    parser_.accept("static");
    if (!parser_.accept("void")) return;
    const Token name = parser_.take();
    function.name = name.text;
    function.name_span = name.span;
    parser_.expect("(");
    while (!parser_.accept(")")) function.parameters.push_back(parameter());
    parser_.expect("noexcept");
    if (!parser_.sees("{")) return;
    function.body.begin = parser_.take().span.end;
    while (!parser_.sees("}")) body_statement(function);
    function.body.end = parser_.take().span.begin;
    emitted_.functions.push_back(std::move(function));
  }

  Parameter parameter() {
    Parameter parameter;
    if (parser_.accept("[[")) {  // maybe_unused
      parser_.skip_behind("]");
      parser_.expect("]");
    }
    const Token kind = parser_.take();
    parameter.kind_span = kind.span;
    if (kind.text.starts_with("wick::")) {
      parameter.kind = kind.text.substr(6);
      parser_.expect("<");
      parameter.type = parser_.take().text;
      parser_.expect(">");
    } else {
      parameter.kind = kind.text == "State" ? "State" : "arena";
      parser_.take();  // & or *
    }
    parameter.name = parser_.take().text;
    parser_.accept(",");
    return parameter;
  }

  void body_statement(Function& function) {
    if (parser_.sees("std::byte")) {  // std::byte* const arena = static_arena;
      parser_.skip_behind(";");
    } else if (parser_.accept("if")) {  // if (state.once.begin()) { …; …; }
      parser_.expect("(");
      parser_.expression();
      parser_.expect(")");
      parser_.expect("{");
      while (!parser_.accept("}")) function.statements.push_back(parser_.statement());
    } else {
      function.statements.push_back(parser_.statement());
    }
  }

  Emitted& emitted_;
  bool in_header_;
  Parser parser_;
};

template <class T>
const T* find_named(const std::vector<T>& items, std::string_view name) {
  const auto found = std::ranges::find(items, name, &T::name);
  return found != items.end() ? &*found : nullptr;
}

}  // namespace

std::string_view Statement::runtime_function() const {
  const std::string_view name = value.name;
  return value.is_call && name.starts_with("wick::") ? name.substr(6) : std::string_view();
}

std::int64_t Type::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::int64_t Type::element_bytes() const {
  static const std::map<std::string, std::int64_t, std::less<>> kBytes = {
      {"float", 4},        {"double", 8},       {"std::int8_t", 1}, {"std::uint8_t", 1},
      {"std::int32_t", 4}, {"std::int64_t", 8}, {"bool", 1}};
  return kBytes.at(element);
}

const Parameter* Function::parameter(std::string_view wanted) const {
  return find_named(parameters, wanted);
}

const Function* Emitted::function(std::string_view name) const {
  return find_named(functions, name);
}
const Type* Emitted::type(std::string_view name) const { return find_named(types, name); }
const Lambda* Emitted::lambda(std::string_view name) const { return find_named(lambdas, name); }
const SlotConstant* Emitted::slot(std::string_view name) const { return find_named(slots, name); }

Type Emitted::describe(const Expression& expression) const {
  if (const Type* known = type(expression.name)) return *known;
  Type described;
  if (expression.name == "wick::Tensor" || expression.name == "wick::Panels") {
    described.is_in_panels = expression.name == "wick::Panels";
    described.element = expression.templates.at(0).name;
    for (std::size_t i = 1; i < expression.templates.size(); ++i)
      described.extents.push_back(number(expression.templates[i].name));
    described.strides = packed_strides(described.extents);
  } else if (expression.name == "wick::Strided") {
    described = describe(expression.templates.at(0));
    for (std::size_t i = 1; i < expression.templates.size(); ++i)
      described.strides.at(i - 1) = number(expression.templates[i].name);
  } else {
    throw std::runtime_error("not a type: " + expression.name);
  }
  described.name.clear();
  return described;
}

Emitted parse_emitted(const std::string& source, const std::string& header) {
  Emitted emitted;
  emitted.source = source;
  emitted.header = header;
  Reader(emitted, true).read();
  Reader(emitted, false).read();
  if (emitted.functions.empty() || emitted.run().name != "run")
    throw std::runtime_error("no function run");
  return emitted;
}

std::uint32_t line_of(std::string_view text, std::size_t place) {
  return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, place), '\n'));
}

}  // namespace wick::mutation

// Graphs for tests, written in a few lines:
//
//   const Graph graph = Described()
//                           .input("x", DType::kF32, {2, 3})
//                           .node("y", "add", {"x", 1})
//                           .node("s", "sum", {"y"}, {{"axes", ops::Integers{0}}})
//                           .output("s")
//                           .verified();
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph/description.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/verify.h"

namespace wick::compiler::testing {

// A name or a number.
struct Operand {
  Operand(const char* name) : what(std::string(name)) {}
  Operand(std::string name) : what(std::move(name)) {}
  Operand(Literal literal) : what(std::move(literal)) {}
  Operand(double number);
  Operand(int number) : what(Literal{std::to_string(number)}) {}
  std::variant<std::string, Literal> what;
};

// A description under construction. What modifies a node modifies the last one.
class Described {
 public:
  explicit Described(std::string name = "test");

  Described& input(std::string name, DType dtype, std::vector<std::int64_t> shape);
  Described& parameter(std::string name, DType dtype, std::vector<std::int64_t> shape);
  Described& donated(std::string name, DType dtype, std::vector<std::int64_t> shape);
  Described& constant(std::string name, HostTensor data);
  template <class E>
  Described& constant(std::string name, std::initializer_list<std::int64_t> shape,
                      std::initializer_list<E> values) {
    return constant(std::move(name),
                    HostTensor::of<E>(Shape::of(shape), std::span(values.begin(), values.size())));
  }
  Described& node(std::string name, std::string op, std::vector<Operand> operands,
                  ops::Attributes attributes = {});
  // Several results.
  Described& nodes(std::vector<std::string> results, std::string op, std::vector<Operand> operands,
                   ops::Attributes attributes = {});
  Described& dtype(DType dtype);
  Described& shape(std::vector<std::int64_t> shape);
  Described& cached();
  Described& output(std::string name);

  // The verified graph; throws std::runtime_error with every message if there are errors.
  Graph verified() const;
  // The messages of verification, one per line: "/nodes/0/op: there is no …".
  std::string errors() const;

  GraphDescription description;
};

// Each diagnostic in a line of its own: "pointer: message (hint)".
std::string to_text(const Diagnostics& diagnostics);

// Looks in `graph`; throws std::runtime_error if there is none of that name.
ValueId value_named(const Graph& graph, std::string_view name);
const Node& node_named(const Graph& graph, std::string_view name);
bool has_value(const Graph& graph, std::string_view name);

// What graph.h promises of every graph, checked without the code that makes graphs; the first thing
// found wrong, or nothing. Cost: linear but for the order of nodes, O(n log n).
std::string broken_promise(const Graph& graph);

}  // namespace wick::compiler::testing

#include "tests/bench/planner/shapes.h"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <vector>

namespace wick::bench {
namespace {

// Writes the text of a graph node by node. A value is known by its number; number 0 is the input.
class Writer {
 public:
  explicit Writer(const std::string& shape = "[64]", const std::string& more_inputs = "") {
    text_ = R"({"wick": 1, "name": "bench", "inputs": [{"name": "n0", "dtype": "f32", "shape": )";
    text_ += shape + "}" + more_inputs + "],\n\"nodes\": [\n";
  }

  std::size_t unary(std::size_t x) { return node("tanh", {name(x)}); }
  std::size_t binary(std::size_t x, std::size_t y) { return node("sub", {name(x), name(y)}); }

  template <class Operands = std::initializer_list<std::string>>
  std::size_t node(const char* op, const Operands& operands, const char* attributes = "") {
    if (last_ > 0) text_ += ",\n";
    ++last_;
    text_ += R"({"name": ")" + name(last_) + R"(", "op": ")" + op + R"(", "inputs": [)";
    const char* separator = "\"";
    for (const std::string& operand : operands) {
      text_ += separator + operand + "\"";
      separator = ", \"";
    }
    text_ += std::string("]") + attributes + "}";
    return last_;
  }

  static std::string name(std::size_t value) {
    std::string text(1, 'n');
    return text += std::to_string(value);
  }
  std::size_t last() const { return last_; }

  std::string finish() { return text_ + "\n],\n\"outputs\": [\"" + name(last_) + "\"]}\n"; }

 private:
  std::string text_;
  std::size_t last_ = 0;
};

}  // namespace

std::string write_chain(std::size_t nodes) {
  Writer graph;
  for (std::size_t i = 0; i < nodes; ++i) graph.unary(graph.last());
  return graph.finish();
}

std::string write_tree(std::size_t nodes) {
  Writer graph;
  std::vector<std::size_t> level;
  for (std::size_t i = 0; i < nodes / 2; ++i) level.push_back(graph.unary(0));
  while (level.size() > 1) {
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(graph.binary(level[i], level[i + 1]));
    }
    if (level.size() % 2 != 0) next.push_back(level.back());
    level = std::move(next);
  }
  return graph.finish();
}

std::string write_fan_out(std::size_t nodes) {
  Writer graph;
  const std::size_t hub = graph.unary(0);
  std::size_t sum = hub;
  for (std::size_t i = 0; i < nodes / 2; ++i) sum = graph.binary(sum, graph.unary(hub));
  return graph.finish();
}

std::string write_fan_in(std::size_t nodes) {
  Writer graph;
  std::vector<std::string> leaves;
  for (std::size_t i = 1; i < nodes; ++i) leaves.push_back(Writer::name(graph.unary(0)));
  graph.node("concat", leaves, R"(, "axis": 0)");
  return graph.finish();
}

std::string write_diamonds(std::size_t nodes) {
  Writer graph;
  std::size_t last = graph.unary(0);
  for (std::size_t i = 0; i < nodes / 3; ++i) {
    last = graph.binary(graph.unary(last), graph.unary(last));
  }
  return graph.finish();
}

std::string write_attention(std::size_t nodes) {
  constexpr std::size_t kNodesOfBlock = 15;
  std::string weights;
  for (const char* name : {"wq", "wk", "wv", "wo", "w1", "w2"}) {
    weights += std::string(R"(, {"name": ")") + name + R"(", "dtype": "f32", "shape": [16, 16]})";
  }
  Writer graph("[16, 16]", weights);
  const auto name = Writer::name;
  std::size_t x = 0;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, nodes / kNodesOfBlock); ++i) {
    const std::size_t query = graph.node("matmul", {name(x), "wq"});
    const std::size_t key = graph.node("transpose", {name(graph.node("matmul", {name(x), "wk"}))});
    const std::size_t value = graph.node("matmul", {name(x), "wv"});
    const std::size_t scores = graph.node("matmul", {name(query), name(key)});
    const std::size_t weight = graph.node("softmax", {name(graph.unary(scores))}, R"(, "axis": 1)");
    const std::size_t seen = graph.node("matmul", {name(weight), name(value)});
    x = graph.node("add", {name(x), name(graph.node("matmul", {name(seen), "wo"}))});
    const std::size_t hidden = graph.node("gelu", {name(graph.node("matmul", {name(x), "w1"}))});
    x = graph.node("add", {name(x), name(graph.node("matmul", {name(hidden), "w2"}))});
  }
  return graph.finish();
}

std::string write_random(std::size_t nodes) {
  Writer graph;
  std::mt19937 random(7);
  std::size_t sum = graph.unary(0);
  for (std::size_t i = 0; i < nodes / 3; ++i) {
    const std::size_t window = std::min<std::size_t>(graph.last() + 1, 100);
    const std::size_t a = graph.last() - random() % window;
    const std::size_t b = graph.last() - random() % window;
    sum = graph.binary(sum, graph.unary(graph.binary(a, b)));
  }
  return graph.finish();
}

}  // namespace wick::bench

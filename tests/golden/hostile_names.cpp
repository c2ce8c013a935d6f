#include "tests/golden/hostile_names.h"

#include <array>

#include "compiler/tensor/host_tensor.h"

namespace wick::golden {
namespace {

using compiler::DType;
using compiler::HostTensor;
using compiler::Shape;

std::vector<std::string> make_strings() {
  std::vector<std::string> names = {
      // Keywords, alternative tokens, contextual words.
      "class",
      "int",
      "namespace",
      "and",
      "not_eq",
      "co_await",
      "final",
      "override",
      "restrict",
      "template",
      "this",
      "auto",
      "operator",
      "return",
      "import",
      "module",
      // Reserved names, macros, names of the standard library.
      "__x",
      "_X",
      "__attribute__",
      "__builtin_trap",
      "NULL",
      "EOF",
      "errno",
      "assert",
      "linux",
      "unix",
      "INT8_MAX",
      "WICK_CHECKS",
      "WICK_REQUIRE_RUNTIME",
      "WICK",
      "max",
      "min",
      "INFINITY",
      "std",
      "size_t",
      "float",
      "byte",
      "string",
      // What emitted code calls its own things.
      "wick",
      "run",
      "prepare",
      "bind",
      "reset",
      "arena",
      "static_arena",
      "state",
      "State",
      "weights",
      "Weights",
      "weights_at",
      "kArenaBytes",
      "row",
      "out",
      "outs",
      "packed",
      "once",
      "bytes",
      "Matrix2x5",
      "Vector5",
      "In",
      "Out",
      "Tensor",
      "slot",
      "view",
      "free",
      "map",
      "y",
      "y_kernel",
      "y_rows",
      "y_terms",
      "y_results",
      "y_values",
      "y_workspace",
      "y_2",
      "y_value",
      "y_out",
      "kY",
      "hostile",
      "main",
      // Digits, spaces, punctuation; names that differ in nothing else.
      "0",
      "007",
      "3.14",
      "1e9",
      "a b",
      "a.b",
      "a-b",
      "a/b",
      "a_b",
      "a__b",
      "a_b_",
      " a b ",
      "a_b_2",
      "-",
      "--",
      "+",
      " ",
      "\t",
      "_",
      "__",
      // Other scripts; bytes that look like something else.
      "\xCE\xB1",
      "\xE5\xB1\x82",
      "\xD8\xA7\xD9\x84",
      "\xF0\x9F\x98\x80",
      "\xC3\xA9",
      "e\xCC\x81",
      "\xD0\xB0",  // e and a combining accent; a Cyrillic a
      "a\xE2\x80\xAE"
      "b\xE2\x80\xAC",                   // right-to-left override and its end
      "\xE2\x81\xA6hidden\xE2\x81\xA9",  // isolates
      "\xE2\x80\xA8line\xE2\x80\xA9",    // separators of lines and paragraphs
      "zero\xE2\x80\x8Bwidth",
      "\xEF\xBB\xBF"
      "bom",
      // Ends of comments, literals, lines.
      "*/ int injected_1 = 0; /*",
      "// x",
      "/* x",
      "*/",
      "\\",
      "x\\",
      "x\\\n",
      "?\?/",
      "x?\?/",
      "?\?/\n int injected_2 = 0;",
      "x\n#error injected_3\n",
      "\r#include \"injected_4\"\r",
      "\"; int injected_5 = 0; //",
      "\\\"",
      "'",
      "\"",
      "R\"(",
      ")\"",
      "%s%n",
      "${x}",
      "`",
      "<U+0041>",
      "<::",
      "%:define injected_6",
      "_Pragma(\"GCC error \\\"injected_7\\\"\")",
      "[[maybe_unused]]",
      "\\u0041",
      "\\N{LATIN SMALL LETTER A}",
      "\x01\x02\x7F",
      "a\x1B[31mred",
      ".popsection\n.text",
      "});\n} injected_8 {",
  };
  names.emplace_back("nul\0inside", 10);
  names.push_back(std::string(10'000, 'a'));
  names.push_back(std::string(9'999, 'a') + "b");
  std::string accents, slashes;
  for (int i = 0; i < 5'000; ++i) {
    accents += "\xC3\xA9";
    slashes += "\\\n";
  }
  names.push_back(accents);
  names.push_back(slashes);
  return names;
}

class Maker {
 public:
  Maker(std::size_t variant, bool tame) : variant_(variant), tame_(tame) {}

  compiler::GraphDescription run() {
    const std::vector<std::string>& strings = hostile_strings();
    graph_.name = tame_ ? "tame" : strings[(variant_ * 37 + 5) % strings.size()];
    graph_.description = text(variant_ * 11 + 3);
    for (std::size_t i = 0; i < strings.size(); ++i) {
      if (role(i) == 0) add_input(i);
      if (role(i) == 1) add_constant(i);
    }
    for (std::size_t i = 0; i < strings.size(); ++i) {
      if (role(i) >= 2) add_node(i, role(i) == 3);
    }
    return std::move(graph_);
  }

 private:
  // The i-th string is an input (0), a constant (1), a value on the way (2) or an output (3).
  std::size_t role(std::size_t i) const { return (i + variant_) % kVariants; }

  std::string name(std::size_t i) const {
    return tame_ ? "v" + std::to_string(i) : hostile_strings()[i];
  }
  std::string text(std::size_t i) const {
    return tame_ ? "" : hostile_strings()[i % hostile_strings().size()];
  }

  // The constants of the last variant are so large that a file of weights holds them.
  std::vector<std::int64_t> shape() const {
    return {2, variant_ == 3 ? std::int64_t{64} : std::int64_t{5}};
  }

  // Parameters in one variant, donated in another.
  void add_input(std::size_t i) {
    graph_.inputs.push_back(
        {name(i), DType::kF32, shape(), variant_ == 1, variant_ == 2, text(i + 1)});
    unread_.push_back(name(i));
  }

  void add_constant(std::size_t i) {
    HostTensor tensor(DType::kF32, Shape::of({shape()[0], shape()[1]}));
    for (std::int64_t k = 0; k < tensor.element_count(); ++k)
      tensor.set<float>(k, static_cast<float>(k % 9) - static_cast<float>(i % 7));
    graph_.constants.push_back({name(i), std::move(tensor), text(i + 2)});
    unread_.push_back(name(i));
  }

  // A sum with an input or a constant, then in turn a scan, a row program and a map.
  void add_node(std::size_t i, bool output) {
    if (last_.empty()) last_ = take_unread();
    if (!unread_.empty()) {
      compiler::NodeDescription sum;
      sum.name = name(i) + " sum";
      sum.op = "add";
      sum.operands = {{last_}, {take_unread()}};
      last_ = sum.name;
      graph_.nodes.push_back(std::move(sum));
    }
    constexpr std::array<const char*, 3> kOps = {"cumsum", "softmax", "abs"};
    compiler::NodeDescription node;
    node.name = name(i);
    node.description = text(i + 3);
    node.op = kOps[turn_++ % kOps.size()];
    node.operands = {{last_}};
    if (node.op != "abs") node.attributes = {{"axis", std::int64_t{1}}};
    node.cache = variant_ == 1 && turn_ == 3;
    last_ = node.name;
    graph_.nodes.push_back(std::move(node));
    if (output) graph_.outputs.push_back(last_);
  }

  std::string take_unread() {
    std::string taken = unread_.back();
    unread_.pop_back();
    return taken;
  }

  std::size_t variant_;
  bool tame_;
  std::size_t turn_ = 0;
  std::string last_;
  std::vector<std::string> unread_;  // inputs and constants
  compiler::GraphDescription graph_;
};

}  // namespace

const std::vector<std::string>& hostile_strings() {
  static const std::vector<std::string> strings = make_strings();
  return strings;
}

compiler::GraphDescription hostile_graph(std::size_t variant, bool tame) {
  return Maker(variant, tame).run();
}

}  // namespace wick::golden

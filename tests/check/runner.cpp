#include "tests/check/runner.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "tests/check/workers.h"
#include "tests/golden/model.h"
#include "tests/support/random_graph.h"

namespace wick::mutation {
namespace {

namespace fs = std::filesystem;
using compiler::Graph;
using compiler::HostTensor;

constexpr std::size_t kPairsInAProgram = 25;
constexpr std::size_t kInputSets = 8;  // the harness counts on it: see harness.cpp

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// What a command printed; whether it ended well.
struct Printed {
  bool succeeded = false;
  std::string text;
};

Printed run_command(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  Printed printed;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    printed.text.append(buffer.data(), size);
  const int status = pclose(pipe);
  printed.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return printed;
}

// Fractions of moderate size in every floating dtype.
HostTensor fractions(compiler::testing::Random& random, compiler::DType dtype,
                     const compiler::Shape& shape) {
  HostTensor tensor(dtype, shape);
  compiler::dispatch(dtype, [&](auto zero) {
    for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
      const double value = static_cast<double>(random.in(-6000, 6000)) / 1000;
      tensor.set<decltype(zero)>(i, static_cast<decltype(zero)>(value));
    }
  });
  return tensor;
}

std::vector<HostTensor> inputs_of(const Graph& graph, std::size_t set) {
  using compiler::testing::RandomValues;
  if (set < 3) return compiler::testing::random_inputs(graph, set, RandomValues::kSmall);
  if (set < 6) return compiler::testing::random_inputs(graph, set, RandomValues::kSpecial);
  compiler::testing::Random random(set);
  std::vector<HostTensor> inputs;
  for (const compiler::Input& input : graph.inputs) {
    const auto& type = graph.values[input.value].type;
    inputs.push_back(fractions(random, type.dtype, type.shape()));
  }
  return inputs;
}

// One program's worth of pairs.
class Program {
 public:
  Program(std::string folder, std::string name)
      : folder_(std::move(folder)), name_(std::move(name)) {}

  void add(const Pair& pair) {
    const std::string original = name_ + "_o" + std::to_string(count_);
    const std::string mutant = name_ + "_m" + std::to_string(count_);
    ++count_;
    const Subject& subject = *pair.subject;
    const Subject& other = pair.other != nullptr ? *pair.other : subject;
    add_unit(other, original, {other.emitted.source, other.emitted.header});
    add_unit(subject, mutant, pair.mutant);
    add_weights(subject);
    add_weights(other);
    source_ += thunk(other, original) + thunk(subject, mutant);
    entries_ += "    {call_" + original + ", call_" + mutant + ", {" + input_sizes(subject) +
                "}, {" + output_sizes(subject) + "}, " +
                std::to_string(std::max(subject.emitted.arena_bytes, other.emitted.arena_bytes)) +
                "},\n";
    for (std::size_t set = 0; set < kInputSets; ++set) {
      for (const HostTensor& input : inputs_of(*subject.compilation.given, set))
        inputs_.append(reinterpret_cast<const char*>(input.bytes().data()), input.bytes().size());
    }
  }

  // A mutant that is only compiled.
  void add_mutant(const Pair& pair) {
    add_unit(*pair.subject, name_ + "_m" + std::to_string(count_++), pair.mutant);
  }

  // Everything that is wrong with the units.
  std::string messages() const {
    golden::write(path(".cpp"), source_);
    return run_command("g++ -std=c++17 -fsyntax-only -fmax-errors=0 -w " + folders() + " '" +
                       path(".cpp") + "'")
        .text;
  }

  // What the compiler said; nothing if it was content.
  std::string compile() const {
    golden::write(path(".cpp"),
                  "#include \"tests/check/harness.h\"\n" + source_ +
                      "const std::vector<wick::mutation::Entry>& entries() {\n"
                      "  static const std::vector<wick::mutation::Entry> table = {\n" +
                      entries_ + "  };\n  return table;\n}\n");
    golden::write(path(".in"), inputs_);
    const std::string root = WICK_SOURCE_DIR;
    const Printed printed = run_command(
        "g++ -std=c++17 -O0 -w -ffp-contract=off -fno-lto -DWICK_POISON " + folders() + " '" +
        path(".cpp") + "' '" + root + "/tests/check/harness.cpp' -o '" + path("") + "'");
    return printed.succeeded ? "" : printed.text.substr(0, 2000) + " ";
  }

  // A line for each pair: empty if there was no difference.
  std::vector<std::string> run() const {
    const Printed printed = run_command("'" + path("") + "' '" + path(".in") + "'");
    if (!printed.succeeded) throw std::runtime_error(name_ + ": " + printed.text.substr(0, 2000));
    std::vector<std::string> lines;
    std::size_t at = 0;
    while (at < printed.text.size()) {
      const std::size_t end = printed.text.find('\n', at);
      lines.push_back(printed.text.substr(at, end - at));
      at = end + 1;
    }
    if (lines.size() != count_) throw std::runtime_error(name_ + ": too few lines");
    return lines;
  }

 private:
  std::string folders() const {
    const std::string root = WICK_SOURCE_DIR;
    return "-I '" + root + "' -I '" + root + "/runtime' -I '" + folder_ + "'";
  }
  std::string path(const std::string& ending) const { return folder_ + "/" + name_ + ending; }

  void add_unit(const Subject& subject, const std::string& unit, const MutatedFiles& files) {
    const auto renamed = [&](const std::string& text) {
      std::string result =
          replaced(text, "namespace " + subject.name + " {", "namespace " + unit + " {");
      return replaced(result, "#include \"" + subject.name + ".h\"", "#include \"" + unit + ".h\"");
    };
    golden::write(folder_ + "/" + unit + ".h", renamed(files.header));
    golden::write(folder_ + "/" + unit + ".cpp", renamed(files.source));
    source_ += "#include \"" + unit + ".cpp\"\n";
  }

  // The weights are brought in once, under the name that all files of the subject use.
  void add_weights(const Subject& subject) {
    if (subject.weights_unit.empty() || !weights_.insert(subject.name).second) return;
    const char* first = reinterpret_cast<const char*>(subject.packed.data());
    golden::write(folder_ + "/" + subject.name + ".weights",
                  std::string(first, subject.packed.size()));
    source_ += subject.weights_unit;
  }

  // The function that turns arrays of pointers into two calls with one state.
  static std::string thunk(const Subject& subject, const std::string& unit) {
    const Graph& graph = *subject.compilation.given;
    std::string bound;
    std::vector<std::size_t> passed;
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      const std::string pointer =
          ", (" + element(graph, graph.inputs[i].value) + "*)in[" + std::to_string(i) + "]";
      if (graph.inputs[i].parameter) bound += pointer;
      if (!graph.inputs[i].parameter) passed.push_back(i);
    }
    std::string arguments;
    std::size_t input = 0, output = 0;
    for (const Parameter& parameter : subject.emitted.run().parameters) {
      arguments += arguments.empty() ? "" : ", ";
      if (parameter.kind == "State" || parameter.kind == "arena") {
        arguments += parameter.kind == "State" ? "state" : "arena";
      } else if (parameter.kind == "Out") {
        const auto value = graph.outputs.at(output).value;
        arguments += "(" + element(graph, value) + "*)out[" + std::to_string(output++) + "]";
      } else {
        const std::size_t index = passed.at(input++);
        arguments +=
            "(" + element(graph, graph.inputs[index].value) + "*)in[" + std::to_string(index) + "]";
      }
    }
    std::string text = "static void call_" + unit +
                       "(void* const* in, void* const* out, std::byte* arena, bool first) {\n";
    if (subject.emitted.has_state) {
      text += "  static " + unit + "::State state;\n";
      if (!bound.empty()) text += "  " + unit + "::bind(state" + bound + ");\n";
      if (subject.emitted.function("prepare") != nullptr)
        text += "  if (first) " + unit + "::reset(state);\n";
    }
    return text + "  " + unit + "::run(" + arguments + ");\n}\n";
  }

  static std::string element(const Graph& graph, compiler::ValueId value) {
    return std::string(compiler::info(graph.values[value].type.dtype).cpp_name);
  }

  static std::string tensor(const Graph& graph, compiler::ValueId value) {
    const auto& type = graph.values[value].type;
    const char kind = type.dtype == compiler::DType::kF32   ? 'f'
                      : type.dtype == compiler::DType::kF64 ? 'd'
                                                            : 'i';
    return "{" + std::to_string(compiler::byte_count(type.shape(), type.dtype)->count) + ", '" +
           kind + "'}, ";
  }

  static std::string input_sizes(const Subject& subject) {
    const Graph& graph = *subject.compilation.given;
    std::string text;
    for (const compiler::Input& input : graph.inputs) text += tensor(graph, input.value);
    return text;
  }
  static std::string output_sizes(const Subject& subject) {
    const Graph& graph = *subject.compilation.given;
    std::string text;
    for (const compiler::Output& output : graph.outputs) text += tensor(graph, output.value);
    return text;
  }

  std::string folder_;
  std::string name_;
  std::size_t count_ = 0;
  std::string source_;
  std::string entries_;
  std::string inputs_;
  std::set<std::string> weights_;
};

// All pairs in one program; if it does not compile, each half in one of its own.
void run_some(const std::string& folder, const std::string& name, std::span<const Pair> pairs,
              std::span<Outcome> outcomes) {
  Program program(folder, name);
  for (const Pair& pair : pairs) program.add(pair);
  const std::string refusal = program.compile();
  if (refusal.empty()) {
    const std::vector<std::string> lines = program.run();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].empty()) outcomes[i] = {Outcome::Kind::kDifferent, lines[i]};
    }
  } else if (pairs.size() == 1) {
    outcomes[0] = {Outcome::Kind::kNoCompiler, refusal};
  } else {
    const std::size_t half = pairs.size() / 2;
    run_some(folder, name + "a", pairs.first(half), outcomes.first(half));
    run_some(folder, name + "b", pairs.subspan(half), outcomes.subspan(half));
  }
}

std::size_t programs_of(std::size_t pairs) {
  return (pairs + kPairsInAProgram - 1) / kPairsInAProgram;
}

// Whether a compiler's messages name a unit: "p0_m12.cpp:", and not "p0_m120.cpp:".
bool names_unit(const std::string& messages, const std::string& unit) {
  return messages.find(unit + ".cpp:") != std::string::npos ||
         messages.find(unit + ".h:") != std::string::npos;
}

}  // namespace

std::vector<bool> compile_alone(const std::string& folder, std::span<const Pair> pairs) {
  fs::create_directories(folder);
  std::vector<char> compiles(pairs.size());
  for_each_index(programs_of(pairs.size()), [&](std::size_t index) {
    const std::size_t first = index * kPairsInAProgram;
    const std::size_t count = std::min(kPairsInAProgram, pairs.size() - first);
    const std::string name = "s" + std::to_string(index);
    Program program(folder, name);
    for (const Pair& pair : pairs.subspan(first, count)) program.add_mutant(pair);
    const std::string messages = program.messages();
    for (std::size_t i = 0; i < count; ++i)
      compiles[first + i] = names_unit(messages, name + "_m" + std::to_string(i)) ? 0 : 1;
  });
  return {compiles.begin(), compiles.end()};
}

std::vector<Outcome> run_pairs(const std::string& folder, std::span<const Pair> pairs) {
  fs::create_directories(folder);
  std::vector<Outcome> outcomes(pairs.size());
  for_each_index(programs_of(pairs.size()), [&](std::size_t index) {
    const std::size_t first = index * kPairsInAProgram;
    const std::size_t count = std::min(kPairsInAProgram, pairs.size() - first);
    const std::span<Outcome> found = std::span(outcomes).subspan(first, count);
    try {
      run_some(folder, "p" + std::to_string(index), pairs.subspan(first, count), found);
    } catch (const std::runtime_error& error) {
      std::ranges::fill(found, Outcome{Outcome::Kind::kDifferent, error.what()});
    }
  });
  return outcomes;
}

}  // namespace wick::mutation

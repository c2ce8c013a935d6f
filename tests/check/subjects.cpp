#include "tests/check/subjects.h"

#include <array>
#include <stdexcept>

#include "frontend/json/reader.h"
#include "frontend/json/writer.h"
#include "tests/golden/model.h"
#include "tests/support/graphs.h"
#include "tests/support/random_attributes.h"
#include "tests/support/random_graph.h"

namespace wick::mutation {
namespace {

namespace ops = compiler::ops;
using compiler::DType;
using compiler::StorageMode;
using compiler::testing::slides_windows;

constexpr std::array kStorages = {StorageMode::kArena, StorageMode::kStatic, StorageMode::kHeap,
                                  StorageMode::kNone};
constexpr std::array<const char*, 4> kStorageNames = {"arena", "static", "heap", "none"};
constexpr std::uint64_t kRandomGraphs = 200, kGraphsOfAClass = 20;

void add_model(std::vector<Subject>& subjects, const golden::Model& model) {
  for (std::size_t i = 0; i < kStorages.size(); ++i) {
    const auto source = frontend::SourceFile::of_text(
        "graph.json", golden::contents(model.folder / "graph.json"), model.folder.string());
    compiler::Diagnostics diagnostics;
    auto description = frontend::read_graph(source, {}, diagnostics);
    if (!description) throw std::runtime_error(model.name + ": cannot be read");
    compiler::CompileOptions options;
    options.plan.storage = kStorages[i];
    subjects.push_back(
        subject_of(std::move(*description), options, model.name + "_" + kStorageNames[i]));
  }
}

compiler::GraphDescription random_description(std::uint64_t seed, int nodes, std::int64_t most) {
  return compiler::testing::random_description(seed, {.nodes = nodes, .most_elements = most});
}

// Graphs of few nodes. Half of them have their last output alone, so that more of what they compute
// goes through slots; a third is neither simplified nor fused, so that there are more statements.
Subject random_subject(std::uint64_t seed) {
  compiler::GraphDescription description =
      random_description(seed, 3 + static_cast<int>(seed % 5), 60);
  if (seed % 2 == 1) description.outputs = {description.outputs.back()};
  compiler::CompileOptions options;
  options.simplify = options.fuse.fuse = seed % 3 != 0;
  options.plan.storage = kStorages[seed / 2 % 4];
  options.plan.schedule = static_cast<compiler::Schedule>(seed / 8 % 3);
  return subject_of(std::move(description), options, "g" + std::to_string(seed));
}

// Mostly convolutions and pools, or mostly what becomes row programs, in values that die soon.
Subject subject_of_class(std::uint64_t seed, ops::FusionClass wanted) {
  const auto is_allowed = [wanted](const ops::OpRecord& op) {
    return op.fusion == ops::FusionClass::kElementwise ||
           (op.fusion == wanted && (wanted == ops::FusionClass::kComposite || slides_windows(op)));
  };
  compiler::GraphDescription description = compiler::testing::random_description(
      seed, {.nodes = 6, .most_elements = 60, .dtypes = {DType::kF32}, .allowed = is_allowed});
  description.outputs = {description.outputs.back()};
  compiler::CompileOptions options;
  options.plan.storage = kStorages[seed % 4];
  const std::string name = wanted == ops::FusionClass::kComposite ? "rows" : "windows";
  return subject_of(std::move(description), options, name + std::to_string(seed));
}

// Constants that lie in panels: two of one type, and one whose last panel is narrow.
Subject subject_in_panels(StorageMode storage, const std::string& name) {
  compiler::testing::Random random(1);
  const auto matrix = [&](DType dtype, std::initializer_list<std::int64_t> shape) {
    return compiler::testing::random_tensor(random, dtype, compiler::Shape::of(shape),
                                            compiler::testing::RandomValues::kSmall);
  };
  compiler::testing::Described described;
  described.input("x", DType::kF32, {2, 512})
      .input("d", DType::kF64, {1, 256})
      .constant("first", matrix(DType::kF32, {512, 512}))
      .constant("second", matrix(DType::kF32, {512, 512}))
      .constant("third", matrix(DType::kF64, {256, 520}))
      .node("h", "matmul", {"x", "first"})
      .node("r", "relu", {"h"})
      .node("y", "matmul", {"r", "second"})
      .node("z", "matmul", {"d", "third"})
      .output("y")
      .output("z");
  compiler::CompileOptions options;
  options.plan.storage = storage;
  return subject_of(std::move(described.description), options, name);
}

// More statements than one function takes, so that there are parts.
Subject subject_in_parts() {
  compiler::CompileOptions options;
  options.simplify = options.fuse.fuse = false;
  options.plan.storage = StorageMode::kNone;
  return subject_of(random_description(7, 330, 8), options, "parts");
}

}  // namespace

Subject subject_of(compiler::GraphDescription description, compiler::CompileOptions options,
                   const std::string& name) {
  options.emit.file_name = name;
  options.emit.name_space = name;
  options.emit.source_name = "graph.json";
  compiler::Diagnostics diagnostics;
  auto compilation = compiler::compile(std::move(description), options, diagnostics);
  if (!compilation) throw std::runtime_error(name + ": " + diagnostics.all().front().message);
  Subject subject{name, std::move(*compilation), {}, {}, {}};
  std::string source, header;
  for (const compiler::EmittedFile& file : subject.compilation.emission.files) {
    if (file.name == name + ".weights") {
      subject.packed = file.bytes();
    } else if (file.name == name + ".weights.cpp") {
      subject.weights_unit = golden::text_of(file);
    } else {
      (file.name == name + ".h" ? header : source) = golden::text_of(file);
    }
  }
  subject.emitted = parse_emitted(source, header);
  return subject;
}

Subject as_written(const Subject& subject) {
  compiler::CompileOptions options;
  options.simplify = options.fuse.fuse = false;
  options.fuse.fp = compiler::FpMode::kStrict;
  options.plan.storage = StorageMode::kNone;
  return subject_of(frontend::describe(*subject.compilation.given), options,
                    subject.name + "_as_written");
}

std::vector<Subject> all_subjects() {
  std::vector<Subject> subjects;
  for (const golden::Model& model : golden::samples()) add_model(subjects, model);
  for (const golden::Model& model : golden::goldens()) add_model(subjects, model);
  for (std::uint64_t seed = 0; seed < kRandomGraphs; ++seed)
    subjects.push_back(random_subject(seed));
  for (std::uint64_t seed = 0; seed < kGraphsOfAClass; ++seed) {
    subjects.push_back(subject_of_class(seed, ops::FusionClass::kOpaque));
    subjects.push_back(subject_of_class(seed, ops::FusionClass::kComposite));
  }
  subjects.push_back(subject_in_panels(StorageMode::kArena, "panels_arena"));
  subjects.push_back(subject_in_panels(StorageMode::kHeap, "panels_heap"));
  subjects.push_back(subject_in_parts());
  return subjects;
}

}  // namespace wick::mutation

// The emitted files that are broken: all samples and goldens in every storage, and 200 random
// graphs, each in one of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "tests/check/emitted.h"

namespace wick::mutation {

struct Subject {
  std::string name;  // of its files and its namespace
  compiler::Compilation compilation;
  Emitted emitted;
  std::vector<std::byte> packed;  // the weights file
  std::string weights_unit;       // the source that brings it in
};

// A subject made of a graph.
Subject subject_of(compiler::GraphDescription description, compiler::CompileOptions options,
                   const std::string& name);

// The same graph as it is written: nothing simplified, fused or folded, every value on its own.
Subject as_written(const Subject& subject);

std::vector<Subject> all_subjects();

}  // namespace wick::mutation

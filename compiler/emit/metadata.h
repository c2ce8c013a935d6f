// The interface as data: tables of names, dtypes and shapes for callers that take any model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/types.h"
#include "compiler/emit/weights.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// What a caller hands in or gets, by its name in the graph.
struct Described {
  std::string name;
  DType dtype = DType::kF32;
  Shape shape;
  bool overwritten = false;
};
struct Tables {
  std::vector<Described> parameters;  // of bind, in order
  std::vector<Described> inputs;      // of run, in order
  std::vector<Described> outputs;
};
Tables tables_of(const Plan& plan);

// inline constexpr wick::TensorInfo kInputs[] = {wick::describe<Row64>("pixels")};
// A table without elements is left out: C++ has no empty arrays.
std::vector<Line> metadata_lines(const Plan& plan, TypeTable& types);

// inline constexpr wick::PackedFile kWeightsFile{"digits.weights", kWeightsBytes, 0x0123…};
Line packed_file_line(const std::string& file, std::uint64_t hash);

// "head{a, b}tail" on one line, or each element on a line of its own.
std::vector<Line> list_lines(const std::string& head, const std::vector<std::string>& elements,
                             const std::string& tail);

// "0x00000000000000ff"
std::string hash_literal(std::uint64_t hash);

}  // namespace wick::compiler::cpp

// The first stage of reading: a graph file taken in and its structure checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/description.h"
#include "frontend/json/findings.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

// A constant before its data is read.
struct WrittenConstant {
  std::string name;
  compiler::DType dtype = compiler::DType::kF32;
  std::vector<std::int64_t> shape;
  std::string description;
  std::optional<TextSpan> values;  // the brackets and what is between them
  std::size_t value_count = 0;
  std::optional<std::string> file;
  std::optional<std::string> tensor;
  // The value of the key, each.
  TextSpan shape_where;
  TextSpan file_where;
  TextSpan tensor_where;
};

struct Document {
  compiler::GraphDescription graph;  // without constants
  std::vector<WrittenConstant> constants;
};

// Takes the text in and finds in it exactly what docs/graph.schema.json finds, and what is no JSON
// in the first place. Several faults are found in one run, unless the text is no JSON: that ends
// it. With errors in `findings` the document is incomplete.
//
// Attributes are kept as they look: a number that is an integer as kInteger, another as kNumber, a
// list of integers as kIntegers, a list of lists as kRanges. What an operation wants is for
// `verify` to say.
//
// Cost: linear in the text.
Document read_document(std::string_view text, Findings& findings);

}  // namespace wick::frontend

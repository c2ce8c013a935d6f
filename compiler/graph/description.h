// A graph as it was written: names not yet looked up, nothing checked. The front end (or a program)
// fills it in; `verify` turns it into a Graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ops/attributes.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

// A number as it was written, so that it can be read in whatever dtype it turns out to have: "16",
// "0.1", "-0", "9007199254740993", "inf", "-inf", "nan", "true", "false".
struct Literal {
  std::string text;
};

struct OperandDescription {
  std::variant<std::string, Literal> what;  // the name of a value, or a number
};

struct InputDescription {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  bool parameter = false;
  bool donate = false;
  std::string description;
};

struct ConstantDescription {
  std::string name;
  HostTensor data;  // already read, dtype and shape as stated
  std::string description;
};

struct NodeDescription {
  std::string name;  // also of the only result; may be empty if `outputs` names the results
  std::string op;
  std::vector<OperandDescription> operands;
  ops::Attributes
      attributes;  // as written: kFlag, kInteger, kNumber, kText, kIntegers, kRanges, kPairs
  std::vector<std::string> outputs;  // names of several results; empty: one result named `name`
  std::optional<DType> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  bool cache = false;
  std::string description;
};

struct GraphDescription {
  std::string name;
  std::string description;
  std::vector<InputDescription> inputs;
  std::vector<ConstantDescription> constants;
  std::vector<NodeDescription> nodes;
  std::vector<std::string> outputs;
};

}  // namespace wick::compiler

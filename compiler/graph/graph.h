// A verified tensor graph: the product of `verify`, immutable from then on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/ops/record.h"
#include "compiler/support/ids.h"
#include "compiler/support/short_vector.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;
using ValueList = ShortVector<ValueId, 2>;

enum class ValueKind : std::uint8_t {
  kInput,
  kConstant,
  kLiteral,  // a number written where an operand is expected: a constant of rank 0 without a name
  kResult,
};

// A tensor that flows through the graph.
struct Value {
  std::string name;  // empty for literals
  ops::TensorType type;
  ValueKind kind = ValueKind::kResult;
  std::uint32_t index = 0;  // which input, which constant (literals are constants too), or which
                            // result of the producer
  NodeId producer = {};     // of a result
};

struct Input {
  ValueId value;
  bool parameter = false;  // bound once, not at each call
  bool donate = false;     // the function may overwrite it
  std::string description;
  std::uint32_t position = 0;  // index in the file's "inputs"
};

struct Constant {
  ValueId value;
  HostTensor data;
  std::string description;
  std::uint32_t position = 0;  // index in the file's "constants"; of a literal: of its node
};

struct Node {
  const ops::OpRecord* op = nullptr;
  ops::Attributes attributes;  // normal
  ValueList operands;
  ValueList results;
  bool cache = false;  // the results live across calls
  std::string description;
  std::uint32_t position =
      0;  // index in the file's "nodes"; nodes made by a stage keep that of the node they come from
};

struct Output {
  ValueId value;
  std::uint32_t position = 0;  // index in the file's "outputs"
};

// Nodes stand in topological order: operands before users; of nodes that could stand next, the one
// earliest in the file. Every value is used as its type says, every node is legal for its record,
// names are unique among inputs, constants and results.
struct Graph {
  std::string name;
  std::string description;
  IdVector<ValueId, Value> values;
  std::vector<Input> inputs;
  std::vector<Constant> constants;
  IdVector<NodeId, Node> nodes;
  std::vector<Output> outputs;

  const Constant& constant_of(ValueId value) const { return constants[values[value].index]; }
  bool is_constant(ValueId value) const {
    return values[value].kind == ValueKind::kConstant || values[value].kind == ValueKind::kLiteral;
  }
  // 1 for what is an output, 0 for every other value. Cost: linear.
  IdVector<ValueId, char> output_marks() const {
    IdVector<ValueId, char> marks(values.size(), 0);
    for (const Output& output : outputs) marks[output.value] = 1;
    return marks;
  }
};

}  // namespace wick::compiler

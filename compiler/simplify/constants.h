// What is known at compile time: uniform constants, and results of nodes of constants.
#pragma once

#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/simplify/simplify.h"

namespace wick::compiler {

// Finds constants whose elements all have the same bits. Each constant is read once.
class UniformConstants {
 public:
  // True if `value` is a constant every element of which is `number` in its dtype, bit by bit.
  bool is_filled_with(const Graph& graph, ValueId value, double number);

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };
  std::vector<Answer> answers_;  // by index of the constant
};

// Evaluates nodes of constants within the limits of the options.
class Folder {
 public:
  explicit Folder(const SimplifyOptions& options) : options_(options), left_(options.fold_budget) {}

  // The results of `node`, whose operands are values of `graph` and whose results have these types;
  // nothing if it cannot or should not be folded. Operations that are not exactly rounded never
  // are: their bits would be those of the machine that wick runs on. `replaces`: nobody else reads
  // the operands, so that the results take their place among the constants.
  std::optional<std::vector<HostTensor>> fold(const Graph& graph, const Node& node,
                                              const std::vector<ops::TensorType>& types,
                                              bool replaces);

 private:
  bool is_affordable(Bytes operands, Bytes results, bool is_copy);

  SimplifyOptions options_;
  Bytes left_;
};

}  // namespace wick::compiler

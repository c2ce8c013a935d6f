#include "compiler/simplify/constants.h"

#include <algorithm>
#include <utility>

#include "compiler/ops/evaluate.h"
#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

bool is_uniform(const HostTensor& tensor) {
  const auto bytes = tensor.bytes();
  const std::size_t size = size_of(tensor.dtype());
  if (bytes.empty()) return false;
  // Every byte equals the one an element further on.
  return std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.end(), bytes.begin());
}

Bytes size_of_type(const ops::TensorType& type) {
  const auto size = byte_count(type.shape(), type.dtype);
  check(size.has_value(), "a value of a valid graph is too large");
  return *size;
}

}  // namespace

bool UniformConstants::is_filled_with(const Graph& graph, ValueId value, double number) {
  if (!graph.is_constant(value)) return false;
  const std::size_t index = graph.values[value].index;
  if (index >= answers_.size()) answers_.resize(graph.constants.size(), Answer::kUnknown);
  const HostTensor& data = graph.constants[index].data;
  if (answers_[index] == Answer::kUnknown) {
    answers_[index] = is_uniform(data) ? Answer::kYes : Answer::kNo;
  }
  if (answers_[index] == Answer::kNo) return false;
  const HostTensor wanted = ops::scalar_of(number, data.dtype());
  return std::ranges::equal(wanted.bytes(), data.bytes().first(size_of(data.dtype())));
}

bool Folder::is_affordable(Bytes operands, Bytes results, bool is_copy) {
  // A view of a constant that stays costs nothing; folding it makes a copy, which may not be large.
  if (is_copy && (results > operands || operands > options_.fold_limit)) return false;
  const bool small = results <= options_.fold_limit || results <= operands;
  if (!small || operands > options_.shrinking_fold_limit) return false;
  const Bytes touched = operands + results;
  if (touched > left_) return false;
  left_ = left_ - touched;
  return true;
}

std::optional<std::vector<HostTensor>> Folder::fold(const Graph& graph, const Node& node,
                                                    const std::vector<ops::TensorType>& types,
                                                    bool replaces) {
  if (!node.op->traits.exactly_rounded || node.op->evaluate == nullptr) return std::nullopt;
  Bytes operand_bytes, result_bytes;
  for (const ValueId operand : node.operands) {
    if (!graph.is_constant(operand)) return std::nullopt;
    operand_bytes += size_of_type(graph.values[operand].type);
  }
  for (const ops::TensorType& type : types) result_bytes += size_of_type(type);
  const bool is_view = node.op->fusion == ops::FusionClass::kLayout;
  // A view that grows (a broadcast) always copies.
  const bool is_copy = is_view && !(replaces && result_bytes <= operand_bytes);
  if (!is_affordable(operand_bytes, result_bytes, is_copy)) return std::nullopt;

  std::vector<HostTensor> operands;
  for (const ValueId operand : node.operands) operands.push_back(graph.constant_of(operand).data);
  std::vector<ops::TensorType> packed;
  for (const ops::TensorType& type : types) packed.push_back({type.dtype, Layout(type.shape())});
  ops::Evaluation evaluation{operands, node.attributes, packed, {}};
  node.op->evaluate(evaluation);
  check(evaluation.results.size() == types.size(), "an evaluation left out a result");
  return std::move(evaluation.results);
}

}  // namespace wick::compiler

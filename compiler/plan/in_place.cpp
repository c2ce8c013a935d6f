#include "compiler/plan/in_place.h"

namespace wick::compiler {

namespace {

// R4, and the layout part of R1: element i of the operand lies where element i of the result will.
bool lies_like_result(const Preplan& plan, TensorId operand, TensorId result) {
  const Preplan::Place& from = plan.places[operand];
  const Preplan::Place& base = plan.places[from.base];
  const Preplan::Place& to = plan.places[result];
  const std::int64_t count = to.shape.element_count();
  return size_of(from.dtype) == size_of(to.dtype) && from.shape.element_count() == count &&
         (&base == &from || base.shape.element_count() == count) && plan.is_packed(operand);
}

// R3: whether the bytes that `base` lives in are ours to overwrite with `result`.
bool is_ours(const Preplan& plan, TensorId base, TensorId result, bool borrowed) {
  const Preplan::Place& it = plan.places[base];
  if (it.promise != Preplan::kNoPromise) return false;
  // What is promised has to end up in its own memory, not in the caller's input.
  const bool stays = plan.places[result].promise == Preplan::kNoPromise;
  switch (it.kind) {
    case TensorKind::kConstant:
      return false;
    case TensorKind::kResult:
      return !it.cached && (stays || !borrowed);
    case TensorKind::kInput: {
      const Input& input = plan.fused->graph->inputs[plan.fused->tensors[base].index];
      return input.donate && !input.parameter && stays;
    }
  }
  return false;
}

// R1 for every operand that shares the bytes of `base`.
bool read_where_written(const Preplan& plan, const StagedStep& step, TensorId base) {
  const auto inputs = plan.inputs_of(step);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (plan.places[inputs[i]].base != base) continue;
    if (!may_overwrite(step, i)) return false;
    if (!lies_like_result(plan, inputs[i], step.result)) return false;
  }
  return true;
}

}  // namespace

bool may_overwrite(const StagedStep& step, std::size_t operand) {
  switch (step.kernel_kind) {
    case KernelKind::kMap:
      return true;
    case KernelKind::kReduce:   // the terms are read all over the reduced axes
    case KernelKind::kRows:     // none are: all other passes over a row end before its write begins
    case KernelKind::kProduct:  // the factors are read by every element of their row or column
      return operand >= step.terms;
    case KernelKind::kLayout:
    case KernelKind::kPack:
    case KernelKind::kCall:
      return false;
  }
  return false;
}

std::optional<std::uint32_t> in_place_operand(const Preplan& plan, StepIndex index,
                                              const IdVector<TensorId, char>& borrowed) {
  const StagedStep& step = plan.steps[index];
  if (step.kind != StepKind::kKernel) return std::nullopt;
  if (step.result_count != 1) return std::nullopt;
  const TensorId result = step.result;
  if (!plan.places[result].shape.has_elements()) return std::nullopt;
  const auto inputs = plan.inputs_of(step);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    const TensorId base = plan.places[inputs[i]].base;
    const bool dies_here = plan.places[base].last_read == index;  // R2, R5
    if (may_overwrite(step, i) && dies_here && is_ours(plan, base, result, borrowed[base]) &&
        lies_like_result(plan, inputs[i], result) && read_where_written(plan, step, base)) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace wick::compiler

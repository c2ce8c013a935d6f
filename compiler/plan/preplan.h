// Pass 1 of the seed's planner: what each kernel's result is (bytes of its own, or somebody
// else's), what it reads, and who reads last. One walk over the kernels in order.
//
//   kernel                      step                  bytes
//   c = as_contiguous(t)        kCopy                 its own, and later readers of t get c
//   d = as_contiguous(t)        none: an alias of c
//   v = slice(t)                kReference            c's, in a layout derived from c's
//   e = exp(v)                  kKernel               its own
//
// Inputs are resolved through the alias map as it stands at the kernel's position and never looked
// up again: a reader that stands before a takeover reads the original, one that stands behind it
// the claimer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/plan/plan.h"
#include "compiler/plan/schedule.h"

namespace wick::compiler {

// A step that has no memory yet.
struct StagedStep {
  StepKind kind = StepKind::kKernel;
  KernelId kernel;                // none for a copy of a finished tensor
  std::uint32_t first_input = 0;  // into Preplan::inputs
  std::uint32_t input_count = 0;
  std::uint32_t promise = 0;  // of a copy without a kernel: into Preplan::promises

  // What assignment asks about the kernel: steps are walked in order, kernels are not.
  KernelKind kernel_kind = KernelKind::kMap;
  std::uint32_t terms = 0;  // operands read all over, which come first: kReduce, kRows, kProduct
  std::uint32_t result_count = 0;
  TensorId result;  // the first
  Bytes workspace;
};

// Memory that a program has to fill: an output of the caller's, or a cached value's place.
struct Promise {
  TensorId tensor;  // as the fused graph names it
  StorageKind kind = StorageKind::kOutput;
  std::uint32_t index = 0;  // which output, or which cached value of the prepare program
};

struct Preplan {
  static constexpr std::uint32_t kPackedLayout = 0xffffffff;
  static constexpr std::uint32_t kNoPromise = 0xffffffff;
  static constexpr StepIndex kNever = 0xffffffff;

  // All that planning asks about a tensor. Steps jump about in the graph: what they look at stands
  // together, in half a line of the processor's cache.
  struct Place {
    // Where its elements are: in the bytes of `base`, through a layout of their own or packed.
    TensorId base;
    std::uint32_t layout = kPackedLayout;  // into `layouts`
    // Of a base.
    StepIndex last_read = kNever;        // of its bytes, through any view; kNever if none
    std::uint32_t promise = kNoPromise;  // whose memory it is written to, in `promises`
    // As the fused graph has it.
    Shape shape;
    DType dtype = DType::kF32;
    TensorKind kind = TensorKind::kResult;
    bool cached = false;
  };

  const FusedGraph* fused = nullptr;
  std::vector<StagedStep> steps;
  std::vector<TensorId> inputs;  // resolved, one per operand of a step
  IdVector<TensorId, Place> places;
  std::vector<Layout> layouts;
  IdVector<TensorId, TensorId> kept_in;  // prepare: cached value -> the one whose memory it shares
  std::vector<Promise> promises;
  IdVector<KernelId, AliasDecision> aliases;

  Layout layout_of(TensorId tensor) const;
  bool is_packed(TensorId tensor) const {
    const std::uint32_t layout = places[tensor].layout;
    return layout == kPackedLayout || layouts[layout].is_packed();
  }
  std::span<const TensorId> inputs_of(const StagedStep& step) const {
    return {inputs.data() + step.first_input, step.input_count};
  }
};

// Requires: `order` holds the kernels that `scope` needs, operands first. Guarantees: every tensor
// that a step reads is given or written by an earlier step; every promise is the memory of exactly
// one base, or is filled by one copy; the alias decisions are those of the table in the seed. Cost:
// linear in kernels and operands.
Preplan preplan(const FusedGraph& fused, const Scope& scope, const std::vector<KernelId>& order);

}  // namespace wick::compiler

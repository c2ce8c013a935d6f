// Runs plans on real bytes: what an emitted function would do, without the compiler in between.
//
// Every kernel is computed twice. The first half of its results is written (of a row program, of
// its rows), then the operands are read again and the rest is computed from that: a result that
// overwrites what is still to be read shows, as it would in a loop.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/plan/plan.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler::testing {

// What memory holds before anything is written to it, and again after it was freed.
enum class Fill : std::uint8_t { kZeros, kOnes, kSignallingNaN };

// A plan with its arena, its state and its constants, to be called several times.
class PlanExecutor {
 public:
  explicit PlanExecutor(const Plan& plan, Fill fill = Fill::kSignallingNaN);

  // One call. `inputs` stand in the order of the graph's inputs, parameters among them; cached
  // values are computed at the first call. Throws std::runtime_error if the plan leaves its memory,
  // or writes to an input that is not donated.
  std::vector<HostTensor> run(std::span<const HostTensor> inputs);

  // Forgets the cached values.
  void reset() { prepared_ = false; }

 private:
  void execute(const Program& program);
  void execute(const Step& step);
  std::span<std::byte> bytes(StorageId storage);
  HostTensor read(const Located& located);
  std::int64_t written_at_once(const Step& step, const Shape& result) const;
  std::vector<HostTensor> values_of(const Step& step);
  void write(const Located& located, const HostTensor& value, std::int64_t begin, std::int64_t end);
  void check_inputs(std::span<const HostTensor> inputs) const;
  void fill(std::span<std::byte> bytes) const;

  const Plan& plan_;
  Fill fill_;
  bool prepared_ = false;
  std::vector<std::byte> arena_;
  std::vector<std::byte> state_;
  IdVector<StorageId, std::vector<std::byte>> own_;  // inputs, outputs, constants, heap slots
};

// One call of a plan from scratch.
std::vector<HostTensor> run_plan(const Plan& plan, std::span<const HostTensor> inputs,
                                 Fill fill = Fill::kSignallingNaN);

}  // namespace wick::compiler::testing

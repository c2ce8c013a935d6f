// The two halves of the judge (validate.h), and what they tell each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/plan/plan.h"

namespace wick::compiler::judge {

class Faults {
 public:
  static constexpr std::size_t kMost = 20;

  void add(std::string fault) {
    if (all_.size() < kMost) all_.push_back(std::move(fault));
  }
  bool any() const { return !all_.empty(); }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

// When a storage was really touched, as the steps of one program have it.
struct Use {
  static constexpr StepIndex kNever = 0xffffffff;
  StepIndex first = kNever;  // written first
  StepIndex last = kNever;   // written or read last
  StepIndex freed = kNever;
};

// What a program leaves behind: for each cached value's storage, the value classes of the tensors
// that can be read there whole and packed.
struct Prepared {
  IdVector<StorageId, std::vector<TensorId>> classes;
};

// Tensors that have the same values in the same shape, whatever their layout: each tensor's class
// is named by its first member.
IdVector<TensorId, TensorId> value_classes(const FusedGraph& fused);

// Follows the values of every storage through the steps of one program. Fills `uses`, and in the
// program that prepares, `prepared`.
void judge_values(const FusedGraph& fused, const IdVector<TensorId, TensorId>& classes,
                  const Plan& plan, bool prepare, Prepared& prepared,
                  IdVector<StorageId, Use>& uses, Faults& faults);

// Checks lifetimes, frees, offsets, sizes and labels against `uses`.
void judge_bytes(const Plan& plan, bool prepare, const IdVector<StorageId, Use>& uses,
                 Faults& faults);

// Checks that the caller's tensors and the constants have one storage each.
void judge_given(const Plan& plan, Faults& faults);

// Checks the places of cached values.
void judge_state(const Plan& plan, Faults& faults);

}  // namespace wick::compiler::judge

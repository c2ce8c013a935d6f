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

// What a step says about the bytes of one of its results: that `reused` lay there before.
struct Label {
  StepIndex step = 0;
  StorageId slot;
  StorageId reused;
};

// What the steps of one program say and do, as far as bytes are concerned: gathered in the one walk
// over them, for steps are the largest part of a plan.
struct Account {
  IdVector<StorageId, Use> uses;
  std::vector<Label> labels;  // in the order of steps
};

// Tensors that have the same values in the same shape, whatever their layout: each tensor's class
// is named by its first member.
IdVector<TensorId, TensorId> value_classes(const FusedGraph& fused);

// Follows the values of every storage through the steps of one program. Fills `account`, and in the
// program that prepares, `prepared`. False if a step names what does not exist: then nothing more
// can be judged.
bool judge_values(const FusedGraph& fused, const IdVector<TensorId, TensorId>& classes,
                  const Plan& plan, bool prepare, Prepared& prepared, Account& account,
                  Faults& faults);

// Checks lifetimes, frees, offsets, sizes and labels against `account`.
void judge_bytes(const Plan& plan, bool prepare, const Account& account, Faults& faults);

// Checks that the caller's tensors and the constants have one storage each.
void judge_given(const Plan& plan, Faults& faults);

// Checks the places of cached values.
void judge_state(const Plan& plan, Faults& faults);

}  // namespace wick::compiler::judge

#include "compiler/plan/least_peak.h"

#include <algorithm>
#include <utility>

#include "compiler/plan/assign.h"
#include "compiler/plan/lifetimes.h"
#include "compiler/plan/preplan.h"

namespace wick::compiler {

namespace {

// Cached values as a program that is given them sees them: somewhere in the state.
void add_cached_storages(const FusedGraph& fused, Given& given, Plan& draft) {
  for (const TensorId tensor : ids(fused.tensors)) {
    if (!fused.tensors[tensor].cached) continue;
    Storage storage;
    storage.kind = StorageKind::kState;
    given.storage[tensor] = draft.storages.push_back(storage);
  }
}

// Every order of a few kernels, up to a number that stays affordable.
class AllOrders {
 public:
  AllOrders(const FusedGraph& fused, const Scope& scope, std::vector<KernelId> kernels)
      : fused_(fused), scope_(scope), kernels_(std::move(kernels)), used_(kernels_.size()) {}

  // Calls `visit` with each order, until there were too many. The depth is at
  // most kMostKernelsTried.
  template <class Visit>
  void for_each(Visit&& visit) {
    if (orders_ >= kMostOrdersTried) return;
    if (order_.size() == kernels_.size()) {
      ++orders_;
      visit(order_);
      return;
    }
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (used_[i] || !is_ready(kernels_[i])) continue;
      used_[i] = true;
      order_.push_back(kernels_[i]);
      for_each(visit);
      order_.pop_back();
      used_[i] = false;
    }
  }

 private:
  bool is_ready(KernelId kernel) const {
    const auto& operands = fused_.kernels[kernel].operands;
    return std::ranges::all_of(operands, [&](TensorId operand) {
      return is_given(fused_, scope_, operand) ||
             std::ranges::find(order_, fused_.tensors[operand].producer) != order_.end();
    });
  }

  const FusedGraph& fused_;
  const Scope& scope_;
  std::vector<KernelId> kernels_;
  std::vector<bool> used_;
  std::vector<KernelId> order_;
  std::size_t orders_ = 0;
};

}  // namespace

Bytes peak_of_order(const FusedGraph& fused, const Scope& scope,
                    const std::vector<KernelId>& order) {
  Plan draft;
  Given given = given_storages(fused, draft);
  if (!scope.prepares) add_cached_storages(fused, given, draft);
  const Preplan staged = preplan(fused, scope, order);
  const Program program = assign(staged, scope.prepares, given, draft);
  return peak_of(draft.storages, scope.prepares, program.steps.size()).rounded;
}

std::vector<KernelId> least_peak_order(const FusedGraph& fused, const Scope& scope) {
  std::vector<KernelId> best = depth_first_order(fused, scope);
  Bytes lowest = peak_of_order(fused, scope, best);
  const auto consider = [&](std::vector<KernelId> candidate) {
    const Bytes peak = peak_of_order(fused, scope, candidate);
    if (peak >= lowest) return;
    lowest = peak;
    best = std::move(candidate);
  };
  consider(given_order(fused, scope));
  consider(breadth_first_order(fused, scope));
  consider(least_growth_order(fused, scope));
  if (best.size() <= kMostKernelsTried) AllOrders(fused, scope, best).for_each(consider);
  return best;
}

}  // namespace wick::compiler

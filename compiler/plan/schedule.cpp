#include "compiler/plan/schedule.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <span>
#include <utility>

namespace wick::compiler {

namespace {

// Who has to run before whom, among the kernels that a scope needs. Edges are counted per operand,
// so a kernel that reads a tensor twice waits for two.
struct Dependencies {
  std::vector<KernelId> needed;                   // in topological order
  IdVector<KernelId, std::uint32_t> waiting;      // operands not computed yet
  IdVector<KernelId, std::uint32_t> users_begin;  // into `users`
  std::vector<KernelId> users;

  std::span<const KernelId> users_of(KernelId kernel) const {
    const std::size_t begin = users_begin[kernel];
    const std::size_t end = users_begin[KernelId(kernel.index() + 1)];
    return {users.data() + begin, end - begin};
  }
};

// The kernels that each kernel waits for, operand by operand, in a row: a walk that jumps about
// touches a few bytes per kernel instead of the kernels themselves.
struct Producers {
  IdVector<KernelId, std::uint32_t> begin;  // of each kernel, in `all`
  std::vector<KernelId> all;

  Producers(const FusedGraph& fused, const Scope& scope) : begin(fused.kernels.size() + 1) {
    IdVector<TensorId, KernelId> producer(fused.tensors.size());
    for (const TensorId tensor : ids(fused.tensors)) {
      if (!is_given(fused, scope, tensor)) producer[tensor] = fused.tensors[tensor].producer;
    }
    all.reserve(fused.kernels.size() * 2);
    for (const KernelId kernel : ids(fused.kernels)) {
      for (const TensorId operand : fused.kernels[kernel].operands) {
        if (producer[operand].valid()) all.push_back(producer[operand]);
      }
      begin[KernelId(kernel.index() + 1)] = static_cast<std::uint32_t>(all.size());
    }
  }
};

std::vector<KernelId> needed_kernels(const FusedGraph& fused, const Scope& scope) {
  IdVector<KernelId, char> wanted(fused.kernels.size());
  const auto want = [&](TensorId tensor) {
    if (!is_given(fused, scope, tensor)) wanted[fused.tensors[tensor].producer] = 1;
  };
  for (const TensorId root : scope.roots) want(root);
  std::vector<KernelId> needed;
  for (std::size_t i = fused.kernels.size(); i-- > 0;) {
    const KernelId kernel(i);
    if (!wanted[kernel]) continue;
    needed.push_back(kernel);
    for (const TensorId operand : fused.kernels[kernel].operands) want(operand);
  }
  std::ranges::reverse(needed);
  return needed;
}

Dependencies dependencies(const FusedGraph& fused, const Scope& scope) {
  Dependencies result;
  result.needed = needed_kernels(fused, scope);
  result.waiting.resize(fused.kernels.size());
  result.users_begin.resize(fused.kernels.size() + 1);
  const auto each_edge = [&](auto&& visit) {
    for (const KernelId kernel : result.needed) {
      for (const TensorId operand : fused.kernels[kernel].operands) {
        if (!is_given(fused, scope, operand)) visit(fused.tensors[operand].producer, kernel);
      }
    }
  };
  each_edge([&](KernelId producer, KernelId kernel) {
    ++result.waiting[kernel];
    ++result.users_begin[KernelId(producer.index() + 1)];
  });
  for (std::size_t i = 0; i < fused.kernels.size(); ++i) {
    result.users_begin[KernelId(i + 1)] += result.users_begin[KernelId(i)];
  }
  result.users.resize(result.users_begin[KernelId(fused.kernels.size())]);
  IdVector<KernelId, std::uint32_t> next = result.users_begin;
  each_edge([&](KernelId producer, KernelId kernel) { result.users[next[producer]++] = kernel; });
  return result;
}

// Runs kernels as they become ready: `push` takes a ready kernel, `pop` gives the one to run.
template <class Push, class Pop>
std::vector<KernelId> ready_order(Dependencies& edges, Push&& push, Pop&& pop) {
  std::vector<KernelId> order;
  order.reserve(edges.needed.size());
  for (const KernelId kernel : edges.needed) {
    if (edges.waiting[kernel] == 0) push(kernel);
  }
  while (order.size() < edges.needed.size()) {
    const KernelId kernel = pop();
    order.push_back(kernel);
    for (const KernelId user : edges.users_of(kernel)) {
      if (--edges.waiting[user] == 0) push(user);
    }
  }
  return order;
}

// Where a kernel stands in the file: at its last node. A packing that `fuse` put in has none and
// stands just before its reader.
std::uint32_t position(const FusedGraph& fused, const Dependencies& edges, KernelId kernel) {
  const auto* nodes = &fused.kernels[kernel].nodes;
  if (nodes->empty() && !edges.users_of(kernel).empty()) {
    nodes = &fused.kernels[edges.users_of(kernel).front()].nodes;
  }
  return nodes->empty() ? 0 : fused.graph->nodes[nodes->back()].position;
}

// What running a kernel does to the bytes alive, as far as can be told before planning: its results
// come, operands that nobody else is still to read go. A view's bytes are those it looks into;
// outputs have bytes of the caller's.
class GrowthModel {
 public:
  GrowthModel(const FusedGraph& fused, const Scope& scope, const std::vector<KernelId>& needed)
      : fused_(fused), bases_(fused.tensors.size()) {
    for (const TensorId tensor : ids(fused.tensors)) {
      if (is_given(fused, scope, tensor)) bases_[tensor].base = tensor;
    }
    for (const KernelId id : needed) {
      const Kernel& kernel = fused.kernels[id];
      for (const TensorId result : kernel.results) {
        const bool view = kernel.kind == KernelKind::kLayout;
        bases_[result].base = view ? bases_[kernel.operands[0]].base : result;
        if (!view) bases_[result].size = size_of_result(result);
      }
      for_each_base(kernel, [&](Base& base) {
        ++base.readers;
        base.last_reader ^= id.index();
      });
    }
    for (const TensorId root : scope.roots) bases_[bases_[root].base].size = 0;
  }

  std::int64_t growth(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    std::int64_t bytes = 0;
    for (const TensorId result : kernel.results) bytes += bases_[result].size;
    for_each_base(kernel, [&](Base& base) {
      if (base.readers == 1) bytes -= base.size;
    });
    return bytes;
  }

  // Tells `changed` of each kernel that is now the last to read something.
  template <class Changed>
  void run(KernelId id, Changed&& changed) {
    for_each_base(fused_.kernels[id], [&](Base& base) {
      base.last_reader ^= id.index();
      if (--base.readers == 1) changed(KernelId(base.last_reader));
    });
  }

 private:
  struct Base {
    TensorId base;
    std::int64_t size = 0;
    std::uint32_t readers = 0;    // kernels still to run that read it
    std::size_t last_reader = 0;  // their ids, exclusive-or: of one reader, its id
  };

  std::int64_t size_of_result(TensorId tensor) const {
    const auto element = static_cast<std::int64_t>(size_of(fused_.tensors[tensor].dtype));
    return round_up({fused_.tensors[tensor].shape.element_count() * element}).count;
  }

  // Visits the bytes that the kernel reads, each once.
  template <class Visit>
  void for_each_base(const Kernel& kernel, Visit&& visit) {
    scratch_.clear();
    for (const TensorId operand : kernel.operands) scratch_.push_back(bases_[operand].base);
    std::ranges::sort(scratch_);
    const auto repeated = std::ranges::unique(scratch_);
    scratch_.erase(repeated.begin(), repeated.end());
    for (const TensorId base : scratch_) visit(bases_[base]);
  }

  const FusedGraph& fused_;
  IdVector<TensorId, Base> bases_;
  std::vector<TensorId> scratch_;
};

}  // namespace

Scope run_scope(const FusedGraph& fused) { return {fused.outputs, false}; }

Scope prepare_scope(const FusedGraph& fused, const std::vector<KernelId>& run_order) {
  Scope scope{{}, true};
  if (std::ranges::none_of(fused.tensors, &FusedTensor::cached)) return scope;
  IdVector<TensorId, char> met(fused.tensors.size());
  const auto meet = [&](TensorId tensor) {
    if (!fused.tensors[tensor].cached || met[tensor]) return;
    met[tensor] = 1;
    scope.roots.push_back(tensor);
  };
  for (const KernelId kernel : run_order) {
    for (const TensorId operand : fused.kernels[kernel].operands) meet(operand);
  }
  for (const TensorId output : fused.outputs) meet(output);
  return scope;
}

std::vector<KernelId> depth_first_order(const FusedGraph& fused, const Scope& scope) {
  struct Visit {
    KernelId kernel;
    std::uint32_t next;  // in `producers.all`
  };
  const Producers producers(fused, scope);
  IdVector<KernelId, char> seen(fused.kernels.size());
  std::vector<KernelId> order;
  order.reserve(fused.kernels.size());
  std::vector<Visit> stack;
  const auto visit = [&](KernelId kernel) {
    if (seen[kernel]) return;
    seen[kernel] = 1;
    stack.push_back({kernel, producers.begin[kernel]});
  };
  for (const TensorId root : scope.roots) {
    if (!is_given(fused, scope, root)) visit(fused.tensors[root].producer);
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next < producers.begin[KernelId(top.kernel.index() + 1)]) {
        visit(producers.all[top.next++]);
      } else {
        order.push_back(top.kernel);
        stack.pop_back();
      }
    }
  }
  return order;
}

std::vector<KernelId> given_order(const FusedGraph& fused, const Scope& scope) {
  using Entry = std::pair<std::uint32_t, std::size_t>;
  Dependencies edges = dependencies(fused, scope);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  return ready_order(
      edges, [&](KernelId kernel) { ready.push({position(fused, edges, kernel), kernel.index()}); },
      [&] {
        const KernelId kernel(ready.top().second);
        ready.pop();
        return kernel;
      });
}

std::vector<KernelId> breadth_first_order(const FusedGraph& fused, const Scope& scope) {
  Dependencies edges = dependencies(fused, scope);
  std::deque<KernelId> ready;
  return ready_order(
      edges, [&](KernelId kernel) { ready.push_back(kernel); },
      [&] {
        const KernelId kernel = ready.front();
        ready.pop_front();
        return kernel;
      });
}

std::vector<KernelId> least_growth_order(const FusedGraph& fused, const Scope& scope) {
  Dependencies edges = dependencies(fused, scope);
  GrowthModel model(fused, scope, edges.needed);
  using Entry = std::pair<std::int64_t, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  IdVector<KernelId, char> state(fused.kernels.size());  // 1: ready, 2: done
  return ready_order(
      edges,
      [&](KernelId kernel) {
        state[kernel] = 1;
        ready.push({model.growth(kernel), kernel.index()});
      },
      [&] {
        // A growth that has fallen since was pushed again: the entries left behind are passed over.
        while (state[KernelId(ready.top().second)] == 2) ready.pop();
        const KernelId kernel(ready.top().second);
        ready.pop();
        state[kernel] = 2;
        model.run(kernel, [&](KernelId last_reader) {
          if (state[last_reader] == 1) {
            ready.push({model.growth(last_reader), last_reader.index()});
          }
        });
        return kernel;
      });
}

}  // namespace wick::compiler

#include "compiler/plan/preplan.h"

#include <algorithm>
#include <utility>

#include "compiler/plan/alias_map.h"
#include "compiler/support/check.h"
#include "compiler/support/prefetch.h"

namespace wick::compiler {

Layout Preplan::layout_of(TensorId tensor) const {
  const Place& place = places[tensor];
  return place.layout == kPackedLayout ? Layout(place.shape) : layouts[place.layout];
}

namespace {

// A view that changes nothing: the seed's no_op.
bool is_identity(const FusedGraph& fused, const Kernel& kernel) {
  return kernel.kind == KernelKind::kLayout && std::ranges::all_of(kernel.views, [&](NodeId node) {
           return fused.graph->nodes[node].op->traits.identity;
         });
}

class Preplanner {
 public:
  Preplanner(const FusedGraph& fused, const Scope& scope)
      : fused_(fused), scope_(scope), map_(fused.tensors.size()) {
    plan_.fused = &fused;
    plan_.places.reserve(fused.tensors.size());
    plan_.kept_in.resize(fused.tensors.size());
    plan_.aliases.resize(fused.kernels.size());
    reference_step_.resize(fused.tensors.size(), Preplan::kNever);
    for (const TensorId tensor : ids(fused.tensors)) {
      const FusedTensor& it = fused.tensors[tensor];
      Preplan::Place place;
      place.shape = it.shape;
      place.dtype = it.dtype;
      place.kind = it.kind;
      place.cached = it.cached;
      if (is_given(fused, scope, tensor)) place.base = tensor;
      plan_.places.push_back(place);
      if (place.base.valid() && it.cached)
        map_.take_over(tensor, tensor, AliasTag::kContiguousCached);
    }
  }

  Preplan finish(const std::vector<KernelId>& order) {
    plan_.steps.reserve(order.size());
    plan_.inputs.reserve(2 * order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      look_ahead(order, i);
      visit(order[i]);
    }
    if (!scope_.prepares) promise_outputs();
    note_last_reads();
    return std::move(plan_);
  }

 private:
  // The order jumps about in the graph. What the visits to come will look at is asked for ahead of
  // them: kernels first, then, when those have arrived, what they read.
  void look_ahead(const std::vector<KernelId>& order, std::size_t at) const {
    constexpr std::size_t kAhead = 8;
    if (at + 2 * kAhead < order.size()) {
      prefetch(&fused_.kernels[order[at + 2 * kAhead]]);
      prefetch(&fused_.kernels[order[at + 2 * kAhead]].workspace);
    }
    if (at + kAhead >= order.size()) return;
    const Kernel& kernel = fused_.kernels[order[at + kAhead]];
    prefetch(&plan_.places[kernel.results[0]]);
    if (!kernel.operands.empty()) map_.prefetch(kernel.operands[0]);
  }

  void visit(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    if (kernel.kind == KernelKind::kPack || is_identity(fused_, kernel)) {
      visit_same_values(id);
    } else if (kernel.kind == KernelKind::kLayout) {
      visit_view(id);
    } else {
      visit_computation(id);
    }
  }

  // ---- The table of aliasing --------------------------------------------------------------------

  AliasDecision decide(const Kernel& kernel) const {
    const TensorId operand = kernel.cache ? cached_operand(kernel) : kernel.operands[0];
    const TensorId owner = map_.resolve(operand);
    const std::optional<AliasTag> tag = map_.tag(operand);
    if (kernel.cache) {
      const bool have = tag == AliasTag::kContiguousCached;
      return {have ? AliasKind::kAlias : AliasKind::kTakeover, AliasTag::kContiguousCached, owner};
    }
    if (kernel.kind == KernelKind::kPack) {
      const bool have = tag && *tag != AliasTag::kAnything;
      return have ? AliasDecision{AliasKind::kAlias, *tag, owner}
                  : AliasDecision{AliasKind::kTakeover, AliasTag::kContiguous, owner};
    }
    return {AliasKind::kAlias, AliasTag::kAnything, owner};
  }

  // What a cache node is over. A no_op that is cached comes as a no_op and a packing of one node.
  TensorId cached_operand(const Kernel& kernel) const {
    const TensorId operand = kernel.operands[0];
    if (is_given(fused_, scope_, operand)) return operand;
    const Kernel& inner = fused_.kernels[fused_.tensors[operand].producer];
    return is_identity(fused_, inner) && inner.nodes == kernel.nodes ? inner.operands[0] : operand;
  }

  // A kernel whose result has the values of its operand: no_op, as_contiguous, a cache of either.
  void visit_same_values(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    const AliasDecision decision = decide(kernel);
    const TensorId result = kernel.results[0];
    plan_.aliases[id] = decision;
    if (decision.kind == AliasKind::kAlias) {
      map_.alias(result, decision.target, decision.tag);
      if (kernel.cache) plan_.kept_in[result] = decision.target;
      return;
    }
    // The input is resolved before the claim is registered: a claimer reads what it claims.
    const Layout layout = plan_.layout_of(decision.target);
    if (kernel.cache ? keep_where_it_is(decision.target, result) : layout.is_contiguous()) {
      refer(id, result, decision.target,
            Layout(layout.shape(), Layout(layout.shape()).strides(), layout.offset()));
    } else {
      stage(StepKind::kCopy, id, {decision.target});
      own(result);
    }
    map_.take_over(decision.target, result, decision.tag);
  }

  void visit_view(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    const TensorId input = map_.resolve(kernel.operands[0]);
    const TensorId result = kernel.results[0];
    check(!fused_.tensors[result].cached, "a cached view that nothing packs");
    const std::optional<Layout> layout = apply_views(fused_, kernel, plan_.layout_of(input));
    check(layout.has_value(), "a view whose operand is not packed for it");
    refer(id, result, input, *layout);
  }

  void visit_computation(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    resolved_.clear();
    for (const TensorId operand : kernel.operands) resolved_.push_back(map_.resolve(operand));
    stage(StepKind::kKernel, id, resolved_);
    for (const TensorId result : kernel.results) {
      own(result);
      if (!plan_.places[result].cached) continue;
      plan_.aliases[id] = {AliasKind::kTakeover, AliasTag::kContiguousCached, result};
      map_.take_over(result, result, AliasTag::kContiguousCached);
    }
  }

  // ---- Steps and places -------------------------------------------------------------------------

  void stage(StepKind kind, KernelId id, std::span<const TensorId> inputs) {
    StagedStep step;
    step.kind = kind;
    step.kernel = id;
    step.first_input = static_cast<std::uint32_t>(plan_.inputs.size());
    step.input_count = static_cast<std::uint32_t>(inputs.size());
    plan_.inputs.insert(plan_.inputs.end(), inputs.begin(), inputs.end());
    if (id.valid()) {
      const Kernel& kernel = fused_.kernels[id];
      step.kernel_kind = kernel.kind;
      step.terms = spread_operands(kernel);
      step.result_count = static_cast<std::uint32_t>(kernel.results.size());
      step.result = kernel.results[0];
      step.workspace = kernel.workspace;
    }
    plan_.steps.push_back(step);
  }
  void stage(StepKind kind, KernelId id, std::initializer_list<TensorId> inputs) {
    stage(kind, id, std::span(inputs.begin(), inputs.size()));
  }

  // The factors of a product; all operands, if its axes are in another order than the result's.
  // Of a row program: none, if its last pass writes its only result, all elements of the rows. An
  // element per row would let an operand of as many elements lie along the row.
  std::uint32_t spread_operands(const Kernel& kernel) const {
    const auto all = static_cast<std::uint32_t>(kernel.operands.size());
    if (kernel.kind == KernelKind::kProduct) return kernel.order.empty() ? 2 : all;
    if (kernel.kind != KernelKind::kRows) return kernel.terms;
    if (kernel.results.size() != 1 || kernel.passes.back().kind != RowPass::Kind::kWrite)
      return all;
    const Shape& result = fused_.tensors[kernel.results[0]].shape;
    for (const TensorId operand : kernel.operands) {
      if (!broadcasts_to(fused_.tensors[operand].shape, result)) return all;
    }
    return 0;
  }

  void own(TensorId result) {
    Preplan::Place& place = plan_.places[result];
    place.base = result;
    if (place.cached) place.promise = new_promise(result, StorageKind::kState);
  }

  void refer(KernelId id, TensorId result, TensorId input, const Layout& layout) {
    reference_step_[result] = static_cast<StepIndex>(plan_.steps.size());
    stage(StepKind::kReference, id, {input});
    Preplan::Place& place = plan_.places[result];
    place.base = plan_.places[input].base;
    if (layout == Layout(place.shape)) return;
    place.layout = static_cast<std::uint32_t>(plan_.layouts.size());
    plan_.layouts.push_back(layout);
  }

  // ---- Promises ---------------------------------------------------------------------------------

  std::uint32_t new_promise(TensorId tensor, StorageKind kind) {
    std::uint32_t& count = kind == StorageKind::kState ? cached_count_ : output_count_;
    plan_.promises.push_back({tensor, kind, count++});
    if (kind == StorageKind::kState) plan_.kept_in[tensor] = tensor;
    return static_cast<std::uint32_t>(plan_.promises.size() - 1);
  }

  // The base that can be written straight to where `tensor` is wanted: computed here, free of other
  // promises, and byte for byte the same as `tensor`. None if there has to be a copy.
  TensorId direct_base(TensorId tensor) const {
    const Preplan::Place& place = plan_.places[tensor];
    const Preplan::Place& base = plan_.places[place.base];
    const bool whole = place.shape.element_count() == base.shape.element_count();
    const bool free = base.promise == Preplan::kNoPromise;
    const bool here = !is_given(fused_, scope_, place.base);
    return whole && free && here && plan_.is_packed(tensor) ? place.base : TensorId();
  }

  // Makes the bytes of `tensor` those of the cached value `result`, if that can be.
  bool keep_where_it_is(TensorId tensor, TensorId result) {
    const TensorId base = direct_base(tensor);
    if (!base.valid()) return false;
    plan_.places[base].promise = new_promise(result, StorageKind::kState);
    return true;
  }

  void copy_to(std::uint32_t promise, TensorId tensor) {
    stage(StepKind::kCopy, KernelId(), {tensor});
    plan_.steps.back().promise = promise;
  }

  // Gives each output its memory. A view is copied as soon as there is something to copy, so that
  // what it looks into can go; inputs and second names of outputs are copied at the end.
  void promise_outputs() {
    std::vector<std::pair<StepIndex, std::uint32_t>> copies;  // after which step, which promise
    for (const TensorId output : fused_.outputs) {
      const TensorId tensor = map_.resolve(output);
      const TensorId base = direct_base(tensor);
      const std::uint32_t promise = new_promise(output, StorageKind::kOutput);
      if (base.valid()) {
        plan_.places[base].promise = promise;
      } else {
        copies.push_back({reference_step_[tensor], promise});
      }
    }
    std::ranges::stable_sort(copies, {}, &std::pair<StepIndex, std::uint32_t>::first);
    std::vector<StagedStep> computed = std::exchange(plan_.steps, {});
    plan_.steps.reserve(computed.size() + copies.size());
    std::size_t next = 0;
    const auto copy_next = [&] {
      const std::uint32_t promise = copies[next++].second;
      copy_to(promise, map_.resolve(plan_.promises[promise].tensor));
    };
    for (StepIndex i = 0; i < computed.size(); ++i) {
      plan_.steps.push_back(computed[i]);
      while (next < copies.size() && copies[next].first == i) copy_next();
    }
    while (next < copies.size()) copy_next();
  }

  void note_last_reads() {
    for (StepIndex i = 0; i < plan_.steps.size(); ++i) {
      for (const TensorId input : plan_.inputs_of(plan_.steps[i])) {
        plan_.places[plan_.places[input].base].last_read = i;
      }
    }
  }

  const FusedGraph& fused_;
  const Scope& scope_;
  AliasMap map_;
  Preplan plan_;
  IdVector<TensorId, StepIndex> reference_step_;
  std::vector<TensorId> resolved_;  // the operands of the kernel at hand; kept for its memory
  std::uint32_t cached_count_ = 0;
  std::uint32_t output_count_ = 0;
};

}  // namespace

Preplan preplan(const FusedGraph& fused, const Scope& scope, const std::vector<KernelId>& order) {
  return Preplanner(fused, scope).finish(order);
}

}  // namespace wick::compiler

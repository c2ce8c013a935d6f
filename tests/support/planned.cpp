#include "tests/support/planned.h"

#include <array>
#include <random>
#include <stdexcept>

#include "compiler/graph/expand.h"
#include "compiler/plan/validate.h"
#include "compiler/reference/interpreter.h"
#include "tests/support/executor.h"

namespace wick::compiler::testing {

namespace {

const Located* find_write(const Step& step, TensorId tensor) {
  if (!step.kernel.valid()) return nullptr;
  for (const Located& write : step.writes) {
    if (write.tensor == tensor) return &write;
  }
  return nullptr;
}

struct Way {
  PlanOptions plan;
  FuseOptions fuse;
  std::string name;
};

std::vector<Way> all_ways() {
  const std::array storages = {StorageMode::kArena, StorageMode::kStatic, StorageMode::kHeap,
                               StorageMode::kNone};
  const std::array schedules = {Schedule::kDepthFirst, Schedule::kGiven, Schedule::kMemory};
  std::vector<Way> ways;
  for (const StorageMode storage : storages) {
    for (const Schedule schedule : schedules) {
      for (const bool fuse : {false, true}) {
        PlanOptions plan;
        plan.storage = storage;
        plan.schedule = schedule;
        ways.push_back({plan,
                        {fuse, FpMode::kStrict},
                        "storage " + std::to_string(static_cast<int>(storage)) + ", schedule " +
                            std::to_string(static_cast<int>(schedule)) +
                            (fuse ? ", fused" : ", unfused")});
      }
    }
  }
  return ways;
}

std::string compare(const std::vector<HostTensor>& found, const std::vector<HostTensor>& expected,
                    const Graph& graph) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!same_values(found[i], expected[i])) {
      return "output " + graph.values[graph.outputs[i].value].name + " differs";
    }
  }
  return {};
}

std::string run_way(const FusedGraph& fused, const Way& way, std::span<const HostTensor> inputs,
                    const std::vector<HostTensor>& expected) {
  const Plan plan = wick::compiler::plan(fused, way.plan);
  const std::vector<std::string> faults = validate(fused, plan);
  if (!faults.empty()) return way.name + ": the judge says: " + faults[0];
  for (const Fill fill : {Fill::kZeros, Fill::kOnes, Fill::kSignallingNaN}) {
    PlanExecutor executor(plan, fill);
    for (int call = 0; call < 2; ++call) {
      const std::string wrong = compare(executor.run(inputs), expected, *fused.graph);
      if (!wrong.empty()) return way.name + ": " + wrong;
    }
  }
  return {};
}

}  // namespace

TensorId Planned::tensor(std::string_view name) const {
  for (const TensorId id : ids(fused->tensors)) {
    if (fused->tensors[id].name == name) return id;
  }
  throw std::runtime_error("no tensor is named " + std::string(name));
}

bool Planned::has_step(std::string_view name) const {
  const TensorId id = tensor(name);
  for (const Step& step : plan->run.steps) {
    if (find_write(step, id) != nullptr) return true;
  }
  return false;
}

StepIndex Planned::step_index(std::string_view name) const {
  const TensorId id = tensor(name);
  for (StepIndex i = 0; i < plan->run.steps.size(); ++i) {
    if (find_write(plan->run.steps[i], id) != nullptr) return i;
  }
  throw std::runtime_error("no step gives " + std::string(name));
}

const Located& Planned::located(std::string_view name) const {
  return *find_write(step(name), tensor(name));
}

Placement Planned::placement(std::string_view name) const {
  const Step& it = step(name);
  return it.placements[static_cast<std::size_t>(&located(name) - it.writes.data())];
}

AliasDecision Planned::alias(std::string_view name) const {
  return plan->aliases[fused->tensors[tensor(name)].producer];
}

Planned planned(Graph graph, const PlanOptions& options, const FuseOptions& fuse_options) {
  Planned result;
  result.graph = std::make_unique<const Graph>(std::move(graph));
  result.fused = std::make_unique<const FusedGraph>(fuse(*result.graph, fuse_options));
  result.plan = std::make_unique<const Plan>(plan(*result.fused, options));
  return result;
}

Planned planned(const Described& graph, const PlanOptions& options, const FuseOptions& fuse) {
  return planned(expand(graph.verified()), options, fuse);
}

std::size_t slots(const Planned& planned) {
  std::size_t count = 0;
  for (const Storage& storage : planned.plan->storages) {
    const bool slot = storage.kind == StorageKind::kSlot && !storage.in_prepare;
    if (slot && storage.size.count > 0) ++count;
  }
  return count;
}

std::size_t buffers(const Planned& planned) {
  std::size_t count = slots(planned);
  for (const Storage& storage : planned.plan->storages) {
    if (storage.kind == StorageKind::kOutput) ++count;
  }
  return count;
}

HostTensor small_numbers(DType dtype, const Shape& shape, std::uint32_t seed) {
  std::mt19937 random(seed);
  HostTensor tensor(dtype, shape);
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const auto number = static_cast<int>(random() % 9) - 4;
    dispatch(dtype, [&](auto zero) {
      using E = decltype(zero);
      if constexpr (std::is_same_v<E, bool>) {
        tensor.set<E>(i, number > 0);
      } else {
        tensor.set<E>(i, static_cast<E>(number));
      }
    });
  }
  return tensor;
}

std::vector<HostTensor> small_inputs(const Graph& graph, std::uint32_t seed) {
  std::vector<HostTensor> inputs;
  for (const Input& input : graph.inputs) {
    const ops::TensorType& type = graph.values[input.value].type;
    inputs.push_back(small_numbers(type.dtype, type.shape(), seed++));
  }
  return inputs;
}

std::string disagreement(const Graph& graph, std::span<const HostTensor> inputs) {
  // Composites have an evaluator of their own, which rounds once: the parts are what is planned.
  const Graph expanded = expand(graph);
  const std::vector<HostTensor> expected = evaluate_outputs(expanded, inputs);
  const FusedGraph fused = fuse(expanded, {true, FpMode::kStrict});
  const FusedGraph unfused = fuse(expanded, {false, FpMode::kStrict});
  for (const Way& way : all_ways()) {
    const std::string wrong = run_way(way.fuse.fuse ? fused : unfused, way, inputs, expected);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string disagreement(const Described& described, std::uint32_t seed) {
  const Graph graph = described.verified();
  return disagreement(graph, small_inputs(graph, seed));
}

}  // namespace wick::compiler::testing

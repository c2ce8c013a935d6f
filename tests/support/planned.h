// Graphs all the way to a plan, and what tests ask about plans.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/fuse/fuse.h"
#include "compiler/plan/plan.h"
#include "tests/support/graphs.h"

namespace wick::compiler::testing {

// A graph, its kernels and its plan; later ones point into earlier ones.
struct Planned {
  std::unique_ptr<const Graph> graph;
  std::unique_ptr<const FusedGraph> fused;
  std::unique_ptr<const Plan> plan;

  TensorId tensor(std::string_view name) const;
  // The step of `run` that computes, packs or refers to the tensor.
  StepIndex step_index(std::string_view name) const;
  const Step& step(std::string_view name) const { return plan->run.steps[step_index(name)]; }
  const Located& located(std::string_view name) const;
  Placement placement(std::string_view name) const;
  StorageId storage_id(std::string_view name) const { return located(name).storage; }
  const Storage& storage(std::string_view name) const { return plan->storages[storage_id(name)]; }
  // True if some step of `run` computes, packs or refers to the tensor.
  bool has_step(std::string_view name) const;
  AliasDecision alias(std::string_view name) const;
};

// As the seed plans: one kernel per node, no simplification.
inline constexpr FuseOptions kUnfused{false, FpMode::kStrict};

Planned planned(const Described& graph, const PlanOptions& options = {},
                const FuseOptions& fuse = kUnfused);
Planned planned(Graph graph, const PlanOptions& options = {}, const FuseOptions& fuse = kUnfused);

// How many slots of `run` take bytes, and how many outputs do.
std::size_t slots(const Planned& planned);
std::size_t buffers(const Planned& planned);

// Small whole numbers, on which sums, differences and products of floats are exact; the same for
// the same seed.
HostTensor small_numbers(DType dtype, const Shape& shape, std::uint32_t seed);
std::vector<HostTensor> small_inputs(const Graph& graph, std::uint32_t seed);

// Plans the graph in every way there is (storages, schedules, fused and not), puts each plan to the
// judge, runs it on memory filled with each pattern, twice, and compares all outputs with the
// reference interpreter's, bit for bit. Returns what differs: nothing if all is well.
std::string disagreement(const Graph& graph, std::span<const HostTensor> inputs);
std::string disagreement(const Described& graph, std::uint32_t seed = 1);

}  // namespace wick::compiler::testing

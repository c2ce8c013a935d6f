#include "compiler/compile.h"

#include "compiler/graph/expand.h"
#include "compiler/graph/verify.h"
#include "compiler/plan/validate.h"
#include "compiler/simplify/simplify.h"
#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

// The judge knows nothing of the planner. What it finds is a bug of ours, and nothing is emitted.
void judge(const FusedGraph& fused, const Plan& plan) {
  const std::vector<std::string> faults = validate(fused, plan);
  check(faults.empty(), "the plan is wrong: " + (faults.empty() ? std::string() : faults.front()));
}

}  // namespace

std::optional<Compilation> compile(GraphDescription description, const CompileOptions& options,
                                   Diagnostics& diagnostics) {
  Compilation result;
  std::optional<Graph> given = verify(std::move(description), diagnostics);
  if (!given) return std::nullopt;
  result.given = std::make_unique<const Graph>(std::move(*given));
  // From here on nothing the user wrote can be wrong: what fails now is a bug of ours.

  Graph graph = expand(*result.given);
  if (options.simplify) graph = simplify(graph, {});
  result.simplified = std::make_unique<const Graph>(std::move(graph));
  // No composite is left, and no node that will not be computed is added any more.

  result.fused = std::make_unique<const FusedGraph>(fuse(*result.simplified, options.fuse));
  // What is computed together is settled; only order and memory are open.

  result.plan = std::make_unique<const Plan>(plan(*result.fused, options.plan));
  judge(*result.fused, *result.plan);
  // Every byte has its place. Emission only writes it down.

  result.emission = emit(*result.plan, options.emit);
  return result;
}

}  // namespace wick::compiler

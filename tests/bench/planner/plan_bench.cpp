// Time of fusing, planning and judging by size of the graph: `plan_bench [MOST_NODES]`.
//
// Each shape at 10^3 nodes and ten times as many up to MOST_NODES (a million), unfused, so that
// each node is a kernel. Growth is the time of fuse, plan and judge together against that of the
// size before; 12 per decade is the promise. Seconds of processor time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "compiler/fuse/fuse.h"
#include "compiler/graph/builder.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/validate.h"

namespace {

using namespace wick::compiler;
// Processor time: on a busy machine the clock on the wall tells about the others.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Shaper {
 public:
  Shaper() : builder_("bench", "") {
    Value value;
    value.name = "x";
    value.type = {DType::kF32, Layout(Shape::of({64}))};
    value.kind = ValueKind::kInput;
    values_.push_back(builder_.input({}, value));
  }

  ValueId unary(ValueId x) { return add("neg", {x}); }
  ValueId binary(ValueId x, ValueId y) { return add("sub", {x, y}); }
  ValueId input() const { return values_[0]; }
  ValueId value(std::size_t index) const { return values_[index]; }
  std::size_t count() const { return values_.size(); }

  Graph finish(ValueId output) {
    builder_.output(output, 0);
    return builder_.finish();
  }

 private:
  ValueId add(const char* op, std::vector<ValueId> operands) {
    const auto number = static_cast<std::uint32_t>(values_.size());
    const NodeId node = builder_.call(*ops::find(op), std::move(operands), {},
                                      "n" + std::to_string(number), number);
    values_.push_back(builder_.so_far().nodes[node].results[0]);
    return values_.back();
  }

  GraphBuilder builder_;
  std::vector<ValueId> values_;
};

Graph chain(std::size_t nodes) {
  Shaper shaper;
  ValueId last = shaper.input();
  for (std::size_t i = 0; i < nodes; ++i) last = shaper.unary(last);
  return shaper.finish(last);
}

// Leaves are added up two by two.
Graph tree(std::size_t nodes) {
  Shaper shaper;
  std::vector<ValueId> level;
  for (std::size_t i = 0; i < nodes / 2; ++i) level.push_back(shaper.unary(shaper.input()));
  while (level.size() > 1) {
    std::vector<ValueId> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(shaper.binary(level[i], level[i + 1]));
    }
    if (level.size() % 2 != 0) next.push_back(level.back());
    level = std::move(next);
  }
  return shaper.finish(level[0]);
}

// One node with many readers, gathered one after the other.
Graph fan(std::size_t nodes) {
  Shaper shaper;
  const ValueId hub = shaper.unary(shaper.input());
  ValueId sum = hub;
  for (std::size_t i = 0; i < nodes / 2; ++i) sum = shaper.binary(sum, shaper.unary(hub));
  return shaper.finish(sum);
}

Graph diamonds(std::size_t nodes) {
  Shaper shaper;
  ValueId last = shaper.unary(shaper.input());
  for (std::size_t i = 0; i < nodes / 3; ++i) {
    last = shaper.binary(shaper.unary(last), shaper.unary(last));
  }
  return shaper.finish(last);
}

Graph random_dag(std::size_t nodes) {
  Shaper shaper;
  std::mt19937 random(7);
  ValueId sum = shaper.unary(shaper.input());
  for (std::size_t i = 0; i < nodes / 3; ++i) {
    const std::size_t window = std::min<std::size_t>(shaper.count(), 1000);
    const ValueId a = shaper.value(shaper.count() - 1 - random() % window);
    const ValueId b = shaper.value(shaper.count() - 1 - random() % window);
    sum = shaper.binary(sum, shaper.unary(shaper.binary(a, b)));
  }
  return shaper.finish(sum);
}

void run(const char* name, Graph (*make)(std::size_t), std::size_t most) {
  double before = 0;
  for (std::size_t nodes = 1000; nodes <= most; nodes *= 10) {
    double start = now();
    const Graph graph = make(nodes);
    const double build = now() - start;
    start = now();
    const FusedGraph fused = fuse(graph, {false, FpMode::kStrict});
    const double fusing = now() - start;
    start = now();
    const Plan planned = plan(fused, {});
    const double planning = now() - start;
    start = now();
    const bool sound = validate(fused, planned).empty();
    const double judging = now() - start;
    const double total = fusing + planning + judging;
    std::printf("%-8s %8zu  build %7.3f  fuse %7.3f  plan %7.3f  judge %7.3f s", name, nodes, build,
                fusing, planning, judging);
    if (before > 0) std::printf("  growth %5.1f", total / before);
    std::printf("  arena %lld of %lld%s\n", static_cast<long long>(planned.arena.count),
                static_cast<long long>(planned.report.lower_bound.count), sound ? "" : "  UNSOUND");
    std::fflush(stdout);
    before = total;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  run("chain", chain, most);
  run("tree", tree, most);
  run("fan", fan, most);
  run("diamonds", diamonds, most);
  run("random", random_dag, most);
  return 0;
}

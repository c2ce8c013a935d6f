#include "compiler/emit/kernels.h"

#include <algorithm>

#include "compiler/emit/lambdas.h"
#include "compiler/support/text.h"

namespace wick::compiler::cpp {
namespace {

constexpr std::size_t kMostListed = 6;

class KernelSection {
 public:
  KernelSection(const Plan& plan, Symbols& symbols)
      : plan_(plan), fused_(*plan.fused), symbols_(symbols) {}

  std::vector<Line> run() {
    collect_uses();
    for (const Program* program : {&plan_.prepare, &plan_.run}) {
      for (const Step& step : program->steps) {
        if (step.kernel.valid() && !written_[step.kernel]) write(step.kernel);
      }
    }
    return std::move(lines_);
  }

 private:
  // Which kernels share a body, so that its comment can say so.
  void collect_uses() {
    uses_.resize(fused_.bodies.size());
    written_ = IdVector<KernelId, char>(fused_.kernels.size(), 0);
    for (const Program* program : {&plan_.prepare, &plan_.run}) {
      for (const Step& step : program->steps) {
        if (!step.kernel.valid()) continue;
        const Kernel& kernel = fused_.kernels[step.kernel];
        for (const BodyId body : {kernel.body, kernel.results_body}) {
          if (body.valid()) uses_[body].push_back(step.kernel);
        }
        for (const RowPass& pass : kernel.passes) {
          if (pass.body.valid()) uses_[pass.body].push_back(step.kernel);
        }
      }
    }
  }

  void write(KernelId id) {
    written_[id] = 1;
    const Kernel& kernel = fused_.kernels[id];
    const std::string& stem = symbols_.kernels[id];
    switch (kernel.kind) {
      case KernelKind::kMap:
        add_body(kernel.body, suffixed(stem, "kernel"), stem);
        break;
      case KernelKind::kProduct:
        add_body(kernel.results_body, suffixed(stem, "kernel"), stem);
        break;
      case KernelKind::kReduce:
        add_body(kernel.body, suffixed(stem, "terms"), stem + " terms");
        add_body(kernel.results_body, suffixed(stem, "results"), stem);
        break;
      case KernelKind::kRows:
        write_rows(id, kernel, stem);
        break;
      default:
        break;
    }
  }

  void add_body(BodyId id, const std::string& name, const std::string& computed) {
    if (!id.valid() || !symbols_.bodies[id].empty()) return;
    symbols_.bodies[id] = symbols_.taken.own(name);
    lines_.push_back(blank());
    lines_.push_back(comment(computed + " = " + equation(fused_.bodies[id])));
    add_shared_uses(id);
    std::ranges::move(lambda(fused_.bodies[id], symbols_.bodies[id]), std::back_inserter(lines_));
  }

  void add_shared_uses(BodyId id) {
    std::vector<KernelId>& users = uses_[id];
    users.erase(std::unique(users.begin(), users.end()), users.end());
    if (users.size() < 2) return;
    std::string text = "also:";
    for (std::size_t i = 1; i < users.size() && i <= kMostListed; ++i)
      text += (i > 1 ? ", " : " ") + symbols_.kernels[users[i]];
    if (users.size() > kMostListed + 1)
      text += " and " + std::to_string(users.size() - 1 - kMostListed) + " more";
    lines_.push_back(comment(std::move(text)));
  }

  // ---- Row programs ----

  void write_rows(KernelId id, const Kernel& kernel, const std::string& stem) {
    Scope scope;
    std::vector<std::string> operands, outs, passes;
    for (const TensorId result : kernel.results)
      outs.push_back(scope.unique(symbols_.tensors[result]));
    for (const TensorId operand : kernel.operands)
      operands.push_back(scope.unique(fused_.tensors[operand].name));
    for (const RowPass& pass : kernel.passes) {
      passes.push_back(pass.kind == RowPass::Kind::kWrite ? outs[pass.result]
                                                          : scope.unique(pass.name));
      const char* suffix = pass.kind == RowPass::Kind::kReduce ? "terms" : "kernel";
      const bool stemmed = passes.back().starts_with(stem);
      const std::string computed = pass.kind == RowPass::Kind::kReduce ? " terms" : "";
      const std::string whole = stemmed ? passes.back() : suffixed(stem, passes.back());
      add_body(pass.body, suffixed(whole, suffix), passes.back() + computed);
    }
    std::vector<Line> statements;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < kernel.passes.size(); ++i) {
      const bool named = kernel.passes[i].kind != RowPass::Kind::kWrite;
      const std::string prefix = named ? "const auto " + passes[i] + " = " : "";
      statements.push_back(
          statement(prefix, pass_call(kernel.passes[i], passes, operands, outs, kept)));
    }
    lines_.push_back(blank());
    lines_.push_back(comment(joined(outs, ", ") + ", row by row" + rows_comment(kernel)));
    symbols_.rows[id] = symbols_.taken.own(suffixed(stem, "rows"));
    std::vector<std::string> parameters = {"row"};
    parameters.insert(parameters.end(), outs.begin(), outs.end());
    parameters.insert(parameters.end(), operands.begin(), operands.end());
    std::ranges::move(lambda_lines(rows_name(symbols_, id), parameters, std::move(statements)),
                      std::back_inserter(lines_));
  }

  static std::string rows_comment(const Kernel& kernel) {
    std::string text = kernel.axes.size() == 1 ? " along axis" : " along axes";
    for (std::size_t i = 0; i < kernel.axes.size(); ++i)
      text += (i > 0 ? ", " : " ") + std::to_string(kernel.axes[i]);
    return text;
  }

  Call pass_call(const RowPass& pass, const std::vector<std::string>& passes,
                 const std::vector<std::string>& operands, const std::vector<std::string>& outs,
                 std::size_t& kept) const {
    Call call;
    switch (pass.kind) {
      case RowPass::Kind::kReduce:
        call = {"row.reduce", {"wick::" + std::string(pass.reducer) + "{}"}};
        break;
      case RowPass::Kind::kKeep:
        call.callee = "row.template keep<" +
                      std::string(info(fused_.bodies[pass.body].dtype).cpp_name) + ", " +
                      std::to_string(kept++) + ">";
        break;
      case RowPass::Kind::kScalar:
        call.callee = "row.scalar";
        break;
      case RowPass::Kind::kWrite:
        call = {"row.write", {outs[pass.result]}};
        break;
    }
    if (pass.body.valid()) call.arguments.push_back(symbols_.bodies[pass.body]);
    for (const RowOperand& operand : pass.operands) {
      call.arguments.push_back(operand.kind == RowOperand::Kind::kOperand ? operands[operand.index]
                                                                          : passes[operand.index]);
    }
    return call;
  }

  const Plan& plan_;
  const FusedGraph& fused_;
  Symbols& symbols_;
  std::vector<Line> lines_;
  IdVector<BodyId, std::vector<KernelId>> uses_;
  IdVector<KernelId, char> written_;
};

}  // namespace

std::string rows_name(const Symbols& symbols, KernelId kernel) { return symbols.rows[kernel]; }

std::vector<Line> kernel_lines(const Plan& plan, Symbols& symbols) {
  return KernelSection(plan, symbols).run();
}

}  // namespace wick::compiler::cpp

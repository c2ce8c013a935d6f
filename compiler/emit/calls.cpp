#include "compiler/emit/calls.h"

#include "compiler/emit/kernels.h"
#include "compiler/emit/literals.h"
#include "compiler/support/check.h"

namespace wick::compiler::cpp {
namespace {

std::string list_text(std::string_view name, const std::vector<std::int64_t>& numbers) {
  std::string text = "wick::" + std::string(name) + "<";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return text + ">";
}

std::string axes_text(const std::vector<std::int64_t>& axes) { return list_text("Axes", axes); }

std::string template_argument(const ops::TemplateArgument& argument,
                              const ops::Attributes& attributes) {
  using Form = ops::TemplateArgument::Form;
  const auto list = [&](std::string_view name) {
    return list_text(name, attributes.integers(argument.attribute));
  };
  const auto sides = [&](std::string_view name, std::size_t side) {
    std::vector<std::int64_t> numbers;
    for (const auto& pair : attributes.pairs(argument.attribute)) numbers.push_back(pair[side]);
    return list_text(name, numbers);
  };
  switch (argument.form) {
    case Form::kInteger:
      return std::to_string(attributes.integer(argument.attribute));
    case Form::kFlag:
      return attributes.flag(argument.attribute) ? "true" : "false";
    case Form::kAxes:
      return list("Axes");
    case Form::kSizes:
      return list("Sizes");
    case Form::kSteps:
      return list("Steps");
    case Form::kDilations:
      return list("Dilations");
    case Form::kBefore:
      return sides("Before", 0);
    case Form::kAfter:
      return sides("After", 1);
  }
  throw InternalError("emit: a template argument of no form");
}

// "<wick::Steps<1>, 2>", or nothing.
std::string template_arguments(const Kernel& kernel) {
  std::string arguments;
  for (const ops::TemplateArgument& argument : kernel.op->call.template_arguments) {
    arguments += (arguments.empty() ? "<" : ", ") + template_argument(argument, kernel.attributes);
  }
  return arguments.empty() ? arguments : arguments + ">";
}

Call map_call(const Symbols& symbols, const Kernel& kernel, const std::string& result,
              const std::vector<std::string>& reads, bool in_place) {
  Call call{in_place ? "wick::map_in_place" : "wick::map", {result, symbols.bodies[kernel.body]}};
  call.arguments.insert(call.arguments.end(), reads.begin(), reads.end());
  return call;
}

Call reduce_call(const Symbols& symbols, const Kernel& kernel, const std::string& result,
                 const std::vector<std::string>& reads, bool in_place) {
  const auto middle = reads.begin() + kernel.terms;
  Call terms{"wick::terms", {reads.begin(), middle}};
  if (kernel.body.valid())
    terms.arguments.insert(terms.arguments.begin(), symbols.bodies[kernel.body]);
  Call call{(in_place ? "wick::reduce_in_place<" : "wick::reduce<") + axes_text(kernel.axes) + ">",
            {result, "wick::" + std::string(kernel.op->call.reducer) + "{}", terms.on_one_line()}};
  if (kernel.results_body.valid()) {
    Call finish{"wick::results", {middle, reads.end()}};
    finish.arguments.insert(finish.arguments.begin(), symbols.bodies[kernel.results_body]);
    call.arguments.push_back(finish.on_one_line());
  }
  return call;
}

Call product_call(const Symbols& symbols, const Kernel& kernel, const std::string& result,
                  const std::vector<std::string>& reads, bool in_place) {
  std::string callee = std::string(kernel.op->call.function) + (in_place ? "_in_place" : "") +
                       template_arguments(kernel);
  if (!kernel.order.empty())
    callee = std::string(kernel.op->call.transposed) + "<" + axes_text(kernel.order) + ">";
  Call call{"wick::" + callee, {result, reads[0], reads[1]}};
  if (kernel.results_body.valid()) {
    call.arguments.push_back(symbols.bodies[kernel.results_body]);
    call.arguments.insert(call.arguments.end(), reads.begin() + 2, reads.end());
  }
  return call;
}

Call rows_call(const Symbols& symbols, KernelId id, const Kernel& kernel,
               const std::vector<std::string>& results, const std::vector<std::string>& reads,
               const std::string& workspace, bool in_place) {
  Call call{(in_place ? "wick::rows_in_place<" : "wick::rows<") + axes_text(kernel.axes) + ">",
            {rows_name(symbols, id), workspace,
             in_place ? results[0] : Call{"wick::outs", results}.on_one_line()}};
  call.arguments.insert(call.arguments.end(), reads.begin(), reads.end());
  return call;
}

Call runtime_call(const FusedGraph& fused, const Kernel& kernel,
                  const std::vector<std::string>& results, const std::vector<std::string>& reads,
                  const std::string& workspace) {
  const ops::RuntimeCall& recipe = kernel.op->call;
  Call call{"wick::" + std::string(recipe.function) + template_arguments(kernel), results};
  if (!recipe.reducer.empty())
    call.arguments.push_back("wick::" + std::string(recipe.reducer) + "{}");
  call.arguments.insert(call.arguments.end(), reads.begin(), reads.end());
  const TensorId typed = kernel.operands.empty() ? kernel.results[0] : kernel.operands[0];
  for (const std::string_view attribute : recipe.literals) {
    call.arguments.push_back(
        literal(rounded_scalar(kernel.attributes.number(attribute), fused.tensors[typed].dtype)));
  }
  if (recipe.workspace != nullptr) call.arguments.push_back(workspace);
  return call;
}

}  // namespace

Call kernel_call(const FusedGraph& fused, const Symbols& symbols, KernelId id,
                 const std::vector<std::string>& results, const std::vector<std::string>& reads,
                 const std::string& workspace, bool in_place) {
  const Kernel& kernel = fused.kernels[id];
  switch (kernel.kind) {
    case KernelKind::kMap:
      return map_call(symbols, kernel, results[0], reads, in_place);
    case KernelKind::kReduce:
      return reduce_call(symbols, kernel, results[0], reads, in_place);
    case KernelKind::kProduct:
      return product_call(symbols, kernel, results[0], reads, in_place);
    case KernelKind::kRows:
      return rows_call(symbols, id, kernel, results, reads, workspace, in_place);
    case KernelKind::kCall:
      return runtime_call(fused, kernel, results, reads, workspace);
    default:
      throw InternalError("emit: a view is computed");
  }
}

}  // namespace wick::compiler::cpp

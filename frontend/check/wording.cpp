#include "frontend/check/wording.h"

#include <cstring>

#include "compiler/tensor/scalar.h"
#include "frontend/check/sampling.h"

namespace wick::frontend::check {

using compiler::DType;
using compiler::HostTensor;
using compiler::ops::ElementwiseText;
using compiler::ops::OpRecord;

std::string_view name_of_dtype(DType dtype) { return compiler::name_of(dtype); }

std::string list_text(std::span<const std::int64_t> numbers) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

namespace {

std::string number_text(double number, DType dtype) {
  const compiler::Scalar scalar = compiler::rounded_scalar(coefficient(number, dtype), dtype);
  return element_text(scalar.to_tensor(), 0);
}

std::string chain_text(const Term& term) {
  const double scale = coefficient(term.chains[0].scale, term.dtype);
  std::string text = scale == 1 ? "x" : "x * " + number_text(scale, term.dtype);
  if (term.chains[0].shifted) text += " + " + number_text(term.chains[0].shift, term.dtype);
  return "`" + text + "`";
}

// The record of a call, by what Term::text says of it: "gather:", "scan:Sum".
const OpRecord* record_of(const std::string& function) {
  for (const OpRecord* op : compiler::ops::all()) {
    if (std::string(op->call.function) + ":" + std::string(op->call.reducer) == function) return op;
  }
  return nullptr;
}

// The lists of a call's template arguments, one after another, each after its length.
std::vector<std::vector<std::int64_t>> lists(const std::vector<std::int64_t>& numbers,
                                             std::size_t count) {
  std::vector<std::vector<std::int64_t>> result;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count && at < numbers.size(); ++i) {
    const auto length = static_cast<std::size_t>(numbers[at++]);
    std::vector<std::int64_t> list;
    for (std::size_t k = 0; k < length && at < numbers.size(); ++k) list.push_back(numbers[at++]);
    result.push_back(std::move(list));
  }
  return result;
}

std::string value_text(const std::vector<std::int64_t>& list) {
  return list.size() == 1 ? std::to_string(list[0]) : list_text(list);
}

}  // namespace

std::string term_text(const Term& term, const std::string& name) {
  switch (term.kind) {
    case TermKind::kEmpty:
      return "no elements";
    case TermKind::kInput:
      return "`" + name + "`";
    case TermKind::kConstant:
      if (term.data.element_count() == 1) return "the constant " + element_text(term.data, 0);
      return name.empty() ? "a constant" : "the constant `" + name + "`";
    case TermKind::kElementwise: {
      const bool infix = term.op->text.form == ElementwiseText::Form::kInfix ||
                         term.op->text.form == ElementwiseText::Form::kPrefix;
      return "`" + std::string(infix ? term.op->text.token : term.op->name) + "`";
    }
    case TermKind::kAffine:
      return chain_text(term);
    case TermKind::kReduce:
      return "wick::" + term.text;
    case TermKind::kProduct:
      return "the matrix product";
    case TermKind::kCall:
      return "wick::" + term.text.substr(0, term.text.find(':'));
    case TermKind::kMove:
      return "a packed copy";
    case TermKind::kUnknown:
      break;
  }
  return "something that cannot be followed";
}

std::string specialisation_text(const std::string& function,
                                const std::vector<std::int64_t>& program,
                                const std::vector<std::int64_t>& graph) {
  const OpRecord* op = record_of(function);
  if (op != nullptr) {
    const auto& arguments = op->call.template_arguments;
    const auto a = lists(program, arguments.size()), b = lists(graph, arguments.size());
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      if (a[i] == b[i]) continue;
      return std::string(arguments[i].attribute) + " " + value_text(a[i]) + "; the graph says " +
             value_text(b[i]);
    }
  }
  return "a result of another type than the graph says";
}

std::optional<ElementDifference> first_difference(const HostTensor& program,
                                                  const Layout& program_layout,
                                                  const HostTensor& graph,
                                                  const Layout& graph_layout) {
  const Shape& shape = program_layout.shape();
  const std::size_t size = size_of(program.dtype());
  std::vector<std::int64_t> index(shape.rank(), 0);
  std::int64_t a = program_layout.offset(), b = graph_layout.offset();
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    const bool same =
        std::memcmp(program.bytes().data() + static_cast<std::size_t>(a) * size,
                    graph.bytes().data() + static_cast<std::size_t>(b) * size, size) == 0;
    if (!same) return ElementDifference{std::move(index), a, b};
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
      a += program_layout.stride(axis);
      b += graph_layout.stride(axis);
      if (++index[axis] < shape[axis]) break;
      a -= shape[axis] * program_layout.stride(axis);
      b -= shape[axis] * graph_layout.stride(axis);
      index[axis] = 0;
    }
  }
  return std::nullopt;
}

}  // namespace wick::frontend::check

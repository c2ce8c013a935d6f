#include "frontend/check/program_terms.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "compiler/tensor/host_tensor.h"
#include "frontend/check/constants.h"
#include "frontend/check/contents.h"

namespace wick::frontend::check {
namespace {

using compiler::broadcasts_to;
using compiler::HostTensor;
using compiler::ops::FusionClass;
using compiler::ops::OpRecord;

// Functions call functions once: run its parts.
constexpr int kMostDepth = 4;

// "reduce" of "reduce_in_place".
std::string plain_name(const std::string& function) {
  constexpr std::string_view kSuffix = "_in_place";
  return function.ends_with(kSuffix) ? function.substr(0, function.size() - kSuffix.size())
                                     : function;
}

// The shape of NumPy's product.
std::optional<Shape> product_shape(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0) return std::nullopt;
  const auto x = a.extents(), y = b.extents();
  const auto batch = [](std::span<const std::int64_t> extents) {
    return extents.size() < 2 ? Shape() : Shape::of(extents.first(extents.size() - 2));
  };
  const auto stack = compiler::broadcast(batch(x), batch(y));
  if (!stack || x.back() != (y.size() == 1 ? y[0] : y[y.size() - 2])) return std::nullopt;
  std::vector<std::int64_t> extents(stack->extents().begin(), stack->extents().end());
  if (x.size() > 1) extents.push_back(x[x.size() - 2]);
  if (y.size() > 1) extents.push_back(y.back());
  return Shape::make(extents);
}

class ProgramReader {
 public:
  ProgramReader(const Program& program, const Packed& packed, Algebra& algebra)
      : program_(program),
        packed_(packed),
        algebra_(algebra),
        contents_(algebra),
        kernels_(program, algebra, terms_.findings) {}

  ProgramTerms run(const InputNumbers& inputs) {
    const Function& run = program_.functions.back();
    write_leaves(run, inputs);
    std::vector<std::uint32_t> parameters(run.parameters.size());
    for (std::uint32_t i = 0; i < parameters.size(); ++i) parameters[i] = i;
    follow(run, parameters, 0);
    for (std::uint32_t i = 0; i < run.parameters.size(); ++i) {
      const Parameter& parameter = run.parameters[i];
      terms_.outputs.emplace_back();
      if (parameter.kind != Parameter::Kind::kOutput) continue;
      const auto value =
          contents_.read({Location::Root::kParameter, i, 0}, packed_type(parameter.type));
      if (value) {
        terms_.outputs.back() = *value;
      } else if (!parameter.type.shape().has_elements()) {
        terms_.outputs.back() = algebra_.empty(parameter.type.dtype, parameter.type.shape());
      } else {
        fail(parameter.place, "nothing writes all of the output `" + parameter.name + "`");
      }
    }
    return std::move(terms_);
  }

 private:
  // A function as it is being followed.
  struct Scope {
    const Function& function;
    const std::vector<std::uint32_t>& parameters;
    Locations locations;
    int depth = 0;
  };

  static TensorType packed_type(const TensorType& type) {
    return {type.dtype, Layout(type.shape())};
  }

  void fail(const Place& place, std::string message) {
    terms_.findings.push_back({place, std::move(message), {}, {}});
  }

  // ---- Leaves ----

  void write_leaves(const Function& run, const InputNumbers& inputs) {
    const auto write = [&](Location::Root root, std::uint32_t index, std::uint32_t number,
                           const TensorType& type) {
      contents_.write({root, index, 0}, algebra_.input(number, type.dtype, type.shape()));
    };
    for (std::uint32_t i = 0; i < run.parameters.size(); ++i) {
      const Parameter& parameter = run.parameters[i];
      if (parameter.kind == Parameter::Kind::kInput || parameter.kind == Parameter::Kind::kDonated)
        write(Location::Root::kParameter, i, inputs.parameters[i], parameter.type);
    }
    for (std::uint32_t i = 0; i < program_.bound.size(); ++i)
      write(Location::Root::kBound, i, inputs.bound[i], program_.bound[i].type);
    for (std::uint32_t i = 0; i < program_.weights.size(); ++i) write_weight(i);
  }

  void write_weight(std::uint32_t index) {
    const Weight& weight = program_.weights[index];
    const auto bytes = bytes_of(weight);
    TermView value;
    if (bytes) {
      algebra_.origin = {{}, weight.place, "weights." + weight.name};
      const auto& [dtype, layout] = weight.type;
      value = algebra_.constant(weight.panels ? from_panels(dtype, layout.shape(), *bytes)
                                              : HostTensor(dtype, layout.shape(), *bytes, nullptr));
    } else {
      fail(weight.place, weight.is_inline
                             ? "`" + weight.name + "` has fewer values than its type says"
                             : "`" + weight.name + "` lies beyond the end of the weights file");
      value = algebra_.unknown(weight.type.dtype, weight.type.shape());
    }
    contents_.write({Location::Root::kWeight, index, 0}, value);
  }

  std::optional<std::span<const std::byte>> bytes_of(const Weight& weight) const {
    const auto size = static_cast<std::size_t>(byte_size(weight.type.dtype, weight.type.shape()));
    std::span<const std::byte> bytes = weight.values;
    if (!weight.is_inline) {
      return packed_.at(weight.offset, static_cast<std::int64_t>(size));
    }
    if (bytes.size() < size) return std::nullopt;
    return bytes.first(size);
  }

  // ---- Statements ----

  void follow(const Function& function, const std::vector<std::uint32_t>& parameters, int depth) {
    Scope scope{function, parameters, Locations(function, parameters, heap_slots_), depth};
    for (const Statement& statement : function.statements) {
      switch (statement.kind) {
        case Statement::Kind::kKernel:
          kernel(scope, statement);
          break;
        case Statement::Kind::kCall:
        case Statement::Kind::kOnce:
          follow_call(scope, statement);
          break;
        default:
          break;  // names, and what safety is about
      }
    }
  }

  void follow_call(const Scope& scope, const Statement& statement) {
    if (statement.index >= program_.functions.size() || scope.depth >= kMostDepth) {
      return fail(statement.place, "calls a function that cannot be followed");
    }
    const Function& callee = program_.functions[statement.index];
    std::vector<std::uint32_t> parameters;
    for (const Parameter& parameter : callee.parameters) {
      const auto& known = scope.function.parameters;
      const auto at = std::ranges::find(known, parameter.name, &Parameter::name);
      const bool tensor = parameter.kind == Parameter::Kind::kInput ||
                          parameter.kind == Parameter::Kind::kDonated ||
                          parameter.kind == Parameter::Kind::kOutput;
      if (tensor && statement.kind == Statement::Kind::kOnce)
        fail(parameter.place, "`" + callee.name + "` keeps its results for all calls, but reads `" +
                                  parameter.name + "`, which differs from call to call");
      if (tensor && at == known.end())
        fail(parameter.place, "the caller has no parameter `" + parameter.name + "`");
      parameters.push_back(at == known.end()
                               ? ~std::uint32_t{0}
                               : scope.parameters[static_cast<std::size_t>(at - known.begin())]);
    }
    follow(callee, parameters, scope.depth + 1);
    // It runs at the first call only: what else it left in memory is not there at the next.
    if (statement.kind == Statement::Kind::kOnce) contents_.forget_scratch();
  }

  const Name* name_of(const Scope& scope, const Argument& argument) const {
    const bool known =
        argument.kind == Argument::Kind::kMemory && argument.index < scope.function.names.size();
    return known ? &scope.function.names[argument.index] : nullptr;
  }

  TermView read(const Scope& scope, const Argument& argument) {
    const Name* name = name_of(scope, argument);
    if (name == nullptr) {
      fail(argument.place, "a tensor is expected here");
      return algebra_.unknown(DType::kF32, Shape());
    }
    const TensorType& type = name->type;
    if (!type.shape().has_elements()) return algebra_.empty(type.dtype, type.shape());
    const auto& location = scope.locations.of(argument.index);
    const auto value = location ? contents_.read(*location, type) : std::nullopt;
    if (value) return *value;
    fail(argument.place, "`" + name->text + "` reads elements that no one statement has written");
    return algebra_.unknown(type.dtype, type.shape());
  }

  std::vector<TermView> read_all(const Scope& scope, std::span<const Argument> arguments) {
    std::vector<TermView> readings;
    for (const Argument& argument : arguments) readings.push_back(read(scope, argument));
    return readings;
  }

  void write(const Scope& scope, const Argument& argument, const TermView& value) {
    const Name* name = name_of(scope, argument);
    if (name == nullptr) return fail(argument.place, "a result is expected here");
    const bool fits = algebra_.dtype(value) == name->type.dtype &&
                      value.shape() == name->type.shape() && name->type.layout.is_packed();
    if (!fits) return fail(argument.place, "the result has another type than `" + name->text + "`");
    if (!value.shape().has_elements()) return;
    const auto& location = scope.locations.of(argument.index);
    if (!location) return fail(argument.place, "`" + name->text + "` is nothing to write to");
    contents_.write(*location, value);
  }

  void kernel(const Scope& scope, const Statement& statement) {
    const std::vector<Argument>& arguments = statement.arguments;
    if (arguments.size() < 2 && statement.function.empty()) return;
    const std::string function = plain_name(statement.function);
    if (function == "rows") return rows(scope, statement);
    const Name* result = arguments.empty() ? nullptr : name_of(scope, arguments[0]);
    if (result == nullptr) return fail(statement.place, "the statement has no result");
    algebra_.origin = {{}, statement.place, result->text};
    const OpRecord* op = kernels_.ops().call(function, {});
    if (function == "map") {
      write(scope, arguments[0], mapped(scope, statement, 1, {}, result->type.shape()));
    } else if (function == "copy") {
      if (arguments.size() == 2) write(scope, arguments[0], read(scope, arguments[1]));
    } else if (function == "reduce") {
      write(scope, arguments[0], reduced(scope, statement, result->type.shape()));
    } else if (op != nullptr && function == op->call.transposed) {
      write_transposed(scope, statement, *op, *result);
    } else if (op != nullptr && op->fusion == FusionClass::kProduct) {
      write(scope, arguments[0], multiplied(scope, statement, *op, result->type.shape()));
    } else {
      call(scope, statement);
    }
  }

  // The kernel that stands at argument `at`, of `given` and the operands after it.
  TermView mapped(const Scope& scope, const Statement& statement, std::size_t at,
                  std::vector<TermView> given, const Shape& shape) {
    return applied(scope, statement.place, std::span(statement.arguments).subspan(at),
                   std::move(given), shape);
  }

  TermView applied(const Scope& scope, const Place& place, std::span<const Argument> arguments,
                   std::vector<TermView> given, const Shape& shape) {
    const bool known = !arguments.empty() && arguments[0].kind == Argument::Kind::kKernel &&
                       kernels_.has(arguments[0].index);
    if (!known) {
      fail(place, "a kernel is expected");
      return algebra_.unknown(DType::kF32, shape);
    }
    for (TermView& operand : read_all(scope, arguments.subspan(1)))
      given.push_back(std::move(operand));
    for (const TermView& operand : given) {
      if (broadcasts_to(operand.shape(), shape)) continue;
      fail(place, "an operand of `" + program_.kernels[arguments[0].index].name +
                      "` does not broadcast to the result");
      return algebra_.unknown(DType::kF32, shape);
    }
    TermView result = kernels_.apply(arguments[0].index, given, shape);
    result.layout = canonical(compiler::broadcast_layout(result.layout, shape));
    return result;
  }

  TermView reduced(const Scope& scope, const Statement& statement, const Shape& shape) {
    const std::vector<Argument>& arguments = statement.arguments;
    const bool well_formed =
        arguments.size() >= 3 && arguments[1].kind == Argument::Kind::kReducer &&
        arguments[2].kind == Argument::Kind::kTerms && !arguments[2].nested.empty() &&
        statement.template_arguments.size() == 1;
    const auto terms = well_formed ? terms_of(scope, statement.place, arguments[2].nested)
                                   : std::optional<TermView>();
    const auto& axes =
        well_formed ? statement.template_arguments[0].values : std::vector<std::int64_t>();
    if (!terms || !is_reduction(terms->shape(), axes, shape)) {
      fail(statement.place, "the reduction does not give a result of this shape");
      return algebra_.unknown(DType::kF32, shape);
    }
    algebra_.origin.place = statement.place;
    TermView total = algebra_.reduced(arguments[1].text, *terms, axes, shape);
    if (arguments.size() == 3) return total;
    return applied(scope, statement.place, arguments[3].nested, {std::move(total)}, shape);
  }

  // What is reduced: in the shape that the operands have together.
  std::optional<TermView> terms_of(const Scope& scope, const Place& place,
                                   std::span<const Argument> nested) {
    const bool has_kernel = nested[0].kind == Argument::Kind::kKernel;
    std::optional<Shape> shape = Shape();
    for (const Argument& argument : nested.subspan(has_kernel ? 1 : 0)) {
      const Name* name = name_of(scope, argument);
      if (name == nullptr || !shape) return std::nullopt;
      shape = compiler::broadcast(*shape, name->type.shape());
    }
    if (!shape) return std::nullopt;
    if (has_kernel) return applied(scope, place, nested, {}, *shape);
    return nested.size() == 1 ? std::optional(read(scope, nested[0])) : std::nullopt;
  }

  static bool is_reduction(const Shape& from, const std::vector<std::int64_t>& axes,
                           const Shape& to) {
    std::vector<std::int64_t> kept(from.extents().begin(), from.extents().end());
    for (const std::int64_t axis : axes) {
      if (axis < 0 || static_cast<std::size_t>(axis) >= kept.size()) return false;
      kept[static_cast<std::size_t>(axis)] = 1;
    }
    if (std::ranges::equal(kept, to.extents())) return true;
    std::vector<std::int64_t> left;
    for (std::size_t axis = 0; axis < kept.size(); ++axis) {
      if (std::ranges::find(axes, static_cast<std::int64_t>(axis)) == axes.end())
        left.push_back(kept[axis]);
    }
    return std::ranges::equal(left, to.extents());
  }

  TermView multiplied(const Scope& scope, const Statement& statement, const OpRecord& op,
                      const Shape& shape) {
    const std::vector<Argument>& arguments = statement.arguments;
    if (arguments.size() < 3) {
      fail(statement.place, "a product has two operands");
      return algebra_.unknown(DType::kF32, shape);
    }
    const TermView a = read(scope, arguments[1]), b = read(scope, arguments[2]);
    algebra_.origin.place = statement.place;
    TermView product;
    if (!op.call.template_arguments.empty()) {
      product = algebra_.call(text_of(statement), {a, b},
                              std::vector<TensorType>{{algebra_.dtype(a), Layout(shape)}})[0];
    } else if (product_shape(a.shape(), b.shape()) == shape) {
      product = algebra_.product(a, b, shape);
    } else {
      fail(statement.place, "the operands do not have a product of this shape");
      return algebra_.unknown(algebra_.dtype(a), shape);
    }
    if (arguments.size() == 3) return product;
    return mapped(scope, statement, 3, {std::move(product)}, shape);
  }

  // A product in whose result axis i is axis order[i] of the product.
  void write_transposed(const Scope& scope, const Statement& statement, const OpRecord& op,
                        const Name& result) {
    const Shape& shape = result.type.shape();
    const bool one_list = statement.template_arguments.size() == 1;
    const auto order =
        one_list ? statement.template_arguments[0].values : std::vector<std::int64_t>();
    std::vector<std::int64_t> extents(shape.rank(), -1);
    for (std::size_t i = 0; i < order.size() && i < shape.rank(); ++i) {
      const bool exists = order[i] >= 0 && order[i] < static_cast<std::int64_t>(shape.rank());
      if (exists) extents[static_cast<std::size_t>(order[i])] = shape[i];
    }
    const auto product = Shape::make(extents);
    if (order.size() != shape.rank() || !product)
      return fail(statement.place, "the order of axes does not name each axis of the product once");
    TermView value = multiplied(scope, statement, op, *product);
    value.layout = canonical(compiler::permuted(value.layout, order));
    write(scope, statement.arguments[0], value);
  }

  void rows(const Scope& scope, const Statement& statement) {
    const std::vector<Argument>& arguments = statement.arguments;
    const bool well_formed = arguments.size() >= 3 &&
                             arguments[0].kind == Argument::Kind::kRowProgram &&
                             arguments[0].index < program_.row_programs.size() &&
                             statement.template_arguments.size() == 1;
    if (!well_formed) return fail(statement.place, "the row program is not called as it should be");
    const bool many = arguments[2].kind == Argument::Kind::kOutputs;
    const std::span<const Argument> outputs =
        many ? arguments[2].nested : std::span(&arguments[2], 1);
    RowCall call;
    call.rows = &program_.row_programs[arguments[0].index];
    call.axes = statement.template_arguments[0].values;
    for (const Argument& output : outputs) {
      const Name* name = name_of(scope, output);
      if (name == nullptr) return fail(output.place, "a result is expected here");
      call.results.push_back(name->type);
    }
    call.operands = read_all(scope, std::span(arguments).subspan(3));
    const std::vector<TermView> results = row_terms(call, kernels_, algebra_, terms_.findings);
    for (std::size_t i = 0; i < results.size(); ++i) write(scope, outputs[i], results[i]);
  }

  // Which function, and what its template arguments say.
  static CallText text_of(const Statement& statement) {
    CallText text{plain_name(statement.function), {}, {}, {}, false};
    for (const TemplateArgument& argument : statement.template_arguments) {
      text.template_numbers.push_back(static_cast<std::int64_t>(argument.values.size()));
      std::ranges::copy(argument.values, std::back_inserter(text.template_numbers));
    }
    return text;
  }

  // A runtime function of its own: results, then what it reads.
  void call(const Scope& scope, const Statement& statement) {
    CallText text = text_of(statement);
    std::vector<const Argument*> results;
    std::vector<TensorType> types;
    std::vector<TermView> operands;
    for (const Argument& argument : statement.arguments) {
      const Name* name = name_of(scope, argument);
      if (name != nullptr && argument.access != Access::kRead) {
        results.push_back(&argument);
        types.push_back(packed_type(name->type));
      } else if (argument.kind == Argument::Kind::kMemory) {
        operands.push_back(read(scope, argument));
      } else if (argument.kind == Argument::Kind::kReducer) {
        text.reducer = argument.text;
      } else if (argument.kind == Argument::Kind::kLiteral) {
        text.literals.push_back(argument.literal);
      }
    }
    const OpRecord* op = kernels_.ops().call(text.function, text.reducer);
    text.is_idempotent = op != nullptr && op->traits.idempotent;
    algebra_.origin.place = statement.place;
    const std::vector<TermView> values = algebra_.call(text, operands, types);
    for (std::size_t i = 0; i < values.size(); ++i) write(scope, *results[i], values[i]);
  }

  const Program& program_;
  const Packed& packed_;
  Algebra& algebra_;
  ProgramTerms terms_;
  Contents contents_;
  Kernels kernels_;
  std::uint32_t heap_slots_ = 0;
};

}  // namespace

ProgramTerms program_terms(const Program& program, const Packed& packed, const InputNumbers& inputs,
                           Algebra& algebra) {
  algebra.side = Algebra::Side::kProgram;
  algebra.origin = {};
  return ProgramReader(program, packed, algebra).run(inputs);
}

}  // namespace wick::frontend::check

#include "tests/property/random_graph.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph/builder.h"
#include "compiler/support/check.h"

namespace wick::compiler::testing {

namespace {

using ops::Attributes;
using ops::Integers;
using ops::Ranges;

class Generator {
 public:
  Generator(std::uint32_t seed, const RandomGraphOptions& options)
      : options_(options), random_(seed), builder_("random", "") {}

  Graph make() {
    const int inputs = 1 + below(3);
    for (int i = 0; i < inputs; ++i) add_input(false);
    if (options_.cached && one_in(2)) add_input(true);
    if (one_in(2)) add_constant();
    for (int made = 0, tries = 0; made < options_.nodes && tries < 40 * options_.nodes; ++tries) {
      made += add_node() ? 1 : 0;
    }
    const int outputs = 1 + below(4);
    for (int i = 0; i < outputs; ++i) {
      // Late values more often: they have the most behind them.
      const std::size_t from = one_in(4) ? 0 : values_.size() / 2;
      const std::size_t count = values_.size() - from;
      builder_.output(values_[from + random_() % count], static_cast<std::uint32_t>(i));
    }
    return builder_.finish();
  }

 private:
  // ---- Chance -----------------------------------------------------------------------------------

  int below(int end) { return static_cast<int>(random_() % static_cast<std::uint32_t>(end)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& one_of(const std::array<T, N>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(N)))];
  }

  // ---- Leaves -----------------------------------------------------------------------------------

  // Few extents, so that many pairs of operands fit.
  Shape some_shape() {
    std::vector<std::int64_t> extents(static_cast<std::size_t>(below(4)));
    constexpr std::array<std::int64_t, 8> kExtents = {1, 2, 2, 3, 3, 3, 4, 1};
    for (std::int64_t& extent : extents) extent = one_in(40) ? 0 : one_of(kExtents);
    return Shape::of(extents);
  }

  DType some_dtype() {
    constexpr std::array kChoices = {DType::kF32, DType::kF32,  DType::kF32, DType::kF64,
                                     DType::kI32, DType::kBool, DType::kU8};
    return one_of(kChoices);
  }

  std::string next_name(const char* stem) { return stem + std::to_string(count_++); }

  void add_input(bool parameter) {
    Input input;
    input.parameter = parameter;
    input.donate = !parameter && one_in(3);
    input.position = static_cast<std::uint32_t>(count_);
    Value value;
    value.name = next_name(parameter ? "p" : "x");
    value.type = {some_dtype(), Layout(some_shape())};
    value.kind = ValueKind::kInput;
    note(builder_.input(input, value), parameter);
  }

  void add_constant() { constant_of(DType::kF32, some_shape()); }

  // Of small whole numbers.
  ValueId constant_of(DType dtype, const Shape& shape) {
    HostTensor data(dtype, shape);
    dispatch(dtype, [&](auto zero) {
      using E = decltype(zero);
      for (std::int64_t i = 0; i < shape.element_count(); ++i) {
        data.set<E>(i, static_cast<E>(below(7) - 3));
      }
    });
    note(builder_.constant(next_name("k"), std::move(data), "", 0), true);
    return values_.back();
  }

  void note(ValueId value, bool lasting) {
    values_.push_back(value);
    if (lasting) lasting_.insert(value);
  }

  // ---- Nodes ------------------------------------------------------------------------------------

  ValueId some_value() {
    const std::size_t count = values_.size();
    // Mostly recent ones, so that graphs are deep; sometimes any.
    const std::size_t window = one_in(3) ? count : std::min<std::size_t>(count, 5);
    return values_[count - 1 - random_() % window];
  }

  const ops::TensorType& type(ValueId value) const { return builder_.value(value).type; }
  DType dtype(ValueId value) const { return type(value).dtype; }

  // A value of the same dtype, or a number.
  ValueId partner(ValueId value) {
    for (int tries = 0; tries < 8; ++tries) {
      const ValueId other = some_value();
      if (dtype(other) == dtype(value)) return other;
    }
    HostTensor number(dtype(value), Shape());
    dispatch(dtype(value), [&](auto zero) {
      using E = decltype(zero);
      number.set<E>(0, static_cast<E>(1 + below(2)));
    });
    return builder_.literal(number, 0);
  }

  bool add_node() {
    switch (below(10)) {
      case 0:
        return add_unary();
      case 1:
      case 2:
      case 3:
        return add_binary();
      case 4:
      case 5:
        return add_layout();
      case 6:
        return add_reduction();
      case 7:
        return add_product_or_join();
      case 8:
        return add_window();
      default:
        return add_choice();
    }
  }

  // False if the call is illegal: then nothing was added.
  bool call(const char* op, std::vector<ValueId> operands, Attributes attributes = {}) {
    const bool lasting = std::ranges::all_of(operands, [&](ValueId operand) {
      return lasting_.contains(operand) || builder_.so_far().is_constant(operand);
    });
    const std::string name = "n" + std::to_string(count_);
    NodeId node;
    try {
      node = builder_.call(*ops::find(op), std::move(operands), std::move(attributes), name,
                           static_cast<std::uint32_t>(count_));
    } catch (const InternalError&) {
      return false;
    }
    ++count_;
    const std::vector<ValueId> results = builder_.so_far().nodes[node].results;
    const bool cache = options_.cached && lasting && one_in(2);
    for (const ValueId result : results) {
      if (cache) builder_.entitle(result, builder_.value(result).name, "", true);
      note(result, lasting);
    }
    return true;
  }

  bool add_unary() {
    const ValueId x = some_value();
    constexpr std::array kOfFloats = {"neg", "abs", "relu", "tanh", "sign", "floor", "exp"};
    constexpr std::array kOfIntegers = {"neg", "abs", "sign"};
    if (dtype(x) == DType::kBool) return call("logical_not", {x});
    if (is_float(dtype(x))) return call(one_of(kOfFloats), {x});
    return call(one_of(kOfIntegers), {x});
  }

  bool add_binary() {
    const ValueId x = some_value();
    ValueId y = one_in(5) ? x : partner(x);
    if (!broadcast(type(x).shape(), type(y).shape())) return false;
    constexpr std::array kNumbers = {"add", "sub", "mul", "minimum", "maximum", "sub"};
    constexpr std::array kLogic = {"logical_and", "logical_or", "logical_xor"};
    const std::array both = {x, y};
    const bool swapped = one_in(2);
    const std::vector<ValueId> operands = {both[swapped], both[!swapped]};
    return call(dtype(x) == DType::kBool ? one_of(kLogic) : one_of(kNumbers), operands);
  }

  bool add_layout() {
    const ValueId x = some_value();
    const std::size_t rank = type(x).shape().rank();
    switch (below(9)) {
      case 0:
        return call("identity", {x});
      case 1:
        return call("as_contiguous", {x});
      case 2:
        return call("transpose", {x});
      case 3:
        return rank > 0 && call("flip", {x}, {{"axes", Integers{below(static_cast<int>(rank))}}});
      case 4:
        return call("slice", {x}, {{"ranges", some_ranges(type(x).shape())}});
      case 5:
        return add_broadcast(x);
      case 6:
        return call(one_in(2) ? "reshape" : "view", {x}, {{"shape", other_shape(type(x).shape())}});
      case 7:
        return call("unsqueeze", {x}, {{"axes", Integers{below(static_cast<int>(rank) + 1)}}});
      default:
        return call("flatten", {x});
    }
  }

  Ranges some_ranges(const Shape& shape) {
    Ranges ranges;
    for (const std::int64_t extent : shape.extents()) {
      const auto end = static_cast<int>(extent) + 1;
      const std::int64_t start = below(end), stop = below(end);
      switch (below(4)) {
        case 0:
          ranges.push_back({});
          break;
        case 1:
          ranges.push_back({{}, {}, -1});
          break;
        case 2:
          ranges.push_back({std::min(start, extent - 1), {}, 1 + below(2)});
          break;
        default:
          ranges.push_back({std::min(start, stop), std::max(start, stop), 1});
      }
    }
    return ranges;
  }

  bool add_broadcast(ValueId x) {
    std::vector<std::int64_t> extents;
    if (one_in(2)) extents.push_back(1 + below(3));
    if (type(x).shape().rank() + extents.size() > 5) return false;
    for (const std::int64_t extent : type(x).shape().extents()) {
      extents.push_back(extent == 1 ? 1 + below(3) : extent);
    }
    return call("broadcast_to", {x}, {{"shape", extents}});
  }

  // Another shape of as many elements.
  Integers other_shape(const Shape& shape) {
    std::int64_t left = shape.element_count();
    if (left == 0) return {0};
    Integers extents;
    for (std::int64_t factor = 2; factor <= 3; ++factor) {
      if (left % factor != 0 || one_in(3)) continue;
      extents.push_back(factor);
      left /= factor;
    }
    extents.push_back(left);
    return extents;
  }

  bool add_reduction() {
    const ValueId x = some_value();
    const std::size_t rank = type(x).shape().rank();
    Attributes attributes = {{"keepdims", one_in(2)}};
    if (rank > 0 && !one_in(4)) attributes.set("axes", Integers{below(static_cast<int>(rank))});
    constexpr std::array kNumbers = {"sum", "max", "min", "sum", "prod"};
    if (dtype(x) == DType::kBool) return call(one_in(2) ? "all" : "any", {x}, attributes);
    if (is_float(dtype(x)) && rank > 0 && one_in(4)) {
      return call("softmax", {x}, {{"axis", std::int64_t{below(static_cast<int>(rank))}}}) ||
             call("mean", {x}, attributes);
    }
    return call(one_of(kNumbers), {x}, attributes);
  }

  bool add_product_or_join() {
    const ValueId x = some_value();
    const std::size_t rank = type(x).shape().rank();
    if (rank == 0) return false;
    const std::int64_t axis = below(static_cast<int>(rank));
    const std::int64_t extent = type(x).shape()[static_cast<std::size_t>(axis)];
    switch (below(7)) {
      case 0:
      case 1:
        return dtype(x) != DType::kBool && call("matmul", {x, partner(x)});
      case 2:
        return call("concat", {x, partner(x)}, {{"axis", axis}});
      case 3:
        return call("concat", {x, x}, {{"axis", axis}});
      case 4:
        return dtype(x) != DType::kBool && call("cumsum", {x}, {{"axis", axis}});
      case 5:
        return dtype(x) != DType::kBool && extent > 1 &&
               call("topk", {x}, {{"k", std::int64_t{1 + below(2)}}, {"axis", axis}});
      default:
        return extent > 1 &&
               call("split", {x}, {{"axis", axis}, {"sizes", Integers{1, extent - 1}}});
    }
  }

  // Of a value of three or four axes, or of one that becomes the only channel of an image.
  bool add_window() {
    const ValueId x = some_value();
    const std::size_t rank = type(x).shape().rank();
    if (dtype(x) == DType::kBool || rank == 0) return false;
    if (rank < 3) {
      const Integers axes = rank == 1 ? Integers{0, 1} : Integers{0};
      return call("unsqueeze", {x}, {{"axes", axes}}) && slide(values_.back());
    }
    return slide(x);
  }

  bool slide(ValueId x) {
    Attributes attributes = {{"strides", Integers{1 + below(2)}},
                             {"pads", ops::Pairs{{below(2), below(2)}}}};
    if (one_in(2)) return call("conv", {x, some_weights(x)}, std::move(attributes));
    attributes.set("kernel", Integers{1 + below(2)});
    const char* const op = is_float(dtype(x)) && one_in(2) ? "avg_pool" : "max_pool";
    return call(op, {x}, std::move(attributes));
  }

  // A value that fits if there is one, else a constant: for as many channels as x has.
  ValueId some_weights(ValueId x) {
    const Shape& shape = type(x).shape();
    for (int tries = 0; tries < 8; ++tries) {
      const ValueId other = some_value();
      const Shape& extents = type(other).shape();
      if (dtype(other) == dtype(x) && extents.rank() == shape.rank() && extents[1] == shape[1]) {
        return other;
      }
    }
    std::vector<std::int64_t> extents = {1 + below(3), shape[1]};
    while (extents.size() < shape.rank()) extents.push_back(1 + below(2));
    return constant_of(dtype(x), Shape::of(extents));
  }

  bool add_choice() {
    const ValueId x = some_value();
    const ValueId y = partner(x);
    switch (below(3)) {
      case 0:
        return call(one_in(2) ? "lt" : "eq", {x, y});
      case 1: {
        const ValueId condition = some_value();
        return dtype(condition) == DType::kBool && call("where", {condition, x, y});
      }
      default:
        return call("cast", {x}, {{"dtype", some_dtype()}});
    }
  }

  RandomGraphOptions options_;
  std::mt19937 random_;
  GraphBuilder builder_;
  std::vector<ValueId> values_;
  std::set<ValueId> lasting_;  // depend on constants and parameters only
  int count_ = 0;
};

}  // namespace

Graph random_graph(std::uint32_t seed, const RandomGraphOptions& options) {
  return Generator(seed, options).make();
}

}  // namespace wick::compiler::testing

// What compositions over rows have in common: softmax and its relatives, and the norms. Each is
// built from reductions and elementwise operations, all with keepdims, so that fusion sees one row
// program.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {

// ---- Building -----------------------------------------------------------------------------------

using Value = Composer::Value;

// Steps of a composition over the reduced axes of operand 0.
class RowComposer {
 public:
  RowComposer(Composer& composer, Integers axes)
      : composer_(composer),
        axes_(std::move(axes)),
        dtype_(composer.type(composer.operand(0)).dtype) {}

  Value reduced(std::string_view op, Value x, std::string_view name) {
    return composer_.call(op, {x}, {{"axes", axes_}, {"keepdims", true}}, name);
  }
  Value of(std::string_view op, std::vector<Value> operands, std::string_view name) {
    return composer_.call(op, std::move(operands), {}, name);
  }
  Value number(double value) { return composer_.literal(value, dtype_); }

  // scale * x + bias, with those of the operands from `first` on that are there.
  Value scaled_and_shifted(Value x, std::size_t first) {
    if (composer_.operand_count() > first) x = of("mul", {x, composer_.operand(first)}, "scaled");
    if (composer_.operand_count() > first + 1) {
      x = of("add", {x, composer_.operand(first + 1)}, "shifted");
    }
    return x;
  }

 private:
  Composer& composer_;
  Integers axes_;
  DType dtype_;
};

// For each row (the elements along `axes`), calls f(the row's elements, wide; their offsets).
template <class E, class F>
void for_each_row(const HostTensor& x, const Integers& axes, F f) {
  std::vector<Wide<E>> row;
  std::vector<std::int64_t> offsets;
  const Layout along = along_axes(x.shape(), axes);
  for_each_offset(across_axes(x.shape(), axes), [&](std::int64_t base) {
    row.clear();
    offsets.clear();
    for_each_offset(along, [&](std::int64_t offset) {
      offsets.push_back(base + offset);
      row.push_back(static_cast<Wide<E>>(x.at<E>(base + offset)));
    });
    f(row, offsets);
  });
}

inline OpRecord row_composite(std::string_view family, std::string_view name,
                              std::string_view summary, std::string_view prose,
                              std::string_view example) {
  return {
      .name = name,
      .family = family,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kFloats),
      .fusion = FusionClass::kComposite,
      .traits = {.cost = Cost::kExpensive},
      .error = {ErrorModel::kComposed},
      .infer = nullptr,
  };
}

}  // namespace wick::compiler::ops

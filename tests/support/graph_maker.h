// What makes a random graph (random_graph.h), call by call.
//
// Calls are drawn and then put to the record's own inference, which refuses most of the illegal
// ones; a call that is refused is drawn again. Now and then several calls are made that the
// compiler knows as one (random_patterns.cpp): single ones seldom come to stand like that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/description.h"
#include "compiler/graph/infer.h"
#include "tests/support/random.h"
#include "tests/support/random_graph.h"

namespace wick::compiler::testing {

// A value that exists so far.
struct Known {
  std::string name;
  ops::TensorType type;
  bool varies = false;  // depends on an input that is no parameter
  bool is_read = false;
  bool is_result = false;
  bool is_shown = false;  // an output, whoever reads it
};

struct DrawnOperand {
  OperandDescription description;
  ops::TensorType type;
  std::optional<std::size_t> known;  // which value; absent: a number
};

// Draws one graph.
class GraphMaker {
 public:
  GraphMaker(std::uint64_t seed, const RandomGraphOptions& options)
      : random_(seed), options_(options) {
    for (const ops::OpRecord* op : ops::all()) {
      if (!options.allowed || options.allowed(*op)) by_class_[op->fusion].push_back(op);
    }
    description_.name = "random" + std::to_string(seed);
  }

  GraphDescription make();

 private:
  const ops::OpRecord& draw_operation();
  bool try_call(const ops::OpRecord& op);
  bool repeat();
  bool draw_pattern();
  bool strided_factor();
  bool joint_products();
  bool transposed_product();
  std::optional<std::size_t> reordered(std::size_t product);
  bool norm();
  bool window();
  std::optional<std::size_t> call(std::string_view op, const std::vector<DrawnOperand>& operands,
                                  ops::Attributes attributes = {}, const Stated& stated = {});
  DrawnOperand known_operand(std::size_t at) const;
  std::size_t draw_matrix();
  DrawnOperand draw_operand(const ops::OpRecord& op, std::size_t index,
                            const std::vector<DrawnOperand>& before);
  std::vector<std::int64_t> draw_extents(const ops::OpRecord& op, const ops::OperandSpec& spec,
                                         const std::vector<DrawnOperand>& before);
  std::optional<std::size_t> draw_known(const ops::OpRecord& op, ops::DTypeSet dtypes,
                                        const std::vector<DrawnOperand>& before);
  std::size_t constant(DType dtype, const std::vector<std::int64_t>& extents);
  std::size_t fresh(DType dtype, std::vector<std::int64_t> extents);
  DrawnOperand number(DType dtype);
  void add(const ops::OpRecord& op, const std::vector<DrawnOperand>& operands,
           ops::Attributes attributes, const Stated& stated, const ops::Inference& inference);
  void draw_outputs();
  DType draw_dtype(ops::DTypeSet allowed);

  Random random_;
  const RandomGraphOptions& options_;
  std::map<ops::FusionClass, std::vector<const ops::OpRecord*>> by_class_;
  GraphDescription description_;
  std::vector<Known> known_;
};

}  // namespace wick::compiler::testing

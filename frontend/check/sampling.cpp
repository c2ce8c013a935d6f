#include "frontend/check/sampling.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "compiler/graph/infer.h"
#include "compiler/tensor/scalar.h"

namespace wick::frontend::check {

using compiler::dispatch;
using compiler::HostTensor;
using compiler::Scalar;

namespace {

constexpr std::size_t kPoints = 10000;
constexpr std::size_t kMostTerms = 200;  // of both sides together
constexpr std::size_t kMostLeaves = 16;
constexpr std::size_t kMostShown = 3;  // leaves of a counterexample

// The generator of splitmix64: the same points on every machine.
class Points {
 public:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0;
};

template <class E>
void add_around(E value, std::vector<double>& chosen) {
  chosen.push_back(static_cast<double>(value));
  if constexpr (std::is_floating_point_v<E>) {
    constexpr E kInfinity = std::numeric_limits<E>::infinity();
    chosen.push_back(static_cast<double>(std::nextafter(value, kInfinity)));
    chosen.push_back(static_cast<double>(std::nextafter(value, -kInfinity)));
  } else {
    chosen.push_back(static_cast<double>(value) + 1);
    chosen.push_back(static_cast<double>(value) - 1);
  }
}

// Where the range of a type ends: results overflow and underflow there that do not elsewhere.
template <class E>
E extreme(std::uint64_t bits) {
  using Limits = std::numeric_limits<E>;
  const bool is_negative = (bits & 1) != 0;
  if constexpr (std::is_integral_v<E>) {
    const E end = is_negative ? Limits::min() : Limits::max();
    return (bits & 2) != 0 ? end : static_cast<E>(end / 2);
  } else {
    const std::array<E, 4> magnitudes = {Limits::max(), Limits::max() / E{1.5}, Limits::min(),
                                         Limits::denorm_min()};
    const E magnitude = magnitudes[(bits >> 1) % magnitudes.size()];
    return is_negative ? -magnitude : magnitude;
  }
}

// One element: a quarter each of chosen values, moderate numbers, ends of the range and any bits.
template <class E>
E point(Points& points, const std::vector<double>& chosen) {
  const std::uint64_t bits = points.next();
  if constexpr (std::is_same_v<E, bool>) {
    return (bits & 1) != 0;
  } else {
    const std::uint64_t choice = bits % 4;
    if (choice == 0) {
      const double number = chosen[(bits >> 8) % chosen.size()];
      return compiler::rounded_scalar(number, compiler::dtype_of<E>()).template as<E>();
    }
    const std::uint64_t random = points.next();
    if (choice == 1) {
      const double unit = static_cast<double>(random >> 11) * 0x1p-53;
      return static_cast<E>(std::ldexp(2 * unit - 1, static_cast<int>((bits >> 8) % 7)));
    }
    if (choice == 2) return extreme<E>(random);
    E any;
    std::memcpy(&any, &random, sizeof(E));
    return any;
  }
}

// The elementwise terms that two readings are made of, down to what is no elementwise term.
class Cone {
 public:
  explicit Cone(const Algebra& algebra) : algebra_(algebra) {}

  // Its index in `parts`, operands before users; nothing if the cone is too large.
  std::optional<std::size_t> add(const TermView& reading) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].reading == reading) return i;
    }
    const Term& term = algebra_.term(reading);
    if (parts_.size() >= kMostTerms || !is_legal(term)) return std::nullopt;
    Part part{reading, {}};
    const bool computed = term.kind == TermKind::kElementwise || term.kind == TermKind::kAffine;
    for (const TermView& operand : computed ? term.operands : std::vector<TermView>()) {
      const auto layout = composed(reading.layout, operand.layout);
      if (!layout) return std::nullopt;
      const auto index = add({operand.base, *layout});
      if (!index) return std::nullopt;
      part.operands.push_back(*index);
    }
    if (!computed && !algebra_.scalar(reading)) ++leaves_;
    if (leaves_ > kMostLeaves) return std::nullopt;
    parts_.push_back(std::move(part));
    return parts_.size() - 1;
  }

  // The value of each part at the points.
  std::vector<HostTensor> evaluate() const {
    std::vector<double> chosen = {0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, INFINITY, -INFINITY, NAN};
    for (const Part& part : parts_) {
      const auto scalar = algebra_.scalar(part.reading);
      if (!scalar) continue;
      dispatch(scalar->dtype, [&](auto zero) {
        using E = decltype(zero);
        if constexpr (!std::is_same_v<E, bool>)
          add_around(Scalar{scalar->dtype, scalar->bits}.template as<E>(), chosen);
      });
    }
    Points points;
    std::vector<HostTensor> values;
    for (const Part& part : parts_) values.push_back(value_of(part, values, points, chosen));
    return values;
  }

  // "at 0.5, 2 it gives 1, the graph 3"
  std::string difference_at(const std::vector<HostTensor>& values, const HostTensor& program,
                            const HostTensor& graph, std::int64_t index) const {
    const std::string leaves = leaves_ <= kMostShown ? leaves_at(values, index) : std::string();
    return "at " + (leaves.empty() ? "some point" : leaves) + " it gives " +
           element_text(program, index) + ", the graph " + element_text(graph, index);
  }

 private:
  struct Part {
    TermView reading;
    std::vector<std::size_t> operands;
  };

  // The values of the leaves at a point: "0.5, 2".
  std::string leaves_at(const std::vector<HostTensor>& values, std::int64_t index) const {
    std::string text;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const TermKind kind = algebra_.term(parts_[i].reading).kind;
      const bool computed = kind == TermKind::kElementwise || kind == TermKind::kAffine;
      if (computed || algebra_.scalar(parts_[i].reading)) continue;
      text += (text.empty() ? "" : ", ") + element_text(values[i], index);
    }
    return text;
  }

  static Shape line() { return Shape::of({static_cast<std::int64_t>(kPoints)}); }

  HostTensor value_of(const Part& part, const std::vector<HostTensor>& values, Points& points,
                      const std::vector<double>& chosen) const {
    const Term& term = algebra_.term(part.reading);
    if (term.kind == TermKind::kElementwise) return called(term, part, values);
    if (term.kind == TermKind::kAffine) return affine(term, values[part.operands[0]]);
    HostTensor result(term.dtype, line());
    const auto scalar = algebra_.scalar(part.reading);
    dispatch(term.dtype, [&](auto zero) {
      using E = decltype(zero);
      for (std::int64_t i = 0; i < result.element_count(); ++i) {
        result.set<E>(i, scalar ? Scalar{scalar->dtype, scalar->bits}.template as<E>()
                                : point<E>(points, chosen));
      }
    });
    return result;
  }

  // The attributes of a call that are written as literals.
  compiler::ops::Attributes attributes_of(const Term& term) const {
    compiler::ops::Attributes attributes;
    const std::size_t count = term.op->operands.size();
    for (std::size_t i = count; i < term.operands.size(); ++i) {
      const auto scalar = algebra_.scalar(term.operands[i]);
      if (scalar)
        attributes.set(term.op->text.literals[i - count],
                       Scalar{scalar->dtype, scalar->bits}.as_double());
    }
    return attributes;
  }

  // The call as its record sees it; faults if a file calls the operation with other types.
  compiler::ops::Inference inferred(const Term& term) const {
    std::vector<TensorType> types;
    for (std::size_t i = 0; i < term.op->operands.size(); ++i)
      types.push_back({algebra_.dtype(term.operands[i]), Layout(line())});
    compiler::Stated stated;
    if (term.op->uses_dtype) stated.dtype = term.dtype;
    return compiler::infer(*term.op, types, attributes_of(term), stated);
  }

  bool is_legal(const Term& term) const {
    if (term.kind != TermKind::kElementwise) return true;
    const auto& specs = term.op->operands;
    if (term.operands.size() != specs.size() + term.op->text.literals.size()) return false;
    for (std::size_t i = 0; i < term.operands.size(); ++i) {
      const DType dtype = algebra_.dtype(term.operands[i]);
      if (i >= specs.size()) {
        if (!algebra_.scalar(term.operands[i])) return false;
        continue;
      }
      if (!specs[i].dtypes.contains(dtype)) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (specs[j].group == specs[i].group && algebra_.dtype(term.operands[j]) != dtype)
          return false;
      }
    }
    const auto inference = inferred(term);
    return inference.faults.empty() && inference.results[0].dtype == term.dtype;
  }

  HostTensor called(const Term& term, const Part& part,
                    const std::vector<HostTensor>& values) const {
    std::vector<HostTensor> operands;
    for (std::size_t i = 0; i < term.op->operands.size(); ++i)
      operands.push_back(values[part.operands[i]]);
    const compiler::ops::Inference inference = inferred(term);
    const TensorType type{term.dtype, Layout(line())};
    compiler::ops::Evaluation evaluation{operands, inference.normal, {&type, 1}, {}};
    term.op->evaluate(evaluation);
    return evaluation.results[0];
  }

  static HostTensor affine(const Term& term, const HostTensor& x) {
    HostTensor result(term.dtype, line());
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      const double value = coefficient(term.chains[0].scale, term.dtype) * x.as_double(i) +
                           coefficient(term.chains[0].shift, term.dtype);
      if (term.dtype == DType::kF32) result.set<float>(i, static_cast<float>(value));
      if (term.dtype == DType::kF64) result.set<double>(i, value);
    }
    return result;
  }

  const Algebra& algebra_;
  std::vector<Part> parts_;
  std::size_t leaves_ = 0;
};

bool same_element(const HostTensor& a, const HostTensor& b, std::int64_t index) {
  return dispatch(a.dtype(), [&](auto zero) {
    using E = decltype(zero);
    const E x = a.at<E>(index), y = b.at<E>(index);
    return (x != x && y != y) || Scalar::of(x) == Scalar::of(y);
  });
}

}  // namespace

std::string element_text(const HostTensor& tensor, std::int64_t index) {
  return dispatch(tensor.dtype(), [&](auto zero) -> std::string {
    using E = decltype(zero);
    const E value = tensor.at<E>(index);
    if constexpr (std::is_same_v<E, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<E>) {
      std::array<char, 64> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
      return std::string(buffer.data(), end);
    } else {
      return std::to_string(static_cast<std::int64_t>(value));
    }
  });
}

std::optional<Trial> try_points(const Algebra& algebra, const TermView& program,
                                const TermView& graph) {
  if (algebra.dtype(program) != algebra.dtype(graph) || program.shape() != graph.shape())
    return std::nullopt;
  Cone cone(algebra);
  const auto left = cone.add(program), right = cone.add(graph);
  if (!left || !right) return std::nullopt;
  const std::vector<HostTensor> values = cone.evaluate();
  const HostTensor& a = values[*left];
  const HostTensor& b = values[*right];
  Trial trial{kPoints, true, {}};
  std::optional<std::int64_t> shown;  // where both are finite, if they differ there
  for (std::int64_t i = 0; i < a.element_count() && (trial.agrees || !shown); ++i) {
    if (same_element(a, b, i)) continue;
    if (std::isfinite(a.as_double(i)) && std::isfinite(b.as_double(i))) shown = i;
    if (trial.agrees || shown) trial.counterexample = cone.difference_at(values, a, b, i);
    trial.agrees = false;
  }
  return trial;
}

}  // namespace wick::frontend::check

#include "compiler/reference/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "compiler/support/check.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

using ops::ErrorModel;

std::vector<HostTensor> evaluate(const ops::OpRecord& op, const ops::Attributes& attributes,
                                 std::span<const HostTensor> operands,
                                 std::span<const ops::TensorType> types) {
  ops::Evaluation evaluation{operands, attributes, types, {}};
  op.evaluate(evaluation);
  return std::move(evaluation.results);
}

// What a floating-point dtype is like, as doubles.
struct Precision {
  double roundoff;  // half the distance of 1 to the next
  double least_denormal;
  double least_normal;
  double largest;
  int digits;  // of the significand
};

template <class E>
Precision precision_of() {
  using Limits = std::numeric_limits<E>;
  return {static_cast<double>(Limits::epsilon()) / 2, static_cast<double>(Limits::denorm_min()),
          static_cast<double>(Limits::min()), static_cast<double>(Limits::max()), Limits::digits};
}

Precision precision(DType dtype) {
  return dtype == DType::kF32 ? precision_of<float>() : precision_of<double>();
}

// The distance from |x| to the next larger number of the dtype.
double ulp(double x, const Precision& of) {
  if (x == 0) return of.least_denormal;
  return std::max(std::ldexp(1.0, std::ilogb(x) - of.digits + 1), of.least_denormal);
}

HostTensor absolute(const HostTensor& tensor) {
  HostTensor result(DType::kF64, tensor.shape());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    result.set<double>(i, std::fabs(tensor.as_double(i)));
  }
  return result;
}

// Every element at least `low` and at most `high`. Zeros and infinities, which no order of
// multiplying changes, become 1; NaN stays.
HostTensor clipped(const HostTensor& tensor, double low, double high) {
  HostTensor result(DType::kF64, tensor.shape());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const double x = tensor.at<double>(i);
    const bool settled = x == 0 || std::isinf(x);
    result.set<double>(i, settled ? 1 : x < low ? low : x > high ? high : x);
  }
  return result;
}

// How many elements one element of the result is accumulated from.
double accumulated_count(const ops::OpRecord& op, const ops::Attributes& attributes,
                         std::span<const HostTensor> operands) {
  if (op.error.terms != nullptr) return static_cast<double>(op.error.terms(operands, attributes));
  const Shape& shape = operands[0].shape();
  if (!attributes.has("axes")) {
    return static_cast<double>(shape[static_cast<std::size_t>(attributes.integer("axis"))]);
  }
  double count = 1;
  for (const std::int64_t axis : attributes.integers("axes")) {
    count *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
  }
  return count;
}

// The differences that are allowed, apart from the units in the last place.
class Accumulation {
 public:
  Accumulation(const ops::OpRecord& op, const ops::Attributes& attributes,
               std::span<const HostTensor> operands, std::span<const HostTensor> found,
               const Precision& of) {
    const ErrorModel model = op.error.model;
    const bool multiplied = model == ErrorModel::kMultiplied;
    if (model != ErrorModel::kAccumulated && model != ErrorModel::kProduct && !multiplied) return;
    std::vector<HostTensor> magnitudes;
    for (const HostTensor& operand : operands) magnitudes.push_back(absolute(operand));
    const ops::TensorType type{DType::kF64, Layout(found[0].shape())};
    sums_ = evaluate(op, attributes, magnitudes, {&type, 1})[0];
    count_ = accumulated_count(op, attributes, operands);
    const double share = count_ * of.roundoff;
    gamma_ = share < 1 ? share / (1 - share) : std::numeric_limits<double>::infinity();
    least_ = of.least_denormal;
    terms_per_sum_ = op.error.divides ? count_ : 1;
    active_ = true;
    if (!multiplied) return;
    // The largest and the least product of any of the elements.
    const HostTensor large = clipped(magnitudes[0], 1, std::numeric_limits<double>::infinity());
    const HostTensor small = clipped(magnitudes[0], 0, 1);
    largest_ = evaluate(op, attributes, {&large, 1}, {&type, 1})[0];
    smallest_ = evaluate(op, attributes, {&small, 1}, {&type, 1})[0];
    least_normal_ = of.least_normal;
  }

  double allowed(std::int64_t element) const {
    return active_ ? gamma_ * sums_.at<double>(element) + count_ * least_ : 0;
  }
  // True if the terms themselves may overflow.
  bool beyond(std::int64_t element, double largest) const {
    return active_ && !(sums_.at<double>(element) * terms_per_sum_ <= largest);
  }
  // True if nothing is promised.
  bool unpromised(std::int64_t element, double largest) const {
    if (largest_.element_count() <= element || !active_ || least_normal_ == 0) return false;
    return !(largest_.at<double>(element) <= largest) ||
           !(smallest_.at<double>(element) >= least_normal_);
  }

 private:
  HostTensor sums_;
  double count_ = 0;
  double gamma_ = 0;
  double least_ = 0;
  double terms_per_sum_ = 1;  // a mean is this much smaller than the sum that is computed first
  bool active_ = false;
  HostTensor largest_, smallest_;  // kMultiplied
  double least_normal_ = 0;
};

bool same_bits(const HostTensor& a, const HostTensor& b, std::int64_t element) {
  const std::size_t size = size_of(a.dtype());
  const auto at = static_cast<std::size_t>(element) * size;
  return std::memcmp(a.bytes().data() + at, b.bytes().data() + at, size) == 0;
}

// The disagreement of two floating-point elements that are not bit-identical.
bool floats_agree(double expected, double found, double allowed, bool overflows,
                  const Precision& of) {
  const bool expected_nan = expected != expected, found_nan = found != found;
  if (expected_nan || found_nan) return (expected_nan && found_nan) || (found_nan && overflows);
  if (std::isinf(found)) {
    const double edge = std::copysign(of.largest, found);
    return expected == found || overflows ||
           (std::signbit(expected) == std::signbit(found) && std::fabs(edge - expected) < allowed);
  }
  if (std::isinf(expected)) {
    const double edge = std::copysign(of.largest, expected);
    return std::isfinite(allowed) && std::fabs(edge - found) < allowed;
  }
  return std::fabs(found - expected) <= allowed;
}

std::optional<Disagreement> compare_floats(const ops::ErrorBound& bound, const HostTensor& expected,
                                           const HostTensor& found,
                                           const Accumulation& accumulation) {
  const Precision of = precision(found.dtype());
  const double ulps = found.dtype() == DType::kF32 ? bound.ulps : bound.ulps_f64;
  for (std::int64_t i = 0; i < found.element_count(); ++i) {
    if (same_bits(expected, found, i) || accumulation.unpromised(i, of.largest)) continue;
    const double r = expected.as_double(i), x = found.as_double(i);
    const double unit = ulp(std::isfinite(r) ? r : of.largest, of);
    const bool exact = bound.model == ErrorModel::kExact;
    const double allowed = exact || ulps == 0 ? accumulation.allowed(i)
                                              : (ulps + 0.5) * unit + accumulation.allowed(i);
    const bool agree = exact ? (r != r && x != x)
                             : floats_agree(r, x, allowed, accumulation.beyond(i, of.largest), of);
    if (!agree) return Disagreement{0, i, r, x, allowed};
  }
  return std::nullopt;
}

std::optional<Disagreement> compare_exactly(const HostTensor& expected, const HostTensor& found) {
  for (std::int64_t i = 0; i < found.element_count(); ++i) {
    if (same_bits(expected, found, i)) continue;
    return Disagreement{0, i, expected.as_double(i), found.as_double(i), 0};
  }
  return std::nullopt;
}

}  // namespace

std::string Disagreement::to_string(const Shape& shape) const {
  std::string index;
  std::int64_t rest = element;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    index = std::to_string(rest % shape[axis]) + (index.empty() ? "" : ", ") + index;
    rest /= shape[axis];
  }
  return "element [" + index + "] of result " + std::to_string(result) + ": expected " +
         shortest(expected) + ", found " + shortest(found) + ", allowed difference " +
         shortest(allowed);
}

std::optional<Disagreement> find_disagreement(const ops::OpRecord& op,
                                              const ops::Attributes& attributes,
                                              std::span<const HostTensor> operands,
                                              std::span<const HostTensor> found) {
  check(op.error.model != ErrorModel::kComposed, "a composite has no error bound of its own");
  std::vector<ops::TensorType> types;
  for (const HostTensor& tensor : found) types.push_back({tensor.dtype(), Layout(tensor.shape())});
  const std::vector<HostTensor> expected = evaluate(op, attributes, operands, types);
  check(expected.size() == found.size(), "find_disagreement: wrong number of results");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const HostTensor& e = expected[i];
    check(e.dtype() == found[i].dtype() && e.shape() == found[i].shape(),
          "find_disagreement: results of another dtype or shape");
    std::optional<Disagreement> stray;
    if (is_float(found[i].dtype())) {
      const Accumulation accumulation(op, attributes, operands, found, precision(e.dtype()));
      stray = compare_floats(op.error, e, found[i], accumulation);
    } else {
      stray = compare_exactly(e, found[i]);
    }
    if (!stray) continue;
    stray->result = i;
    return stray;
  }
  return std::nullopt;
}

}  // namespace wick::compiler

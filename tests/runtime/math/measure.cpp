#include "tests/runtime/math/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "tests/runtime/math/points.h"
#include "tests/runtime/math/ulp.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WICK_CLONES __attribute__((target_clones("arch=x86-64-v4", "default")))
#else
#define WICK_CLONES
#endif

namespace wick::testing {
namespace {

// Points are taken this many at a time; so many of them are judged by MPFR as well.
constexpr std::size_t kBatch = 16 * kBlock;
constexpr std::uint64_t kBatchesPerCheck = 64;
// What the references may be off by, relative to the value.
constexpr double kQuickError = 0x1p-41, kFineError = 0x1p-61;

// Bit for bit, all NaNs being one value.
template <class E>
bool same(E a, E b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof(a)) == 0;
}

struct Judged {
  double worst = 0;
  std::uint64_t rounded = 0;
  std::uint64_t odd = 0;  // results that need the slow judge
};

// The errors of results that are ordinary numbers. Vectorised: no branches.
WICK_CLONES
Judged judge_quickly(const float* y, const double* exact, double* errors) {
  constexpr std::int64_t least = std::int64_t{1023 - 126} << 52;
  constexpr std::int64_t exponent_field = std::int64_t{0x7FF} << 52;
  double worst = 0;
  std::uint64_t rounded = 0, odd = 0;
  for (std::size_t i = 0; i < kBatch; ++i) {
    const double r = exact[i], value = y[i];
    const float nearest = static_cast<float>(r);
    std::int64_t bits, unit_bits;
    std::uint32_t y_bits, nearest_bits;
    std::memcpy(&bits, &r, sizeof(bits));
    std::memcpy(&y_bits, &y[i], sizeof(y_bits));
    std::memcpy(&nearest_bits, &nearest, sizeof(nearest_bits));
    bits &= exponent_field;
    bits = bits < least ? least : bits;
    unit_bits = (std::int64_t{2 * 1023 + 23} << 52) - bits;
    double per_ulp;
    std::memcpy(&per_ulp, &unit_bits, sizeof(per_ulp));
    const double error = std::fabs(value - r) * per_ulp;
    const bool is_same = (y_bits == nearest_bits) | ((value != value) & (nearest != nearest));
    const bool ordinary = (error < 1e3) & (value != 0) & (std::fabs(r) < 0x1p+128);
    errors[i] = ordinary ? error : 0;
    worst = std::max(worst, errors[i]);
    rounded += is_same ? 1 : 0;
    odd += (!is_same & !ordinary) ? 1 : 0;
  }
  return {worst, rounded, odd};
}

class Meter {
 public:
  Meter(const Function& function) : function_(function), reference_(reference_of(function.name)) {}

  // kBatch operands. Every fourth batch is computed element by element, too.
  template <class E>
  void see(const E* a, const E* b) {
    E y[kBatch];
    for (std::size_t i = 0; i < kBatch; i += kBlock) {
      function_.forms<E>().vectors(a + i, b + i, y + i);
    }
    if (batches_ % 4 == 0 && compares_singles_) compare_singles(a, b, y);
    judge(a, b, y);
    result_.points += kBatch;
    ++batches_;
  }
  void leave_out_singles() { compares_singles_ = false; }
  const Measurement& result() const { return result_; }

 private:
  template <class E>
  void compare_singles(const E* a, const E* b, const E* y) {
    E one[kBlock];
    for (std::size_t i = 0; i < kBatch; i += kBlock) {
      function_.forms<E>().singles(a + i, b + i, one);
      for (std::size_t j = 0; j < kBlock; ++j) {
        if (!same(one[j], y[i + j])) report("a vector and one element differ", a[i + j], b[i + j]);
      }
    }
  }

  void judge(const float* a, const float* b, const float* y) {
    double x[kBatch], second[kBatch], exact[kBatch], errors[kBatch];
    for (std::size_t i = 0; i < kBatch; ++i) x[i] = a[i], second[i] = b[i];
    reference_.quick(x, second, exact, kBatch);
    const Judged judged = judge_quickly(y, exact, errors);
    result_.rounded += judged.rounded;
    if (judged.worst > result_.worst) {
      const double* const worst = std::find(errors, errors + kBatch, judged.worst);
      const auto i = static_cast<std::size_t>(worst - errors);
      see_exactly(y[i], x[i], second[i]);
    }
    for (std::size_t i = 0; judged.odd != 0 && i < kBatch; ++i) {
      const bool odd = errors[i] == 0 && !same(y[i], static_cast<float>(exact[i]));
      if (odd) see_exactly(y[i], x[i], second[i]);
    }
    if (batches_ % kBatchesPerCheck == 0) {
      const std::size_t i = batches_ / kBatchesPerCheck % kBatch;
      check_reference(exact[i], x[i], second[i], kQuickError);
    }
  }

  void judge(const double* a, const double* b, const double* y) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      const long double exact = reference_.fine(a[i], b[i]);
      // The reference is known to 0.002 ulp: whatever may be worse is computed exactly, and results
      // that near to half-way between two numbers are taken to be rounded well.
      const double error = ulps_of_ordinary(y[i], exact);
      if (error <= 0.502) ++result_.rounded;
      if (error > result_.worst - 0.002) see_exactly(y[i], a[i], b[i]);
      if (i == 0 && batches_ % kBatchesPerCheck == 0) {
        check_reference(exact, a[i], b[i], kFineError);
      }
    }
  }
  static double ulps_of_ordinary(double y, long double exact) {
    const double size = std::fabs(static_cast<double>(exact));
    if (!(size >= 0x1p-1022 && size < 0x1p+1022)) return ulps(y, exact);
    std::int64_t bits;
    std::memcpy(&bits, &size, sizeof(bits));
    bits = (std::int64_t{2 * 1023} << 52) - (bits & (std::int64_t{0x7FF} << 52));
    double per_power;
    std::memcpy(&per_power, &bits, sizeof(per_power));
    return static_cast<double>(std::fabs((y - exact) * per_power)) * 0x1p+52;
  }

  template <class E>
  void see_exactly(E y, double a, double b) {
    const double error = ulps(y, exact_value(reference_, a, b));
    if (error > result_.worst) result_.worst = error, result_.at_a = a, result_.at_b = b;
  }
  template <class R>
  void check_reference(R value, double a, double b, double relative) {
    const long double exact = exact_value(reference_, a, b);
    if (value == exact || (std::isnan(value) && std::isnan(exact))) return;
    const bool close = std::fabs(value - exact) <= relative * std::fabs(exact) + 0x1p-1074L;
    // The quick reference need not tell apart what is 0 or infinite in f32.
    const bool is_quick = sizeof(R) == sizeof(double);
    const bool nothing = std::fabs(value) < 0x1p-160 && std::fabs(exact) < 0x1p-160;
    const bool infinite = std::fabs(value) >= 0x1p+160 && std::fabs(exact) >= 0x1p+160 &&
                          std::signbit(value) == std::signbit(exact);
    if (!close && !(is_quick && (nothing || infinite))) report("the reference is off", a, b);
  }
  void report(const char* what, double a, double b) {
    if (!result_.fault.empty()) return;
    char text[160];
    std::snprintf(text, sizeof(text), "%s: %s at %a, %a", function_.name, what, a, b);
    result_.fault = text;
  }

  const Function& function_;
  const Reference& reference_;
  bool compares_singles_ = true;
  std::uint64_t batches_ = 0;
  Measurement result_;
};

}  // namespace

Measurement measure_patterns(const Function& function, const Patterns& patterns) {
  Meter meter(function);
  if (patterns.stride == 1) meter.leave_out_singles();
  const float zeros[kBatch] = {};
  std::uint32_t bits = patterns.first;
  for (std::uint64_t seen = 0; seen < patterns.count; seen += kBatch) {
    float x[kBatch];
    for (float& element : x) {
      std::memcpy(&element, &bits, sizeof(element));
      bits += patterns.stride;
    }
    meter.see(x, zeros);
  }
  return meter.result();
}

template <class E>
Measurement measure_points(const Function& function, std::uint64_t points, std::uint64_t seed) {
  Meter meter(function);
  Points drawn(function, seed);
  for (std::uint64_t seen = 0; seen < points; seen += kBatch) {
    E a[kBatch], b[kBatch];
    for (std::size_t i = 0; i < kBatch; i += kBlock) drawn.fill(a + i, b + i);
    meter.see(a, b);
  }
  return meter.result();
}
template Measurement measure_points<float>(const Function&, std::uint64_t, std::uint64_t);
template Measurement measure_points<double>(const Function&, std::uint64_t, std::uint64_t);

template <class E>
Measurement measure_given(const Function& function, const E* a, const E* b, std::size_t count) {
  Meter meter(function);
  for (std::size_t first = 0; first < count; first += kBatch) {
    E block_a[kBatch], block_b[kBatch];
    for (std::size_t i = 0; i < kBatch; ++i) {
      const std::size_t from = std::min(first + i, count - 1);
      block_a[i] = a[from], block_b[i] = b[from];
    }
    meter.see(block_a, block_b);
  }
  return meter.result();
}
template Measurement measure_given(const Function&, const float*, const float*, std::size_t);
template Measurement measure_given(const Function&, const double*, const double*, std::size_t);

std::string Measurement::row(const char* name, int operands) const {
  char text[200], place[80];
  if (operands == 1) {
    std::snprintf(place, sizeof(place), "%a", at_a);
  } else {
    std::snprintf(place, sizeof(place), "%a, %a", at_a, at_b);
  }
  // Shares are cut, not rounded: only what is always right is 100%.
  const double share = std::floor(1e4 * static_cast<double>(rounded) / static_cast<double>(points));
  std::snprintf(text, sizeof(text), "| %s | %.3f | `%s` | %.2f%% |", name, worst, place,
                share / 100);
  return text;
}

}  // namespace wick::testing

#include "tests/runtime/math/points.h"

#include <cmath>
#include <cstring>

namespace wick::testing {

Points::Points(const Function& function, std::uint64_t seed)
    : domain_(reference_of(function.name).domain),
      operands_(function.operands),
      power_(std::strcmp(function.name, "pow") == 0),
      state_(seed) {}

std::uint64_t Points::bits() {
  state_ += 0x9E3779B97F4A7C15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

double Points::between(double low, double high) {
  return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
}

double Points::any_size(double low_exponent, double high_exponent) {
  const double size = std::exp2(between(low_exponent, high_exponent));
  return (bits() & 1) != 0 ? -size : size;
}

template <class E>
E Points::any_bits() {
  const std::uint64_t drawn = bits();
  E value = 0;
  std::memcpy(&value, &drawn, sizeof(value));
  return value;
}

template <class E>
E Points::unary(std::uint64_t kind) {
  switch (kind) {
    case 0:
      return any_bits<E>();
    case 1:
    case 2:
      return static_cast<E>(between(domain_.lowest, domain_.highest));
    case 3:
      return static_cast<E>(between(-2, 2));
    case 4:  // next to a multiple of the step, or to a power of the root of 2
      if (domain_.step != 0) {
        const double whole =
            std::nearbyint(between(domain_.lowest, domain_.highest) / domain_.step);
        return static_cast<E>(whole * domain_.step * (1 + any_size(-53, -8)));
      }
      return static_cast<E>(std::exp2(std::nearbyint(between(-20, 20)) / 2) *
                            (1 + any_size(-53, -8)));
    case 5:
      return static_cast<E>(1 + any_size(-54, -1));
    case 6:
      return static_cast<E>(any_size(-60, 10));
    default:
      return static_cast<E>(any_size(-1074, 1024));
  }
}

template <class E>
void Points::power(std::uint64_t kind, E& a, E& b) {
  switch (kind) {
    case 0:
      a = any_bits<E>(), b = any_bits<E>();
      break;
    case 1:  // results of all sizes from the least denormal to the largest number
    case 2:
      a = static_cast<E>(std::fabs(any_size(-1022, 1023)));
      b = static_cast<E>(between(-1080, 1026) / std::log2(static_cast<double>(a)));
      break;
    case 3:  // logarithms of whatever reduced argument, of which the exponent makes the most
      a = static_cast<E>(between(0.5, 2));
      b = static_cast<E>(between(-1080, 1026) / std::log2(static_cast<double>(a)));
      break;
    case 4:  // bases near 1, exponents that make the most of them
    case 5:
      a = static_cast<E>(1 + any_size(-52, -6));
      b = static_cast<E>(between(-1080, 1026) / std::log2(static_cast<double>(a)));
      break;
    case 6:  // negative bases
      a = static_cast<E>(-std::fabs(any_size(-20, 20)));
      b = static_cast<E>(std::nearbyint(between(-60, 60)));
      break;
    default:  // near the root of 2, where the scaling of the logarithm changes
      a = static_cast<E>(1.41421356237309505 * std::exp2(std::nearbyint(between(-8, 8))) *
                         (1 + any_size(-53, -8)));
      b = static_cast<E>(between(-100, 100));
      break;
  }
}

template <class E>
void Points::pair(std::uint64_t kind, E& a, E& b) {
  switch (kind) {
    case 0:
      a = any_bits<E>(), b = any_bits<E>();
      break;
    case 1:
      a = static_cast<E>(any_size(-1074, 1024)), b = static_cast<E>(any_size(-1074, 1024));
      break;
    case 2:  // near the diagonals
      b = static_cast<E>(any_size(-20, 20));
      a = static_cast<E>(static_cast<double>(b) * (1 + any_size(-54, -3)));
      break;
    case 3:  // near the ray of pi / 8
      b = static_cast<E>(any_size(-20, 20));
      a = static_cast<E>(static_cast<double>(b) * 0.41421356237309505 * (1 + any_size(-53, -6)));
      break;
    case 4:
      a = static_cast<E>(any_size(-60, 60)), b = static_cast<E>(any_size(-60, 60));
      break;
    case 5:
      a = static_cast<E>(between(domain_.lowest, domain_.highest));
      b = static_cast<E>(between(-10, 10));
      break;
    case 6:
      a = static_cast<E>(std::trunc(between(-1000, 1000)));
      b = static_cast<E>(std::trunc(between(-1000, 1000)));
      break;
    default:
      a = static_cast<E>(between(-1, 1)), b = static_cast<E>(between(-1, 1));
      break;
  }
}

template <class E>
void Points::fill(E* a, E* b) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    b[i] = 0;
    if (operands_ == 1) {
      a[i] = unary<E>(i % 8);
    } else if (power_) {
      power(i % 8, a[i], b[i]);
    } else {
      pair(i % 8, a[i], b[i]);
    }
  }
}

template void Points::fill(float* a, float* b);
template void Points::fill(double* a, double* b);

}  // namespace wick::testing

// The elementary functions of the C library in f64 on whole arrays: the quick judge of f32.
//
// glibc's vectorised ones (libmvec, within 4 ulps of f64, which is 2^-27 ulp of f32) where the host
// has AVX-512, else the scalar ones.

#pragma once

#include <cstddef>

namespace wick::testing {

// results may be x.
using OfArray = void (*)(const double* x, double* results, std::size_t count);
using OfArrays = void (*)(const double* x, const double* y, double* results, std::size_t count);

struct VectorLibm {
  OfArray exp, expm1, log, log2, log1p, sin, cos, tanh, erf, erfc;
  OfArrays pow, atan2;
};

const VectorLibm& vector_libm();

// libmvec's; `count` is a multiple of 8.
const VectorLibm& mvec_libm();

}  // namespace wick::testing

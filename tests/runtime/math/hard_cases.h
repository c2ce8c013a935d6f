// Published arguments of f64 at which functions are hardest to get right.
//
// Most of them are those whose results lie nearest to half-way between two numbers, from
//   V. Lefevre, J.-M. Muller: Worst Cases for Correct Rounding of the Elementary Functions in
//   Double Precision, ARITH 15, 2001; Lefevre's lists at www.vinc17.net/research/testlibm;
//   the CORE-MATH project's lists (core-math.gitlabpages.inria.fr).
// For sines, there are besides the numbers next to multiples of pi / 2 (J.-M. Muller: Elementary
// Functions, chapter on range reduction): 6381956970095103 * 2^797 is the nearest of all in f64.
// The last two of pow were found by search: the logarithm there needs the low part of its square.

#pragma once

namespace wick::testing {

struct HardCases {
  const char* functions[5];  // all that have these arguments
  double a[10];
  double b[10];
};

inline constexpr HardCases kHardCases[] = {
    {{"exp", "expm1", "sigmoid", "silu", "elu"},
     {0x1.0122ef37212ebp-1, 0x1.00d48a707b93ep-1, 0x1.3d963bb752ap-1, 0x1.accfbe46b4efp-1,
      0x1.d4fa82ced839p-1, 0x1.008eb56314daap+0, 0x1.053f6a90b554p+0, 0x1.9e9cbbfd6080bp-31,
      0x1.01b720730f958p+0, 0x1.6fbce05407de8p+0},
     {}},
    {{"log", "log2", "log1p"},
     {0x1.62a88613629b6p+678, 0x1.a6ae5142326b5p+0, 0x1.a702b2ce91b3p+0, 0x1.bd3be631d4a7dp+0,
      0x1.f0f022bff7b69p+1, 0x1.00c9f5dcd7bfcp+4, 0x1.4fb4fcdf67835p+10, 0x1.f823b83666553p+11,
      0x1.d8df7b3002a5bp+17, 0x1.b61a3bd0deacp+39},
     {}},
    {{"sin", "cos"},
     {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1, 0x1.2d97c7f3321d2p+2,
      0x1.005023d32fee5p+1, 0x1.0192deafac33fp+0, 0x1.0a7b4d60b0228p-21, 0x1.0eb0a4929f5afp-1,
      0x1.5723548f77d75p-1, 0x1.10b4048d92a67p+1},
     {}},
    {{"pow"},
     {0x1.ffffffffffffcp-1, 0x1.ffffffffffffcp-1, 0x1.ffffffffffffp-1, 0x1.ffffffffffff8p-1,
      0x1.69f6f3a9ad67fp+0, 0x1.69ae6324941fbp+0},
     {0x1.fffffffffffffp-2, -0x1.ffffffffffffdp-2, -0x1.ffffffffffff6p-3, -0x1.ffffffffffffbp-3,
      -0x1.cec9c170b326ep+10, 0x1.f5e529ab8de3cp+10}},
};

}  // namespace wick::testing

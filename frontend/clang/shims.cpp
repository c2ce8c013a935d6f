#include "frontend/clang/shims.h"

namespace wick::frontend::check {
namespace {

constexpr Shim kShims[] = {
    {"cstddef", R"(#pragma once
namespace std {
using size_t = decltype(sizeof(0));
using ptrdiff_t = __PTRDIFF_TYPE__;
using nullptr_t = decltype(nullptr);
enum class byte : unsigned char {};
}
)"},
    {"cstdint", R"(#pragma once
namespace std {
using int8_t = __INT8_TYPE__;
using int16_t = __INT16_TYPE__;
using int32_t = __INT32_TYPE__;
using int64_t = __INT64_TYPE__;
using uint8_t = __UINT8_TYPE__;
using uint16_t = __UINT16_TYPE__;
using uint32_t = __UINT32_TYPE__;
using uint64_t = __UINT64_TYPE__;
using intptr_t = __INTPTR_TYPE__;
using uintptr_t = __UINTPTR_TYPE__;
}
)"},
    {"cstring", R"(#pragma once
namespace std {
extern "C" void* memcpy(void*, const void*, decltype(sizeof(0))) noexcept;
extern "C" void* memmove(void*, const void*, decltype(sizeof(0))) noexcept;
extern "C" void* memset(void*, int, decltype(sizeof(0))) noexcept;
}
)"},
    {"type_traits", R"(#pragma once
namespace std {
template <class T, T V>
struct integral_constant {
  static constexpr T value = V;
  using type = integral_constant;
};
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <class A, class B>
inline constexpr bool is_same_v = __is_same(A, B);
template <class T>
inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <class T>
inline constexpr bool is_integral_v = __is_integral(T);
template <class T>
inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <class T>
inline constexpr bool is_signed_v = __is_arithmetic(T) && T(-1) < T(0);
template <class T>
inline constexpr bool is_unsigned_v = __is_arithmetic(T) && T(0) < T(-1);

template <bool C, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool C, class A, class B>
using conditional_t = typename conditional<C, A, B>::type;

template <bool C, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool C, class T = void>
using enable_if_t = typename enable_if<C, T>::type;

template <class T>
using remove_const_t = __remove_const(T);
template <class T>
using remove_reference_t = __remove_reference_t(T);

template <class T>
T&& declval() noexcept;
template <class F, class... A>
using invoke_result_t = decltype(declval<F>()(declval<A>()...));
}
)"},
    {"limits", R"(#pragma once
namespace std {
template <class T>
struct numeric_limits {
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr int digits = static_cast<int>(8 * sizeof(T)) - (is_signed ? 1 : 0);
  static constexpr T max() noexcept {
    return static_cast<T>(static_cast<unsigned long>(-1L) >> (64 - digits));
  }
  static constexpr T min() noexcept { return static_cast<T>(is_signed ? -max() - 1 : 0); }
  static constexpr T lowest() noexcept { return min(); }
};
template <>
struct numeric_limits<float> {
  static constexpr int digits = __FLT_MANT_DIG__;
  static constexpr int max_exponent = __FLT_MAX_EXP__;
  static constexpr int min_exponent = __FLT_MIN_EXP__;
  static constexpr float min() noexcept { return __FLT_MIN__; }
  static constexpr float max() noexcept { return __FLT_MAX__; }
  static constexpr float lowest() noexcept { return -__FLT_MAX__; }
  static constexpr float epsilon() noexcept { return __FLT_EPSILON__; }
  static constexpr float denorm_min() noexcept { return __FLT_DENORM_MIN__; }
  static constexpr float infinity() noexcept { return __builtin_huge_valf(); }
  static constexpr float quiet_NaN() noexcept { return __builtin_nanf(""); }
};
template <>
struct numeric_limits<double> {
  static constexpr int digits = __DBL_MANT_DIG__;
  static constexpr int max_exponent = __DBL_MAX_EXP__;
  static constexpr int min_exponent = __DBL_MIN_EXP__;
  static constexpr double min() noexcept { return __DBL_MIN__; }
  static constexpr double max() noexcept { return __DBL_MAX__; }
  static constexpr double lowest() noexcept { return -__DBL_MAX__; }
  static constexpr double epsilon() noexcept { return __DBL_EPSILON__; }
  static constexpr double denorm_min() noexcept { return __DBL_DENORM_MIN__; }
  static constexpr double infinity() noexcept { return __builtin_huge_val(); }
  static constexpr double quiet_NaN() noexcept { return __builtin_nan(""); }
};
}
)"},
};

}  // namespace

std::span<const Shim> standard_shims() { return kShims; }

}  // namespace wick::frontend::check

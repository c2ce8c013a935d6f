// The version of the runtime, which emitted code asserts: it compiles against a runtime of the same
// major version that is at least as new as the one it was written for.
//
// The major version changes when code that was emitted earlier would no longer compile or mean the
// same; the minor version when entry points are added.

#pragma once

#define WICK_RUNTIME_MAJOR 1
#define WICK_RUNTIME_MINOR 1

namespace wick {

inline constexpr int kRuntimeMajor = WICK_RUNTIME_MAJOR;
inline constexpr int kRuntimeMinor = WICK_RUNTIME_MINOR;

constexpr bool runtime_serves(int major, int minor) {
  return major == kRuntimeMajor && minor <= kRuntimeMinor;
}

}  // namespace wick

// Stands once in every emitted header: WICK_REQUIRE_RUNTIME(1, 1);
#define WICK_REQUIRE_RUNTIME(major, minor)                \
  static_assert(::wick::runtime_serves((major), (minor)), \
                "wick: this file was emitted for another version of the runtime headers")

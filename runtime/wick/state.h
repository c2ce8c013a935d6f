#pragma once

// What the object that keeps cached values needs: running something once, before its first use.
//
//   if (state.once.begin()) {      // true for one caller, who computes
//     prepare(state, arena);
//     state.once.finish();         // releases those who wait in begin
//   }
//
// Once finished, begin is one acquire load. Callers that come while another computes wait for it.
// Compiler builtins instead of <atomic>, which costs every unit of generated code a third of a
// second.

#include <cstdint>

namespace wick {

class Once {
 public:
  /// True if the caller must do the work and call finish; false when the work is done.
  bool begin() noexcept {
    for (;;) {
      const std::uint32_t seen = __atomic_load_n(&stage_, __ATOMIC_ACQUIRE);
      if (seen == kDone) return false;
      std::uint32_t expected = kIdle;
      if (seen == kIdle && __atomic_compare_exchange_n(&stage_, &expected, kRunning, false,
                                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return true;
      }
      pause();
    }
  }

  void finish() noexcept { __atomic_store_n(&stage_, kDone, __ATOMIC_RELEASE); }

  /// Forgets that the work was done. No call may run.
  void reset() noexcept { __atomic_store_n(&stage_, kIdle, __ATOMIC_RELEASE); }

 private:
  static constexpr std::uint32_t kIdle = 0;
  static constexpr std::uint32_t kRunning = 1;
  static constexpr std::uint32_t kDone = 2;

  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  std::uint32_t stage_ = kIdle;
};

}  // namespace wick

#pragma once

// Names for memory: slots of the arena, views, frees; and what makes misuse of them show.
//
//   release build        every function here is a pointer computation or nothing
//   AddressSanitizer     free poisons the slot's bytes, slot and workspace open them again,
//                        enter and leave open the whole arena
//   WICK_POISON          free fills the slot with signalling NaN (integers: 0xA5)
//   WICK_CHECKS          enter checks that tensors are aligned and that nothing overlaps an
//                        output or the arena; failures go to wick::check_failed
//
// A slot occupies its bytes rounded up to 64: that is what free gives back.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "wick/tensor.h"

#if defined(__SANITIZE_ADDRESS__)
#define WICK_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WICK_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(WICK_ADDRESS_SANITIZER)
extern "C" void __asan_poison_memory_region(const volatile void* begin, std::size_t bytes);
extern "C" void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);
#endif

namespace wick {

/// Alignment of the arena, of slots and of workspaces.
inline constexpr std::size_t kAlignment = 64;

/// Called when a check of WICK_CHECKS fails; `what` says which. A program may define it; without a
/// definition the program is ended.
__attribute__((weak)) void check_failed(const char* what) noexcept;

namespace internal {

constexpr std::size_t round_up(std::size_t bytes) noexcept {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

inline void fail_check(const char* what) noexcept {
  if (check_failed == nullptr) __builtin_trap();
  check_failed(what);
}

inline void open_bytes([[maybe_unused]] const void* begin,
                       [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(WICK_ADDRESS_SANITIZER)
  __asan_unpoison_memory_region(begin, bytes);
#endif
}

inline void close_bytes([[maybe_unused]] const void* begin,
                        [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(WICK_ADDRESS_SANITIZER)
  __asan_poison_memory_region(begin, bytes);
#endif
}

// Fills `bytes`, a multiple of 8, with values that no computation can mistake for its own.
template <class E>
void fill_with_poison(void* begin, std::size_t bytes) noexcept {
  std::uint64_t pattern = 0xA5A5A5A5A5A5A5A5u;
  if constexpr (std::is_same_v<E, float>) pattern = 0x7FA000007FA00000u;
  if constexpr (std::is_same_v<E, double>) pattern = 0x7FF4000000000000u;
  auto* to = static_cast<unsigned char*>(begin);
  for (std::size_t at = 0; at < bytes; at += sizeof pattern) {
    std::memcpy(to + at, &pattern, sizeof pattern);
  }
}

}  // namespace internal

/// The bytes [offset, offset + size of T) of the arena. `offset` is a multiple of 64.
template <class T>
Slot<T> slot(std::byte* arena, std::size_t offset) noexcept {
  internal::open_bytes(arena + offset, internal::round_up(T::kBytes));
  return Slot<T>(reinterpret_cast<typename T::Element*>(arena + offset));
}

/// A constant in the packed weights, at `offset` bytes, a multiple of 64.
template <class T>
In<T> constant(const std::byte* packed, std::size_t offset) noexcept {
  return In<T>(reinterpret_cast<const typename T::Element*>(packed + offset));
}

/// Scratch memory at an arena offset, a multiple of 64.
template <std::size_t Bytes>
Workspace<Bytes> workspace(std::byte* arena, std::size_t offset) noexcept {
  internal::open_bytes(arena + offset, internal::round_up(Bytes));
  return Workspace<Bytes>(arena + offset);
}

/// The bytes of `x` under a new name, to be overwritten.
template <class T, class U>
InOut<T> in_place(Out<U> x) noexcept {
  static_assert(T::kElements == U::kElements, "in place keeps the number of elements");
  static_assert(sizeof(typename T::Element) == sizeof(typename U::Element),
                "in place keeps the size of elements");
  return InOut<T>(reinterpret_cast<typename T::Element*>(x.data()));
}

/// `x` read through another layout, from its element number `Offset` on.
template <class T, Index Offset = 0, class U>
In<T> view(In<U> x) noexcept {
  static_assert(std::is_same_v<typename T::Element, typename U::Element>,
                "a view keeps the element type");
  if constexpr (T::kElements == 0) return In<T>(x.data());
  return In<T>(x.data() + Offset);
}

/// The slot's bytes mean nothing from here on.
template <class T>
void free([[maybe_unused]] Slot<T> slot) noexcept {
#if defined(WICK_POISON)
  internal::fill_with_poison<typename T::Element>(slot.data(), internal::round_up(T::kBytes));
#endif
  internal::close_bytes(slot.data(), internal::round_up(T::kBytes));
}

// ---- Entry and exit ------------------------------------------------------------------------

namespace internal {

// A range of memory that a call was given, and whether it is written.
struct Range {
  std::uintptr_t begin;
  std::size_t bytes;
  bool written;

  constexpr bool overlaps(const Range& other) const noexcept {
    return bytes > 0 && other.bytes > 0 && begin < other.begin + other.bytes &&
           other.begin < begin + bytes;
  }
};

// The bytes from the first to the last element that a layout reaches.
template <class T>
Range range_of(const typename T::Element* data, bool written) noexcept {
  constexpr Index size = sizeof(typename T::Element);
  if (T::kElements == 0) return {0, 0, written};
  Index low = 0;
  Index high = 0;
  for (int axis = 0; axis < T::kLayout.rank; ++axis) {
    const Index reach = (T::kLayout.extents[axis] - 1) * T::kLayout.strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  if (at % alignof(typename T::Element) != 0) fail_check("a tensor is not aligned");
  return {at - static_cast<std::uintptr_t>(-low * size),
          static_cast<std::size_t>((high - low + 1) * size), written};
}

template <class T>
Range parameter_range(const In<T>& parameter, const In<T>*) noexcept {
  return range_of<T>(parameter.data(), false);
}
template <class T>
Range parameter_range(const In<T>& parameter, const Out<T>*) noexcept {
  return range_of<T>(parameter.data(), true);
}

inline void check_apart(const Range* ranges, int count) noexcept {
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      const bool matters = ranges[i].written || ranges[j].written;
      if (matters && ranges[i].overlaps(ranges[j])) {
        fail_check("an output or the arena overlaps another tensor");
      }
    }
  }
}

}  // namespace internal

/// Opens a function's arena of `bytes` bytes (null and 0 if it has none) and, under WICK_CHECKS,
/// checks the memory it was given: the arena is aligned to 64 bytes, tensors to their elements, and
/// no output, donated input or the arena overlaps anything else.
template <class... P>
void enter(std::byte* arena, std::size_t bytes, [[maybe_unused]] const P&... parameters) noexcept {
  internal::open_bytes(arena, bytes);
#if defined(WICK_CHECKS)
  const auto at = reinterpret_cast<std::uintptr_t>(arena);
  if (at % kAlignment != 0) internal::fail_check("the arena is not aligned to 64 bytes");
  const internal::Range ranges[] = {{at, bytes, true},
                                    internal::parameter_range(parameters, &parameters)...};
  internal::check_apart(ranges, static_cast<int>(sizeof...(P)) + 1);
#endif
}

/// Opens the whole arena again, for its owner may use it between calls.
inline void leave(std::byte* arena, std::size_t bytes) noexcept {
  internal::open_bytes(arena, bytes);
}

}  // namespace wick

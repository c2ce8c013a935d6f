#pragma once

// Slots for --storage=heap: each is allocated and freed on its own.
//
// A failed allocation calls wick::out_of_memory if the program defines it, and ends the program.

#include "wick/memory.h"

namespace wick {

/// Called when `bytes` could not be allocated. A program may define it; if it returns, or without
/// a definition, the program is aborted.
__attribute__((weak)) void out_of_memory(std::size_t bytes) noexcept;

/// A tensor with memory of its own; converts like a Slot.
template <class T>
class HeapSlot : public InOut<T> {
 public:
  using InOut<T>::InOut;
};

namespace internal {

// Memory aligned to 64, with the address that malloc gave in front of it.
inline std::byte* allocate(std::size_t bytes) noexcept {
  void* const block = __builtin_malloc(bytes + kAlignment + sizeof(void*));
  if (block == nullptr) {
    if (out_of_memory != nullptr) out_of_memory(bytes);
    __builtin_abort();
  }
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(block) + sizeof(void*);
  std::byte* const memory = static_cast<std::byte*>(block) + sizeof(void*) +
                            (kAlignment - first % kAlignment) % kAlignment;
  std::memcpy(memory - sizeof(void*), &block, sizeof(void*));
  return memory;
}

inline void release(const void* memory) noexcept {
  void* block = nullptr;
  std::memcpy(&block, static_cast<const std::byte*>(memory) - sizeof(void*), sizeof(void*));
  __builtin_free(block);
}

}  // namespace internal

/// A new tensor; its contents mean nothing yet.
template <class T>
HeapSlot<T> heap_slot() noexcept {
  return HeapSlot<T>(
      reinterpret_cast<typename T::Element*>(internal::allocate(internal::round_up(T::kBytes))));
}

/// A tensor in the memory of one whose contents mean nothing any more (see retire). Both need the
/// same number of bytes, rounded up to 64.
template <class T, class U>
HeapSlot<T> reuse(HeapSlot<U> retired) noexcept {
  static_assert(internal::round_up(T::kBytes) == internal::round_up(U::kBytes),
                "memory is reused for tensors of one size");
  internal::open_bytes(retired.data(), internal::round_up(T::kBytes));
  return HeapSlot<T>(reinterpret_cast<typename T::Element*>(retired.data()));
}

/// The slot's bytes mean nothing from here on; its memory is kept for a later tensor.
template <class T>
void retire([[maybe_unused]] HeapSlot<T> slot) noexcept {
#if defined(WICK_POISON)
  internal::fill_with_poison<typename T::Element>(slot.data(), internal::round_up(T::kBytes));
#endif
  internal::close_bytes(slot.data(), internal::round_up(T::kBytes));
}

/// Gives the slot's memory back.
template <class T>
void free(HeapSlot<T> slot) noexcept {
#if defined(WICK_POISON)
  internal::fill_with_poison<typename T::Element>(slot.data(), internal::round_up(T::kBytes));
#endif
  internal::release(slot.data());
}

/// Scratch memory of one statement; given back by free.
template <std::size_t Bytes>
Workspace<Bytes> heap_workspace() noexcept {
  return Workspace<Bytes>(internal::allocate(Bytes));
}
template <std::size_t Bytes>
void free(Workspace<Bytes> workspace) noexcept {
  internal::release(workspace.data());
}

}  // namespace wick

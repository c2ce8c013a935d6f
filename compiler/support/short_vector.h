// A vector that keeps up to N elements within itself, for lists that are nearly always short and
// stand in tables of millions: no allocation and no second place to look at. Used as std::vector
// is; it converts from one and to one.
//
// Requires: elements are copied as bytes; fewer than 2^32 of them. Cost: as std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace wick::compiler {

template <class T, std::size_t N>
class ShortVector {
  static_assert(std::is_trivially_copyable_v<T> && N > 0);

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  ShortVector() = default;
  ShortVector(std::initializer_list<T> items) { append(items.begin(), items.size()); }
  // Lists come and go as std::vector where nobody counts bytes.
  ShortVector(const std::vector<T>& items) {  // NOLINT(google-explicit-constructor)
    append(items.data(), items.size());
  }
  ShortVector(const ShortVector& other) { append(other.data(), other.size()); }
  ShortVector(ShortVector&& other) noexcept { take(other); }
  ~ShortVector() { release(); }

  ShortVector& operator=(const ShortVector& other) {
    if (this == &other) return *this;
    clear();
    append(other.data(), other.size());
    return *this;
  }
  ShortVector& operator=(ShortVector&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }

  operator std::vector<T>() const {  // NOLINT(google-explicit-constructor)
    return std::vector<T>(begin(), end());
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return capacity_ > N ? far_ : std::launder(reinterpret_cast<T*>(near_)); }
  const T* data() const {
    return capacity_ > N ? far_ : std::launder(reinterpret_cast<const T*>(near_));
  }

  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void reserve(std::size_t size) {
    if (size > capacity_) grow_to(size);
  }
  void push_back(const T& item) {
    const T copy = item;  // which may be one of ours
    if (size_ == capacity_) grow_to(2 * std::size_t{capacity_});
    std::construct_at(data() + size_++, copy);
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void resize(std::size_t size, const T& item = T()) {
    while (size_ > size) pop_back();
    while (size_ < size) push_back(item);
  }

  T* erase(const T* at) { return erase(at, at + 1); }
  T* erase(const T* from, const T* to) {
    T* const first = begin() + (from - begin());
    std::copy(to, static_cast<const T*>(end()), first);
    size_ -= static_cast<std::uint32_t>(to - from);
    return first;
  }
  T* insert(const T* at, const T& item) {
    const std::ptrdiff_t before = at - begin();
    push_back(item);
    std::rotate(begin() + before, end() - 1, end());
    return begin() + before;
  }

  friend bool operator==(const ShortVector& a, const ShortVector& b) {
    return std::ranges::equal(a, b);
  }

 private:
  void append(const T* items, std::size_t count) {
    reserve(size_ + count);
    std::uninitialized_copy_n(items, count, data() + size_);
    size_ += static_cast<std::uint32_t>(count);
  }

  void grow_to(std::size_t size) {
    std::allocator<T> allocator;
    T* const items = allocator.allocate(size);
    std::uninitialized_copy_n(data(), size_, items);
    release();
    far_ = items;
    capacity_ = static_cast<std::uint32_t>(size);
  }

  // Frees the elements that lie elsewhere; their number is left as it is.
  void release() {
    if (capacity_ > N) std::allocator<T>().deallocate(far_, capacity_);
    capacity_ = N;
  }

  // Moves what `other` holds here, where nothing is yet.
  void take(ShortVector& other) {
    size_ = std::exchange(other.size_, 0);
    if (other.capacity_ > N) {
      far_ = other.far_;
      capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(N));
    } else {
      std::uninitialized_copy_n(other.data(), size_, data());
    }
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;  // more than N: the elements lie elsewhere
  union {
    T* far_;
    alignas(T) std::byte near_[N * sizeof(T)];
  };
};

}  // namespace wick::compiler

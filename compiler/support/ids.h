// Typed ids: an index into one table cannot be used as an index into another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace wick::compiler {

// The index of an element of one table. `Tag` names the table.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {}

  // True if the id names something; a default-constructed id names nothing.
  constexpr bool valid() const { return index_ != kNone; }
  constexpr std::size_t index() const { return index_; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t index_ = kNone;
};

// A table indexed by one kind of id.
template <class IdType, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, const T& value = T()) : items_(size, value) {}

  IdType push_back(T value) {
    items_.push_back(std::move(value));
    return IdType(items_.size() - 1);
  }
  decltype(auto) operator[](IdType id) { return items_[id.index()]; }
  decltype(auto) operator[](IdType id) const { return items_[id.index()]; }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void resize(std::size_t size, const T& value = T()) { items_.resize(size, value); }
  IdType next_id() const { return IdType(items_.size()); }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
};

// A half-open range of ids, to walk a table in order: `for (NodeId id : ids<NodeId>(n))`.
template <class IdType>
class IdRange {
 public:
  class Iterator {
   public:
    explicit Iterator(std::size_t index) : index_(index) {}
    IdType operator*() const { return IdType(index_); }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    std::size_t index_;
  };

  explicit IdRange(std::size_t size) : size_(size) {}
  Iterator begin() const { return Iterator(0); }
  Iterator end() const { return Iterator(size_); }

 private:
  std::size_t size_;
};

template <class IdType>
IdRange<IdType> ids(std::size_t size) {
  return IdRange<IdType>(size);
}

template <class IdType, class T>
IdRange<IdType> ids(const IdVector<IdType, T>& table) {
  return IdRange<IdType>(table.size());
}

// A number of bytes, or an offset in bytes.
struct Bytes {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
  Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
};

// Slots of the arena begin at multiples of this.
inline constexpr Bytes kArenaAlignment{64};

// The smallest multiple of `alignment` that is at least `size`.
constexpr Bytes round_up(Bytes size, Bytes alignment = kArenaAlignment) {
  return {(size.count + alignment.count - 1) / alignment.count * alignment.count};
}

}  // namespace wick::compiler

template <class Tag>
struct std::hash<wick::compiler::Id<Tag>> {
  std::size_t operator()(wick::compiler::Id<Tag> id) const { return id.index(); }
};

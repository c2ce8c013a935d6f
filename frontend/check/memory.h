// What the memory of an emitted program holds while its statements are followed one by one.
//
// Memory is a set of storages: a range of the arena or of the state, an allocation of the heap, a
// parameter of run. Each holds at most one value, which is what one statement wrote into all of it;
// so a read that stays inside of its storage sees bytes that one statement wrote. A storage of the
// arena begins with the statement that writes it and ends with its free; storages that live at the
// same time lie in bytes of their own, and a statement that writes into one that has not been freed
// is a fault of whoever uses or frees that one later.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

using StorageIndex = std::uint32_t;
inline constexpr StorageIndex kNoStorage = ~std::uint32_t{0};

// What a statement wrote; values are counted from 1.
using ValueIndex = std::uint32_t;
inline constexpr ValueIndex kNoValue = 0;

// Who did something to memory, and where: for messages.
struct Actor {
  std::string_view name;  // by which the memory was called
  Place place;
  std::uint32_t step = 0;      // the statement, counted over the whole program
  std::uint32_t function = 0;  // in which it stands
};

struct Storage {
  enum class Kind : std::uint8_t { kArena, kState, kHeap, kEmpty, kDonated, kOutput };
  enum class End : std::uint8_t { kNone, kFreed, kRetired, kReused };
  struct Clobber {
    Actor by;
    std::int64_t begin = 0;  // bytes
    std::int64_t end = 0;
    bool is_scratch = false;
  };

  Kind kind = Kind::kArena;
  std::string_view label;  // by which it is freed
  std::int64_t begin = 0;  // of the arena or the state
  std::int64_t bytes = 0;
  ValueIndex value = kNoValue;
  DType dtype = DType::kF32;  // of the value
  Actor writer;               // of the value
  Actor last_use;
  End end = End::kNone;
  Actor ender;
  bool is_misplaced = false;      // the end does not stand directly after the last use
  std::optional<Actor> finished;  // kOutput: who read it as what it is in the end
  std::optional<Clobber> clobber;
  bool is_reported = false;  // one fault of each storage is enough
};

class Memory {
 public:
  explicit Memory(std::vector<Finding>& findings) : findings_(findings) {}

  const Storage& operator[](StorageIndex index) const { return storages_[index]; }

  // A storage that nobody has written; those of the caller and of the heap.
  StorageIndex add(Storage::Kind kind, std::int64_t bytes, Actor by);
  // What a donated input holds at the beginning.
  void give_value(StorageIndex index, DType dtype, Actor by);

  // The storage that lives in exactly these bytes of the arena or the state, if there is one.
  StorageIndex find(Storage::Kind kind, std::int64_t begin, std::int64_t bytes) const;

  // A statement reads `seen`, as elements of `dtype`; or, without a dtype, overwrites it in place.
  void read(StorageIndex index, ValueIndex seen, std::optional<DType> dtype, const Actor& reader);

  // A statement writes the whole of a range of the arena or the state, which becomes a storage; and
  // writes to all that lives there.
  StorageIndex write_range(Storage::Kind kind, std::int64_t begin, std::int64_t bytes, DType dtype,
                           const Actor& writer);
  // A statement writes the whole of a storage, afresh or in place.
  void write(StorageIndex index, DType dtype, const Actor& writer);
  void overwrite(StorageIndex index, DType dtype, const Actor& writer);
  // A statement has read an output by its own name, which stands for what it is in the end.
  void finish(StorageIndex index, const Actor& by) { storages_[index].finished = by; }
  // A statement uses a range as scratch.
  void scratch(std::int64_t begin, std::int64_t bytes, const Actor& user);

  // wick::free and wick::retire. `directly` unless something else stands after the last statement.
  void end(StorageIndex index, Storage::End how, bool directly, const Actor& by);
  // wick::reuse: a new storage in the memory of one that was retired.
  StorageIndex reuse(StorageIndex index, std::int64_t bytes, const Actor& by);

  // Reports what is never freed; `kinds` of the storages whose lives end here.
  void must_be_freed();
  void must_be_written();

  void fail(StorageIndex index, Place place, std::string message, std::string hint);
  // A name of it was reported; what follows from that is not.
  void hush(StorageIndex index) { storages_[index].is_reported = true; }

 private:
  std::map<std::int64_t, StorageIndex>& live(Storage::Kind kind);
  const std::map<std::int64_t, StorageIndex>& live(Storage::Kind kind) const;
  void clobber_range(Storage::Kind kind, std::int64_t begin, std::int64_t bytes, const Actor& by,
                     bool is_scratch);
  void touch(Storage& storage, const Actor& by) { storage.last_use = by; }
  void set_value(Storage& storage, DType dtype, const Actor& writer);

  std::vector<Finding>& findings_;
  std::vector<Storage> storages_;
  std::map<std::int64_t, StorageIndex> arena_;  // what lives, by its first byte
  std::map<std::int64_t, StorageIndex> state_;
  std::size_t freed_until_ = 0;  // storages before it have been looked at by must_be_freed
  ValueIndex values_ = kNoValue;
};

// "line 61"
std::string line_of(Place place);

}  // namespace wick::frontend::check

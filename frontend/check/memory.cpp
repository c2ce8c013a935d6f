#include "frontend/check/memory.h"

#include <algorithm>

#include "compiler/support/ids.h"
#include "frontend/check/names.h"

namespace wick::frontend::check {
namespace {

// A storage occupies its bytes rounded up: that is what wick::free gives back.
std::int64_t end_of(std::int64_t begin, std::int64_t bytes) {
  return begin + compiler::round_up(compiler::Bytes{bytes}).count;
}

// "line 61 has overwritten its bytes [4096, 6144) with `attention`"
std::string clobber_text(const Storage::Clobber& clobber) {
  return line_of(clobber.by.place) + " has overwritten its bytes " +
         range_text(clobber.begin, clobber.end) + " with " +
         (clobber.is_scratch ? "the scratch memory " : "") + in_ticks(clobber.by.name);
}

}  // namespace

std::string line_of(Place place) { return "line " + std::to_string(place.line); }

std::map<std::int64_t, StorageIndex>& Memory::live(Storage::Kind kind) {
  return kind == Storage::Kind::kState ? state_ : arena_;
}
const std::map<std::int64_t, StorageIndex>& Memory::live(Storage::Kind kind) const {
  return kind == Storage::Kind::kState ? state_ : arena_;
}

void Memory::fail(StorageIndex index, Place place, std::string message, std::string hint) {
  if (storages_[index].is_reported) return;
  storages_[index].is_reported = true;
  findings_.push_back({place, std::move(message), std::move(hint), {}});
}

// ---- Storages -----------------------------------------------------------------------------------

StorageIndex Memory::add(Storage::Kind kind, std::int64_t bytes, Actor by) {
  Storage storage;
  storage.kind = kind;
  storage.label = by.name;
  storage.bytes = bytes;
  storage.writer = by;
  storage.last_use = by;
  storages_.push_back(storage);
  return static_cast<StorageIndex>(storages_.size() - 1);
}

void Memory::give_value(StorageIndex index, DType dtype, Actor by) {
  set_value(storages_[index], dtype, by);
}

void Memory::set_value(Storage& storage, DType dtype, const Actor& writer) {
  storage.value = ++values_;
  storage.dtype = dtype;
  storage.writer = writer;
  storage.last_use = writer;
}

StorageIndex Memory::find(Storage::Kind kind, std::int64_t begin, std::int64_t bytes) const {
  const auto at = live(kind).find(begin);
  if (at == live(kind).end() || storages_[at->second].bytes != bytes) return kNoStorage;
  return at->second;
}

// ---- Reads --------------------------------------------------------------------------------------

void Memory::read(StorageIndex index, ValueIndex seen, std::optional<DType> dtype,
                  const Actor& reader) {
  Storage& storage = storages_[index];
  const std::string here =
      in_ticks(reader.name) + (dtype ? " is read here" : " is overwritten in place here");
  if (storage.clobber) {
    fail(index, reader.place, here + ", but " + clobber_text(*storage.clobber),
         "give " + in_ticks(storage.clobber->by.name) + " bytes of its own, or use " +
             in_ticks(reader.name) + " before " + line_of(storage.clobber->by.place));
  } else if (storage.end != Storage::End::kNone) {
    fail(index, reader.place,
         here + ", but " + line_of(storage.ender.place) + " has freed " +
             (storage.ender.name == reader.name ? "it" : in_ticks(storage.ender.name)),
         "free it directly after the last statement that uses it");
  } else if (storage.value == kNoValue || seen == kNoValue) {
    fail(index, reader.place, here + ", but nothing has been written to it",
         "the statement that computes it must stand before this one");
  } else if (seen != storage.value) {
    fail(index, reader.place,
         here + ", but " + line_of(storage.writer.place) + " has overwritten it with " +
             in_ticks(storage.writer.name),
         "use " + in_ticks(reader.name) + " before that line, or keep its memory apart");
  } else if (dtype && *dtype != storage.dtype) {
    fail(index, reader.place,
         here + " as " + std::string(compiler::name_of(*dtype)) + ", but " +
             line_of(storage.writer.place) + " has written elements of type " +
             std::string(compiler::name_of(storage.dtype)),
         "");
  }
  touch(storage, reader);
}

// ---- Writes -------------------------------------------------------------------------------------

void Memory::clobber_range(Storage::Kind kind, std::int64_t begin, std::int64_t bytes,
                           const Actor& by, bool is_scratch) {
  auto& map = live(kind);
  const std::int64_t end = end_of(begin, bytes);
  auto at = map.upper_bound(begin);
  if (at != map.begin()) {
    const Storage& before = storages_[std::prev(at)->second];
    if (end_of(before.begin, before.bytes) > begin) --at;
  }
  while (at != map.end() && at->first < end) {
    const StorageIndex index = at->second;
    Storage& victim = storages_[index];
    at = map.erase(at);
    const std::int64_t first = std::max(begin, victim.begin);
    const std::int64_t last = std::min(begin + bytes, victim.begin + victim.bytes);
    victim.clobber = Storage::Clobber{by, first, std::max(first, last), is_scratch};
    if (kind == Storage::Kind::kState) {
      fail(index, by.place,
           in_ticks(by.name) + " is written here over " + in_ticks(victim.label) +
               ", a cached value",
           "cached values are kept for the calls to come: each has bytes of its own");
      continue;
    }
    if (victim.last_use.step != by.step) continue;
    fail(index, by.place,
         (is_scratch ? "the scratch memory " : "") + in_ticks(by.name) + " lies in bytes " +
             range_text(victim.clobber->begin, victim.clobber->end) + " of " +
             in_ticks(victim.last_use.name) + ", which the same statement uses",
         "results, operands and scratch memory of a statement lie apart");
  }
}

StorageIndex Memory::write_range(Storage::Kind kind, std::int64_t begin, std::int64_t bytes,
                                 DType dtype, const Actor& writer) {
  clobber_range(kind, begin, bytes, writer, false);
  const StorageIndex index = add(kind, bytes, writer);
  storages_[index].begin = begin;
  live(kind).emplace(begin, index);
  set_value(storages_[index], dtype, writer);
  return index;
}

void Memory::write(StorageIndex index, DType dtype, const Actor& writer) {
  Storage& storage = storages_[index];
  if (storage.end != Storage::End::kNone) {
    fail(index, writer.place,
         in_ticks(writer.name) + " is written here, but " + line_of(storage.ender.place) +
             " has freed it",
         "free it directly after the last statement that uses it");
  } else if (storage.value != kNoValue && storage.last_use.step == writer.step) {
    fail(index, writer.place,
         in_ticks(writer.name) + " is written here over " + in_ticks(storage.last_use.name) +
             ", which the same statement uses",
         "only statements that work in place may write over their operands");
  } else if (storage.value != kNoValue && storage.kind != Storage::Kind::kDonated) {
    fail(index, writer.place,
         in_ticks(writer.name) + " is written here, but " + line_of(storage.writer.place) +
             " has written it already",
         "only statements that work in place may overwrite what was written");
  }
  overwrite(index, dtype, writer);
}

void Memory::overwrite(StorageIndex index, DType dtype, const Actor& writer) {
  Storage& storage = storages_[index];
  if (storage.finished) {
    fail(index, writer.place,
         in_ticks(writer.name) + " is written here, but " + line_of(storage.finished->place) +
             " has read it as the finished output",
         "read an output after its last write");
  }
  set_value(storage, dtype, writer);
}

void Memory::scratch(std::int64_t begin, std::int64_t bytes, const Actor& user) {
  clobber_range(Storage::Kind::kArena, begin, bytes, user, true);
}

// ---- Ends ---------------------------------------------------------------------------------------

void Memory::end(StorageIndex index, Storage::End how, bool directly, const Actor& by) {
  Storage& storage = storages_[index];
  const std::string here = in_ticks(by.name) + " is freed here";
  if (storage.end != Storage::End::kNone) {
    fail(index, by.place, here + ", but " + line_of(storage.ender.place) + " has freed it already",
         "free it once, directly after the last statement that uses it");
  } else if (storage.clobber) {
    fail(index, by.place, here + ", but " + clobber_text(*storage.clobber),
         "free " + in_ticks(by.name) + " before " + line_of(storage.clobber->by.place) +
             ", directly after its last use in " + line_of(storage.last_use.place));
  } else if (storage.value == kNoValue) {
    fail(index, by.place, here + ", but nothing has been written to it",
         "free what a statement has written");
  } else {
    // Whether it is too early or too late is known when nothing reads it any more.
    storage.is_misplaced = !directly || storage.last_use.step != by.step;
  }
  if (storage.end == Storage::End::kNone && !storage.clobber &&
      storage.kind == Storage::Kind::kArena) {
    live(storage.kind).erase(storage.begin);
  }
  storage.end = how;
  storage.ender = by;
}

StorageIndex Memory::reuse(StorageIndex index, std::int64_t bytes, const Actor& by) {
  Storage& storage = storages_[index];
  if (storage.end != Storage::End::kRetired) {
    fail(index, by.place,
         "the memory of " + in_ticks(storage.label) + " is used again by " + in_ticks(by.name) +
             ", but it has not been retired",
         "only memory that wick::retire has kept may be used again, and once");
  } else if (compiler::round_up(compiler::Bytes{bytes}) !=
             compiler::round_up(compiler::Bytes{storage.bytes})) {
    fail(index, by.place,
         in_ticks(by.name) + " has not the size of " + in_ticks(storage.label) +
             ", in whose memory it shall lie",
         "");
  }
  storage.end = Storage::End::kReused;
  return add(Storage::Kind::kHeap, bytes, by);
}

void Memory::must_be_freed() {
  for (; freed_until_ < storages_.size(); ++freed_until_) {
    const auto index = static_cast<StorageIndex>(freed_until_);
    const Storage& storage = storages_[index];
    const bool owned = storage.kind == Storage::Kind::kArena ||
                       storage.kind == Storage::Kind::kHeap ||
                       storage.kind == Storage::Kind::kEmpty;
    if (!owned) continue;
    if (storage.is_misplaced) {
      fail(index, storage.ender.place,
           in_ticks(storage.ender.name) + " is freed here, but " + line_of(storage.last_use.place) +
               " is the last to use it",
           "free it directly after that statement, so that its memory can be used again");
    } else if (storage.end == Storage::End::kRetired) {
      fail(index, storage.ender.place,
           in_ticks(storage.label) + " is retired here, but nothing uses its memory again",
           "free it instead");
    } else if (storage.end == Storage::End::kNone) {
      std::string message =
          in_ticks(storage.label) + " is never freed, and this is the last statement that uses it";
      if (storage.clobber) message += "; " + clobber_text(*storage.clobber);
      fail(index, storage.last_use.place, message, "free it directly after this statement");
    }
  }
}

void Memory::must_be_written() {
  for (StorageIndex index = 0; index < storages_.size(); ++index) {
    const Storage& storage = storages_[index];
    if (storage.kind != Storage::Kind::kOutput || storage.value != kNoValue || storage.bytes == 0)
      continue;
    fail(index, storage.writer.place, "the output " + in_ticks(storage.label) + " is never written",
         "each output is written completely");
  }
}

}  // namespace wick::frontend::check

#include "tests/check/memory_model.h"

#include <algorithm>
#include <set>

namespace wick::mutation {
namespace {

constexpr std::int64_t kAlignment = 64;

std::int64_t rounded_up(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

Tag mixed(Tag tag, Tag other) {
  tag = (tag ^ other) * 0x9E3779B97F4A7C15u;
  tag ^= tag >> 29;
  return tag <= kFreed ? tag + 2 : tag;
}

}  // namespace

std::size_t Memory::add(const std::string& name, std::int64_t bytes, Block::Kind kind) {
  Block block{name, kind, std::vector<Tag>(static_cast<std::size_t>(bytes), kUndefined)};
  if (kind == Block::Kind::kConstant || kind == Block::Kind::kDonated) {
    for (std::size_t i = 0; i < block.tags.size(); ++i)
      block.tags[i] = mixed(std::hash<std::string>()(name), i);
  }
  blocks_.push_back(std::move(block));
  return blocks_.size() - 1;
}

Reference Memory::open(const Reference& slot) {
  Block& block = blocks_[slot.block];
  const std::int64_t end = slot.offset + rounded_up(slot.type.bytes());
  if (slot.offset < 0 || slot.offset % kAlignment != 0) throw Fault("a slot is misaligned");
  if (end > static_cast<std::int64_t>(block.tags.size()))
    throw Fault("a slot ends beyond " + block.name);
  for (std::int64_t i = slot.offset; i < end; ++i) {
    Tag& tag = block.tags[static_cast<std::size_t>(i)];
    if (tag == kFreed) tag = kUndefined;
  }
  return slot;
}

Reference Memory::allocate(const Type& type) {
  return {add("heap", rounded_up(type.bytes()), Block::Kind::kHeap), 0, type};
}

void Memory::mark(const Reference& slot, Tag tag) {
  Block& block = blocks_[slot.block];
  if (block.kind == Block::Kind::kDead) throw Fault("a slot is freed twice");
  const std::int64_t end = slot.offset + rounded_up(slot.type.bytes());
  for (std::int64_t i = slot.offset; i < end; ++i) {
    Tag& at = block.tags.at(static_cast<std::size_t>(i));
    if (at == kFreed) throw Fault("a slot is freed twice");
    at = tag;
  }
}

void Memory::free(const Reference& slot) {
  mark(slot, kFreed);
  Block& block = blocks_[slot.block];
  if (block.kind == Block::Kind::kHeap) block.kind = Block::Kind::kDead;
}

void Memory::retire(const Reference& slot) { mark(slot, kFreed); }

Reference Memory::reuse(const Reference& retired, const Type& type) {
  const Block& block = blocks_[retired.block];
  if (rounded_up(type.bytes()) != static_cast<std::int64_t>(block.tags.size()))
    throw Fault("memory is reused for another size");
  if (block.kind != Block::Kind::kHeap ||
      std::ranges::any_of(block.tags, [](Tag tag) { return tag != kFreed; }))
    throw Fault("memory is reused that was not retired");
  return open({retired.block, 0, type});
}

void Memory::check_heap() const {
  if (std::ranges::any_of(blocks_, [](const Block& b) { return b.kind == Block::Kind::kHeap; }))
    throw Fault("a heap slot is never freed");
}

std::vector<std::int64_t> Memory::places(const Reference& reference) const {
  const Type& type = reference.type;
  const std::int64_t count = type.elements();
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> index(type.extents.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      element += index[axis] * type.strides[axis];
    places.push_back(reference.offset + element * type.element_bytes());
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < type.extents[axis]) break;
      index[axis] = 0;
    }
  }
  const auto size = static_cast<std::int64_t>(blocks_[reference.block].tags.size());
  for (const std::int64_t place : places) {
    if (place < 0 || place + type.element_bytes() > size)
      throw Fault("an element lies outside " + blocks_[reference.block].name);
  }
  return places;
}

Tag Memory::read(const Reference& reference, Tag tag) const {
  const Block& block = blocks_[reference.block];
  if (block.kind == Block::Kind::kDead) throw Fault("freed memory is read");
  for (const std::int64_t place : places(reference)) {
    for (std::int64_t i = 0; i < reference.type.element_bytes(); ++i) {
      const Tag at = block.tags[static_cast<std::size_t>(place + i)];
      if (at == kUndefined) throw Fault("bytes of " + block.name + " are read that nobody wrote");
      if (at == kFreed) throw Fault("freed bytes of " + block.name + " are read");
      tag = mixed(tag, at);
    }
  }
  return tag;
}

void Memory::check_writable(const Reference& reference) const {
  const Block& block = blocks_[reference.block];
  if (block.kind == Block::Kind::kConstant) throw Fault(block.name + " is written");
  if (block.kind == Block::Kind::kDead) throw Fault("freed memory is written");
  for (const std::int64_t place : places(reference)) {
    for (std::int64_t i = 0; i < reference.type.element_bytes(); ++i) {
      if (block.tags[static_cast<std::size_t>(place + i)] == kFreed)
        throw Fault("freed bytes of " + block.name + " are written");
    }
  }
}

Tag Memory::write(const Reference& reference, Tag tag) {
  if (reference.type.elements() == 0) return tag;
  check_writable(reference);
  Tag number = 2;
  for (const std::int64_t place : places(reference)) {
    for (std::int64_t i = 0; i < reference.type.element_bytes(); ++i) {
      tag = mixed(tag, number++);
      blocks_[reference.block].tags[static_cast<std::size_t>(place + i)] = tag;
    }
  }
  return tag;
}

void Memory::copy(const Reference& from, const Reference& to) {
  if (to.type.elements() == 0) return;
  check_writable(to);
  const auto read = places(from);
  const auto written = places(to);
  if (read.size() != written.size()) throw Fault("a copy between different counts of elements");
  for (std::size_t k = 0; k < read.size(); ++k) {
    for (std::int64_t i = 0; i < to.type.element_bytes(); ++i) {
      blocks_[to.block].tags[static_cast<std::size_t>(written[k] + i)] =
          blocks_[from.block].tags[static_cast<std::size_t>(read[k] + i)];
    }
  }
}

void Memory::spoil(const Reference& scratch) {
  Block& block = blocks_[scratch.block];
  for (const std::int64_t place : places(scratch)) {
    Tag& at = block.tags[static_cast<std::size_t>(place)];
    if (at == kFreed) throw Fault("scratch was freed");
    at = kUndefined;
  }
}

void Memory::check_apart(const Reference& a, const Reference& b) const {
  if (a.block != b.block) return;
  std::set<std::int64_t> bytes;
  for (const std::int64_t place : places(a)) {
    for (std::int64_t i = 0; i < a.type.element_bytes(); ++i) bytes.insert(place + i);
  }
  for (const std::int64_t place : places(b)) {
    for (std::int64_t i = 0; i < b.type.element_bytes(); ++i) {
      if (bytes.contains(place + i)) throw Fault("a statement writes over what it uses itself");
    }
  }
}

bool Memory::is_same_place(const Reference& a, const Reference& b) const {
  return a.block == b.block && a.type.element_bytes() == b.type.element_bytes() &&
         places(a) == places(b);
}

}  // namespace wick::mutation

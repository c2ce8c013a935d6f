// The one 64-bit hash of wick: weights files, cached runs and versions are recognised by it.
//
// It is XXH64 (Y. Collet, "xxHash fast digest algorithm", version 0.1.1 of the specification),
// written from that document: the same digest on every machine, whatever its byte order, for bytes
// given at once or piece by piece. It finds accidents, not attacks.
//
//   const std::uint64_t digest = wick::hash64(data, size);
//
//   wick::Hash64 hash;
//   hash.update(head, head_size);
//   hash.update(rest, rest_size);
//   const std::uint64_t same = hash.digest();

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wick {

class Hash64 {
 public:
  explicit Hash64(std::uint64_t seed = 0)
      : lanes_{seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1}, seed_(seed) {}

  // Appends bytes. `data` may be null if `size` is 0.
  void update(const void* data, std::size_t size) {
    if (size == 0) return;
    const auto* bytes = static_cast<const unsigned char*>(data);
    total_ += size;
    if (held_ > 0) {
      const std::size_t wanted = kStripe - held_;
      const std::size_t taken = size < wanted ? size : wanted;
      std::memcpy(buffer_ + held_, bytes, taken);
      held_ += taken;
      bytes += taken;
      size -= taken;
      if (held_ < kStripe) return;
      consume(buffer_);
      held_ = 0;
    }
    for (; size >= kStripe; size -= kStripe, bytes += kStripe) consume(bytes);
    std::memcpy(buffer_, bytes, size);
    held_ = size;
  }

  // The hash of everything so far; more may be appended afterwards.
  std::uint64_t digest() const {
    std::uint64_t hash = total_ >= kStripe ? converged() : seed_ + kPrime5;
    hash += total_;
    std::size_t at = 0;
    for (; at + 8 <= held_; at += 8) {
      hash = rotate(hash ^ round(0, read(buffer_ + at, 8)), 27) * kPrime1 + kPrime4;
    }
    for (; at + 4 <= held_; at += 4) {
      hash = rotate(hash ^ (read(buffer_ + at, 4) * kPrime1), 23) * kPrime2 + kPrime3;
    }
    for (; at < held_; ++at) hash = rotate(hash ^ (buffer_[at] * kPrime5), 11) * kPrime1;
    hash = (hash ^ (hash >> 33)) * kPrime2;
    hash = (hash ^ (hash >> 29)) * kPrime3;
    return hash ^ (hash >> 32);
  }

 private:
  static constexpr std::size_t kStripe = 32;
  static constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87;
  static constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
  static constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9;
  static constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
  static constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5;

  static constexpr std::uint64_t rotate(std::uint64_t x, int count) {
    return (x << count) | (x >> (64 - count));
  }
  // The first `count` bytes as a number, lowest first.
  static std::uint64_t read(const unsigned char* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = count; i-- > 0;) value = (value << 8) | bytes[i];
    return value;
  }
  static std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
    return rotate(lane + input * kPrime2, 31) * kPrime1;
  }
  void consume(const unsigned char* stripe) {
    for (int i = 0; i < 4; ++i) lanes_[i] = round(lanes_[i], read(stripe + 8 * i, 8));
  }
  std::uint64_t converged() const {
    std::uint64_t hash =
        rotate(lanes_[0], 1) + rotate(lanes_[1], 7) + rotate(lanes_[2], 12) + rotate(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
    return hash;
  }

  std::uint64_t lanes_[4];
  std::uint64_t seed_;
  std::uint64_t total_ = 0;
  std::size_t held_ = 0;
  unsigned char buffer_[kStripe] = {};
};

inline std::uint64_t hash64(const void* data, std::size_t size, std::uint64_t seed = 0) {
  Hash64 hash(seed);
  hash.update(data, size);
  return hash.digest();
}

}  // namespace wick

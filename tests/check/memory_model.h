// Memory for the simulator: blocks of bytes with a tag for each.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/check/emitted.h"

namespace wick::mutation {

using Tag = std::uint64_t;

constexpr Tag kUndefined = 0;
constexpr Tag kFreed = 1;

// A use of memory that no right function makes.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Block {
  enum class Kind : std::uint8_t {
    kPlain,     // nothing in it yet
    kConstant,  // given, and not to be written
    kDonated,   // given, and may be written
    kHeap,      // allocated, and to be freed
    kDead,      // was freed
  };
  std::string name;
  Kind kind = Kind::kPlain;
  std::vector<Tag> tags;
};

// A tensor in a block; or scratch, whose type is a vector of bytes.
struct Reference {
  std::size_t block = 0;
  std::int64_t offset = 0;  // bytes
  Type type;
  bool is_workspace = false;
};

struct Operand {
  Reference reference;
  bool may_share = false;  // with a result written in place
};

// Every function throws Fault.
class Memory {
 public:
  std::size_t add(const std::string& name, std::int64_t bytes, Block::Kind kind);
  const Block& block(std::size_t index) const { return blocks_[index]; }

  // A slot or scratch comes into being: its bytes, rounded up to 64, lie inside the block; what
  // was freed is undefined again.
  Reference open(const Reference& slot);
  Reference allocate(const Type& type);
  void free(const Reference& slot);
  void retire(const Reference& slot);
  Reference reuse(const Reference& retired, const Type& type);
  void check_heap() const;  // nothing is left

  // Mixes the tags of all bytes into `tag`, in the order of the elements.
  Tag read(const Reference& reference, Tag tag) const;
  // Gives fresh tags made of `tag`.
  Tag write(const Reference& reference, Tag tag);
  // Takes the tags along, element by element. Requires: as many elements of one size.
  void copy(const Reference& from, const Reference& to);
  void spoil(const Reference& scratch);

  void check_apart(const Reference& a, const Reference& b) const;
  // Whether both walk through the same bytes in the same order.
  bool is_same_place(const Reference& a, const Reference& b) const;

 private:
  std::vector<std::int64_t> places(const Reference& reference) const;
  void check_writable(const Reference& reference) const;
  void mark(const Reference& slot, Tag tag);

  std::vector<Block> blocks_;
};

}  // namespace wick::mutation

// Values that are there already: nodes that compute the same, and views that show the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/support/hash_index.h"

namespace wick::compiler {

// What two things have in common if they are equal, as a sequence of words.
struct Key {
  std::vector<std::uint64_t> words;
  friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const;
};

// Nodes by operation, attributes (bit by bit), operands and the types of their results. Operands of
// a commutative operation count in either order. The table is looked up and never walked, so that
// nothing depends on the order in it.
//
// Equal nodes share their operands, so nodes are found among the users of their latest operand,
// which is near in memory because it is near in the graph. A value of many users keeps the first
// few in its list, and all others go to a hash table.
class KnownNodes {
 public:
  void reserve(std::size_t nodes) { users_.reserve(nodes); }

  // The first node that was entered with the same key; enters `id` and returns nothing if there is
  // none yet. Then `node` has to become node `id` of `graph`, with results of `types`, before the
  // next call.
  std::optional<NodeId> find_or_enter(const Graph& graph, const Node& node,
                                      const std::vector<ops::TensorType>& types, NodeId id);

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kMostUsers = 8;  // in the list of a value

  // The users of a value, the first one at the front.
  struct Users {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count = 0;
  };
  struct User {
    std::uint32_t hash = 0;  // a part of it, to tell most nodes apart without a look at them
    std::uint32_t next = kNone;
  };

  IdVector<ValueId, Users> users_of_;
  IdVector<NodeId, User> users_;
  HashIndex others_;  // nodes without operands, and those whose list is full
  Key key_, other_;   // kept for their memory: they are made anew from the graph to be compared
};

// Views by the storage they show and the way they show it. A storage is named by the value that
// owns it. The first few views of a storage are found by way of their owner, which is near in the
// graph; all others by a hash table.
class KnownViews {
 public:
  // The owner of the storage that `value` shows.
  ValueId storage_of(ValueId value) const {
    return value.index() < storages_.size() && storages_[value].valid() ? storages_[value] : value;
  }
  // A value that shows `layout` of that storage, if one is known: the owner or a view.
  std::optional<ValueId> find(const Graph& graph, ValueId storage, const Layout& layout) const;
  // `view` shows `layout` of `storage`. Of equal views the first is found.
  void enter(ValueId view, ValueId storage, const Layout& layout);

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kMostListed = 8;  // views of one storage

  struct View {
    ValueId value;
    ValueId storage;
    Layout layout;
    std::uint32_t next = kNone;  // of the same storage
  };
  struct Listed {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count = 0;
  };

  // Whether a view by its number shows that layout of that storage.
  auto is_other(ValueId storage, const Layout& layout) const;

  IdVector<ValueId, ValueId> storages_;
  IdVector<ValueId, Listed> listed_;  // of a storage
  std::vector<View> views_;
  HashIndex others_;  // views whose list is full
};

}  // namespace wick::compiler

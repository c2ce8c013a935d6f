#include "compiler/simplify/common.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wick::compiler {
namespace {

std::uint64_t word(std::int64_t number) { return static_cast<std::uint64_t>(number); }

// Appends attribute values; every list begins with its length, so that no two sequences of values
// give the same words.
class KeyWriter {
 public:
  explicit KeyWriter(Key& key) : words_(key.words) {}

  void operator()(bool flag) { words_.push_back(flag); }
  void operator()(std::int64_t number) { words_.push_back(word(number)); }
  void operator()(double number) { words_.push_back(std::bit_cast<std::uint64_t>(number)); }
  void operator()(DType dtype) { words_.push_back(static_cast<std::uint64_t>(dtype)); }
  void operator()(const std::string& text) {
    words_.push_back(text.size());
    for (const char c : text) words_.push_back(static_cast<unsigned char>(c));
  }
  void operator()(const ops::Integers& numbers) {
    words_.push_back(numbers.size());
    for (const std::int64_t number : numbers) (*this)(number);
  }
  void operator()(const ops::Ranges& ranges) {
    words_.push_back(ranges.size());
    for (const ops::Range& range : ranges) {
      words_.push_back((range.start ? 1u : 0u) | (range.stop ? 2u : 0u));
      (*this)(range.start.value_or(0));
      (*this)(range.stop.value_or(0));
      (*this)(range.step);
    }
  }
  void operator()(const ops::Pairs& pairs) {
    words_.push_back(pairs.size());
    for (const auto& [first, second] : pairs) {
      (*this)(first);
      (*this)(second);
    }
  }
  void operator()(const ops::Parts& parts) {
    words_.push_back(parts.size());
    for (const ops::Part& part : parts) (*this)(part.size);
  }
  void operator()(const ops::Strides& strides) {
    words_.push_back(strides.size());
    for (const ops::Stride& stride : strides) {
      (*this)(stride.start);
      (*this)(stride.step);
      (*this)(stride.count);
    }
  }

 private:
  std::vector<std::uint64_t>& words_;
};

// Writes the key of a node; `type_of` gives the types of its results, one by one.
template <class TypeOf>
void write_key(const Node& node, std::size_t results, TypeOf&& type_of, Key& key) {
  key.words.clear();
  KeyWriter write(key);
  key.words.push_back(std::bit_cast<std::uintptr_t>(node.op));
  key.words.push_back(node.operands.size());
  for (const ValueId operand : node.operands) key.words.push_back(operand.index());
  if (node.op->traits.commutative) std::ranges::sort(key.words.begin() + 2, key.words.end());
  for (const auto& [name, value] : node.attributes.entries()) {
    write(name);
    key.words.push_back(value.index());
    std::visit(write, value);
  }
  for (std::size_t i = 0; i < results; ++i) {
    const ops::TensorType& type = type_of(i);
    write(type.dtype);
    key.words.push_back(type.shape().rank());
    for (const std::int64_t extent : type.shape().extents()) write(extent);
  }
}

// Where a layout's elements are, as `shows_the_same` compares it.
Key key_of(ValueId storage, const Layout& layout) {
  Key key;
  const Shape& shape = layout.shape();
  const bool has_elements = shape.has_elements();
  key.words = {storage.index(), has_elements ? word(layout.offset()) : 0};
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    key.words.push_back(word(shape[axis]));
    key.words.push_back(has_elements && shape[axis] > 1 ? word(layout.stride(axis)) : 0);
  }
  return key;
}

// Strides that are never taken a step along say nothing.
bool shows_the_same(const Layout& a, const Layout& b) {
  const Shape& shape = a.shape();
  if (shape != b.shape()) return false;
  if (!shape.has_elements()) return true;
  if (a.offset() != b.offset()) return false;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] > 1 && a.stride(axis) != b.stride(axis)) return false;
  }
  return true;
}

}  // namespace

std::size_t KeyHash::operator()(const Key& key) const {
  // Multiply and fold each word in; the constants are those of the splitmix64 generator.
  std::uint64_t hash = key.words.size();
  for (const std::uint64_t word : key.words) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    hash ^= hash >> 31;
  }
  return hash;
}

std::optional<NodeId> KnownNodes::find_or_enter(const Graph& graph, const Node& node,
                                                const std::vector<ops::TensorType>& types,
                                                NodeId id) {
  write_key(
      node, types.size(), [&](std::size_t i) -> const ops::TensorType& { return types[i]; }, key_);
  const auto is_same = [&](std::uint32_t number) {
    const Node& known = graph.nodes[NodeId(number)];
    const auto type_of = [&](std::size_t i) -> const ops::TensorType& {
      return graph.values[known.results[i]].type;
    };
    write_key(known, known.results.size(), type_of, other_);
    return key_ == other_;
  };
  const auto number = static_cast<std::uint32_t>(id.index());
  const std::uint64_t hash = KeyHash()(key_);
  if (!node.operands.empty()) {
    const ValueId latest = *std::ranges::max_element(node.operands);
    if (latest.index() >= users_of_.size()) users_of_.resize(graph.values.size());
    users_.resize(id.index() + 1);
    Users& users = users_of_[latest];
    for (std::uint32_t at = users.first; at != kNone; at = users_[NodeId(at)].next) {
      if (users_[NodeId(at)].hash == static_cast<std::uint32_t>(hash) && is_same(at)) {
        return NodeId(at);
      }
    }
    if (users.count < kMostUsers) {
      users_[id].hash = static_cast<std::uint32_t>(hash);
      (users.count++ == 0 ? users.first : users_[NodeId(users.last)].next) = number;
      users.last = number;
      return std::nullopt;
    }
  }
  const auto known = others_.find_or_enter(hash, number, is_same);
  if (!known) return std::nullopt;
  return NodeId(*known);
}

auto KnownViews::is_other(ValueId storage, const Layout& layout) const {
  return [this, storage, &layout](std::uint32_t number) {
    return views_[number].storage == storage && shows_the_same(views_[number].layout, layout);
  };
}

std::optional<ValueId> KnownViews::find(const Graph& graph, ValueId storage,
                                        const Layout& layout) const {
  if (shows_the_same(layout, graph.values[storage].type.layout)) return storage;
  if (storage.index() >= listed_.size()) return std::nullopt;
  const Listed& listed = listed_[storage];
  for (std::uint32_t at = listed.first; at != kNone; at = views_[at].next) {
    if (shows_the_same(views_[at].layout, layout)) return views_[at].value;
  }
  if (listed.count < kMostListed) return std::nullopt;
  const auto at = others_.find(KeyHash()(key_of(storage, layout)), is_other(storage, layout));
  if (!at) return std::nullopt;
  return views_[*at].value;
}

void KnownViews::enter(ValueId view, ValueId storage, const Layout& layout) {
  if (view.index() >= storages_.size()) storages_.resize(view.index() + 1);
  if (storage.index() >= listed_.size()) listed_.resize(storage.index() + 1);
  storages_[view] = storage;
  Listed& listed = listed_[storage];
  const auto number = static_cast<std::uint32_t>(views_.size());
  views_.push_back({view, storage, layout, kNone});
  if (listed.count < kMostListed) {
    (listed.count++ == 0 ? listed.first : views_[listed.last].next) = number;
    listed.last = number;
  } else {
    others_.find_or_enter(KeyHash()(key_of(storage, layout)), number, is_other(storage, layout));
  }
}

}  // namespace wick::compiler

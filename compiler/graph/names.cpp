#include "compiler/graph/names.h"

#include <algorithm>
#include <array>

#include "compiler/support/prefetch.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

// Beyond this many names a suggestion is looked for among the first ones only: a file of a million
// nodes with many errors must still be refused quickly.
constexpr std::size_t kMostCandidates = 100'000;

// By how many names memory is asked for before it is looked at.
constexpr std::size_t kAhead = 16;

// Those of `names` that can be near to `name` at all.
class Candidates {
 public:
  explicit Candidates(std::string_view name) : length_(name.size()) {}

  void add(std::string_view name) {
    const std::size_t difference =
        name.size() > length_ ? name.size() - length_ : length_ - name.size();
    const bool may_be_near = difference <= std::max<std::size_t>(1, length_ / 3);
    if (may_be_near && names_.size() < kMostCandidates) names_.push_back(name);
  }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  std::size_t length_;
  std::vector<std::string_view> names_;
};

}  // namespace

std::string Definition::pointer(const GraphDescription& description) const {
  const std::string at = "/" + std::to_string(index);
  switch (kind) {
    case Kind::kInput:
      return "/inputs" + at + "/name";
    case Kind::kConstant:
      return "/constants" + at + "/name";
    case Kind::kNode:
      break;
  }
  if (description.nodes[index].outputs.empty()) return "/nodes" + at + "/name";
  return "/nodes" + at + "/outputs/" + std::to_string(result);
}

std::size_t named_results(const NodeDescription& node) {
  return node.outputs.empty() ? 1 : node.outputs.size();
}

const std::string& result_name(const NodeDescription& node, std::size_t index) {
  return node.outputs.empty() ? node.name : node.outputs[index];
}

const std::string& display_name(const NodeDescription& node) {
  return node.name.empty() && !node.outputs.empty() ? node.outputs.front() : node.name;
}

NameTable::NameTable(const GraphDescription& description, Diagnostics& diagnostics)
    : description_(description) {
  const std::vector<Entrant> entrants = this->entrants();
  all_.reserve(entrants.size());
  by_name_.reserve(entrants.size());
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    if (i + kAhead < entrants.size()) by_name_.prefetch(entrants[i + kAhead].name.hash);
    enter(entrants[i], diagnostics);
  }
}

std::vector<NameTable::Entrant> NameTable::entrants() const {
  using Kind = Definition::Kind;
  std::vector<Entrant> entrants;
  entrants.reserve(description_.inputs.size() + description_.constants.size() +
                   description_.nodes.size());
  std::uint32_t index = 0;
  for (const InputDescription& input : description_.inputs) {
    entrants.push_back({HashedName(input.name), {Kind::kInput, index++, 0}});
  }
  index = 0;
  for (const ConstantDescription& constant : description_.constants) {
    entrants.push_back({HashedName(constant.name), {Kind::kConstant, index++, 0}});
  }
  index = 0;
  for (const NodeDescription& node : description_.nodes) {
    for (std::uint32_t result = 0; result < named_results(node); ++result) {
      entrants.push_back({HashedName(result_name(node, result)), {Kind::kNode, index, result}});
    }
    ++index;
  }
  return entrants;
}

void NameTable::enter(const Entrant& entrant, Diagnostics& diagnostics) {
  const std::string_view name = entrant.name.name;
  const Definition& definition = entrant.definition;
  if (name.empty()) {
    diagnostics.error({definition.pointer(description_), {}}, "expected a name, found an empty one",
                      "give every input, constant and result a name of its own");
    return;
  }
  const auto is_same = [&](std::uint32_t other) { return all_[other].name == name; };
  const auto number = static_cast<std::uint32_t>(all_.size());
  const auto taken = by_name_.find_or_enter(entrant.name.hash, number, is_same);
  if (!taken) {
    all_.push_back({name, definition});
    return;
  }
  diagnostics.error({definition.pointer(description_), std::string(name)},
                    "the name " + quoted(name) + " is already taken at " +
                        all_[*taken].definition.pointer(description_),
                    "inputs, constants and results share one set of names: rename one of the two");
}

const Definition* NameTable::find(const HashedName& name) const {
  const auto is_same = [&](std::uint32_t other) { return all_[other].name == name.name; };
  const auto at = by_name_.find(name.hash, is_same);
  return at ? &all_[*at].definition : nullptr;
}

std::vector<const Definition*> NameTable::find_all(const std::vector<HashedName>& names) const {
  // A look-up in steps, each of which finds what the one before has asked for: the entry of the
  // hash, the name that it stands for, and the letters of both names.
  const auto any = [](std::uint32_t) { return true; };
  std::vector<const Definition*> found(names.size());
  std::array<const Named*, kAhead> likely{};
  for (std::size_t i = 0; i < names.size() + 3 * kAhead; ++i) {
    if (i < names.size()) by_name_.prefetch(names[i].hash);
    if (const std::size_t j = i - 2 * kAhead; i >= 2 * kAhead && j < names.size()) {
      const Named* const named = likely[j % kAhead];
      if (named != nullptr) prefetch(named->name.data());
      prefetch(names[j].name.data());
    }
    if (const std::size_t j = i - kAhead; i >= kAhead && j < names.size()) {
      const auto at = by_name_.find(names[j].hash, any);
      likely[j % kAhead] = at ? &all_[*at] : nullptr;
      if (at) prefetch(&all_[*at]);
    }
    if (i >= 3 * kAhead) found[i - 3 * kAhead] = find(names[i - 3 * kAhead]);
  }
  return found;
}

std::string NameTable::suggestion(std::string_view name) const {
  Candidates candidates(name);
  for (const InputDescription& input : description_.inputs) candidates.add(input.name);
  for (const ConstantDescription& constant : description_.constants) candidates.add(constant.name);
  for (const NodeDescription& node : description_.nodes) {
    if (node.name == name && !node.outputs.empty()) {
      std::vector<std::string> results;
      for (const std::string& output : node.outputs) results.push_back(quoted(output));
      return "the results of that node are named " + joined(results, ", ");
    }
    for (std::size_t i = 0; i < named_results(node); ++i) candidates.add(result_name(node, i));
  }
  return did_you_mean(name, candidates.names());
}

}  // namespace wick::compiler

#include "compiler/graph/names.h"

#include <algorithm>

#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

// Beyond this many names a suggestion is looked for among the first ones only: a file of a million
// nodes with many errors must still be refused quickly.
constexpr std::size_t kMostCandidates = 100'000;

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
  const std::size_t count =
      description.inputs.size() + description.constants.size() + description.nodes.size();
  all_.reserve(count);
  by_name_.reserve(count);
  using Kind = Definition::Kind;
  std::uint32_t index = 0;
  for (const InputDescription& input : description.inputs) {
    enter(input.name, {Kind::kInput, index++, 0}, diagnostics);
  }
  index = 0;
  for (const ConstantDescription& constant : description.constants) {
    enter(constant.name, {Kind::kConstant, index++, 0}, diagnostics);
  }
  index = 0;
  for (const NodeDescription& node : description.nodes) {
    for (std::uint32_t result = 0; result < named_results(node); ++result) {
      enter(result_name(node, result), {Kind::kNode, index, result}, diagnostics);
    }
    ++index;
  }
}

void NameTable::enter(const std::string& name, Definition definition, Diagnostics& diagnostics) {
  if (name.empty()) {
    diagnostics.error({definition.pointer(description_), {}}, "expected a name, found an empty one",
                      "give every input, constant and result a name of its own");
    return;
  }
  const auto is_same = [&](std::uint32_t other) { return all_[other].name == name; };
  const auto taken =
      by_name_.find_or_enter(mixed_hash(name), static_cast<std::uint32_t>(all_.size()), is_same);
  if (!taken) {
    all_.push_back({name, definition});
    return;
  }
  diagnostics.error({definition.pointer(description_), name},
                    "the name " + quoted(name) + " is already taken at " +
                        all_[*taken].definition.pointer(description_),
                    "inputs, constants and results share one set of names: rename one of the two");
}

const Definition* NameTable::find(std::string_view name) const {
  const auto at = by_name_.find(mixed_hash(name),
                                [&](std::uint32_t other) { return all_[other].name == name; });
  return at ? &all_[*at].definition : nullptr;
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

// How stages make a new Graph out of a valid one: node by node, in topological order, nothing to
// look up and nothing the user could have got wrong. An illegal step is our bug.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/support/hash_index.h"

namespace wick::compiler {

class GraphBuilder {
 public:
  GraphBuilder(std::string name, std::string description);

  // Room for that many.
  void reserve(std::size_t nodes, std::size_t values) {
    graph_.nodes.reserve(nodes);
    graph_.values.reserve(values);
  }

  ValueId input(const Input& like, const Value& value);
  ValueId constant(std::string name, HostTensor data, std::string description,
                   std::uint32_t position);
  // A number of rank 0; equal bits of one dtype are one value.
  ValueId literal(HostTensor scalar, std::uint32_t position);

  // A node whose attributes are normal and whose result types are known (copied from a node of a
  // valid graph). Layouts of views are derived anew from the operands' layouts.
  NodeId node(Node like, std::vector<std::string> result_names,
              std::vector<ops::TensorType> result_types);

  // The same of another graph: name, data and description as they are.
  ValueId copy(const Graph& from, const Input& input);
  ValueId copy(const Graph& from, const Constant& constant);
  NodeId copy(const Graph& from, const Node& node, ValueList operands);

  // A node of `op`, inferred: attributes as a user would write them. Several results are named
  // "name", "name.1", "name.2" …
  NodeId call(const ops::OpRecord& op, std::vector<ValueId> operands, ops::Attributes attributes,
              std::string name, std::uint32_t position);

  // The same value under another name: a node whose operation does nothing.
  ValueId renamed(ValueId value, std::string name, std::uint32_t position);

  // Gives a result made here another name.
  void rename(ValueId result, std::string name);
  // Gives a result made here the name, description and cache mark of the node that it stands for.
  void entitle(ValueId result, std::string name, std::string description, bool cache);

  void output(ValueId value, std::uint32_t position);

  const Value& value(ValueId id) const { return graph_.values[id]; }
  const Graph& so_far() const { return graph_; }

  // Keeps the names of `graph` from being given out by unique_name: for stages that make up names
  // before they have copied everything. From then on every value gets a name of `graph` or a unique
  // one, and whoever asks for one asks for a name of `graph`, a dot, and something more.
  void reserve_names(const Graph& graph);
  // As reserve_names, for stages that ask for any name: enters each name of `graph`, at a cost
  // linear in its values.
  void take_names(const Graph& graph);
  // What follows asks for names that begin with another name of `graph`.
  void names_of_next_node();
  // A name that no value has yet: `wanted`, or `wanted` with a number.
  std::string unique_name(std::string_view wanted);

  // The graph, its nodes in the order that graph.h promises. Cost: linear if they were added in
  // that order, else O(n log n).
  Graph finish();

 private:
  // A name, and how often it was asked for.
  struct UsedName {
    std::string name;
    std::uint32_t asked = 0;
  };

  void index_names();
  // Enters a name; returns its number in `used_names_`, and whether it is new.
  std::pair<std::uint32_t, bool> use_name(std::string_view name);

  Graph graph_;
  std::vector<UsedName> used_names_;
  HashIndex by_name_;                                  // into `used_names_`
  std::size_t indexed_ = 0;                            // values whose names are used names
  bool names_reserved_ = false;                        // no value brings a new one
  bool dots_reserved_ = false;                         // one of them has a dot
  std::unordered_map<std::string, ValueId> literals_;  // by dtype and bits
};

}  // namespace wick::compiler

// Graph files of every shape that planning has to cope with, of any size.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace wick::bench {

struct GraphShape {
  const char* name;
  // The text of a graph file of about `nodes` nodes.
  std::string (*write)(std::size_t nodes);
};

std::string write_chain(std::size_t nodes);      // each node reads the one before
std::string write_tree(std::size_t nodes);       // leaves are joined two by two
std::string write_fan_out(std::size_t nodes);    // half the nodes read one node
std::string write_fan_in(std::size_t nodes);     // one node reads all others
std::string write_diamonds(std::size_t nodes);   // one node read by two, both read by the next
std::string write_attention(std::size_t nodes);  // encoder blocks: 64 of them at 1,000 nodes
// Operands among the last 100 values, so that as many are alive at a time whatever the size.
std::string write_random(std::size_t nodes);

inline constexpr std::array<GraphShape, 7> kGraphShapes = {{{"chain", write_chain},
                                                            {"tree", write_tree},
                                                            {"fan-out", write_fan_out},
                                                            {"fan-in", write_fan_in},
                                                            {"diamonds", write_diamonds},
                                                            {"attention", write_attention},
                                                            {"random", write_random}}};

}  // namespace wick::bench

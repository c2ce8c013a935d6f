// Names for emitted code: any string becomes a legal identifier, near to what it was, and no two
// the same.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace wick::compiler::cpp {

// A legal C++ identifier made of `name` alone: letters and digits stay, runs of anything else
// become one underscore, other scripts become code points ("é" -> "u00e9"). Keywords, alternative
// tokens, macros of the standard library, what the language reserves, and what emitted code calls
// its types get an underscore at the end or a "v" in front. Never empty.
std::string identifier(std::string_view name);

// "hidden" and "kernel" -> "hidden_kernel"; "class_" -> "class_kernel", for two underscores in a
// row belong to the implementation.
std::string suffixed(std::string_view identifier, std::string_view suffix);

// "hidden_layer" -> "HiddenLayer", for constants named kHiddenLayer.
std::string pascal(std::string_view identifier);

// Identifiers of one scope. The first who asks for a name gets it as it is, later ones get _2, _3
// …: so what a new node is called never changes the names of those before it.
class Scope {
 public:
  // The names that emitted code uses for itself are taken from the start.
  Scope();

  std::string unique(std::string_view name);
  // The same for an identifier that the emitter made up: it stays as it is, if nobody has it.
  std::string own(std::string identifier);
  void reserve(std::string_view identifier) { taken_.emplace(identifier); }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> counts_;
};

}  // namespace wick::compiler::cpp

// How terms, lists and constants are spoken of in findings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/terms.h"

namespace wick::frontend::check {

// "f32"
std::string_view name_of_dtype(compiler::DType dtype);

// "[8, 1, 32]"
std::string list_text(std::span<const std::int64_t> numbers);

// What a term computes, in a few words: "`-`", "x * 0.25 + 1", "wick::gather". `name` is how the
// result is called, for terms that compute nothing.
std::string term_text(const Term& term, const std::string& name);

// In which template argument or result two calls of one function differ: "axis 0; the graph says
// 1".
std::string specialisation_text(const std::string& function,
                                const std::vector<std::int64_t>& program,
                                const std::vector<std::int64_t>& graph);

// The first element in which two constants of one shape differ, and where each has it in its
// storage.
struct ElementDifference {
  std::vector<std::int64_t> index;
  std::int64_t program = 0;
  std::int64_t graph = 0;
};
std::optional<ElementDifference> first_difference(const compiler::HostTensor& program,
                                                  const Layout& program_layout,
                                                  const compiler::HostTensor& graph,
                                                  const Layout& graph_layout);

}  // namespace wick::frontend::check

// The kernels' lambdas: one for each body, with the equation it computes.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/names.h"
#include "compiler/fuse/fused_graph.h"

namespace wick::compiler::cpp {

// constexpr auto NAME = [](auto a, auto b) { one statement per fused node; return …; };
std::vector<Line> lambda(const Body& body, const std::string& name);

// constexpr auto NAME = [](auto parameter, …) { body };
std::vector<Line> lambda_lines(const std::string& name, const std::vector<std::string>& parameters,
                               std::vector<Line> body);

// The body as one equation in the words of the graph: "relu(fc0 + b0)".
std::string equation(const Body& body);

// How an operation on operands is written in a body: "a + b", "wick::leaky_relu(a, 0.1f)".
std::string operation_text(const BodyStatement& statement,
                           const std::vector<std::string>& operands);

}  // namespace wick::compiler::cpp

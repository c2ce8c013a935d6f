// The op reference as text, from the records alone: docs/ops.md and what `wick ops` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wick::compiler::ops {

// The whole of docs/ops.md: every operation by family, with operands, attributes, accuracy and an
// example. Deterministic; lines of prose at most 100 columns wide.
std::string ops_markdown();

// One line per operation, by family: its name and summary.
std::string ops_list();

// The page of one operation for a terminal; nothing if there is none of that name.
std::optional<std::string> op_text(std::string_view name);

}  // namespace wick::compiler::ops

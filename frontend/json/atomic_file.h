// Files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "frontend/json/mapped_file.h"

namespace wick::frontend {

// Writes the parts one after another into a file of a temporary name in the same folder, and
// renames it. On a fault nothing of it is left and an older file of that name stays as it was.
std::optional<FileError> write_file(const std::string& path,
                                    std::span<const std::span<const std::byte>> parts);

}  // namespace wick::frontend

// Dependency files for make and ninja (`--depfile`).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wick::frontend {

// A path as make and ninja read it: spaces, tabs, '#', ':' and backslashes before the first three
// escaped by a backslash, '$' doubled. A line break cannot be written at all.
std::string escaped_for_make(const std::string& path);

// A rule whose targets stand on the first line and each input on a line of its own, the lines
// joined by backslashes.
std::string depfile_text(const std::vector<std::string>& targets,
                         const std::vector<std::string>& inputs);

// True if the file has the form that `depfile_text` writes.
bool is_depfile(const std::filesystem::path& path);

// The path of the running program, if the system tells it: what was generated depends on it, too.
std::string program_path();

}  // namespace wick::frontend

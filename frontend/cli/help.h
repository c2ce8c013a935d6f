// How --help looks: a column of options with their words, and what each means beside it, wrapped.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace wick::frontend {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

}  // namespace wick::frontend

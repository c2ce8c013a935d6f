// Options that take one of a few words, with a suggestion for a misspelt one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/support/text.h"

namespace wick::frontend {

template <class E>
using Words = std::vector<std::pair<std::string, E>>;

// The meaning of `text`; throws CLI::ValidationError if it is none of the words.
template <class E>
E chosen(const std::string& option, const std::string& text, const Words<E>& words) {
  std::vector<std::string> all;
  std::vector<std::string_view> names;
  for (const auto& [word, value] : words) {
    if (word == text) return value;
    all.push_back(word);
    names.push_back(word);
  }
  const std::string hint = compiler::did_you_mean(text, names);
  throw CLI::ValidationError(option, "there is no " + compiler::quoted(text) + "; expected " +
                                         compiler::joined(all, ", ") +
                                         (hint.empty() ? "" : "; " + hint));
}

template <class E>
std::string alternatives(const Words<E>& words) {
  std::vector<std::string> all;
  for (const auto& [word, value] : words) all.push_back(word);
  return compiler::joined(all, "|");
}

// Sets `value`, which may be an optional, to what the word means. The first word is the default.
template <class E, class Target>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Target& value,
                        const Words<E>& words, const std::string& help) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name, words](const std::string& text) { value = chosen(name, text, words); },
          help)
      ->type_name(alternatives(words));
}

// The words that --report takes behind a "=".
inline CLI::Validator report_format() {
  const auto check = [](std::string& text) {
    const bool legal = text == "text" || text == "json";
    return legal ? std::string()
                 : "there is no " + compiler::quoted(text) + "; expected text or json";
  };
  return CLI::Validator(check, "", "report");
}

}  // namespace wick::frontend

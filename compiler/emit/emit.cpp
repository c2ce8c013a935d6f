#include "compiler/emit/emit.h"

#include <algorithm>
#include <span>

#include "compiler/emit/c_api.h"
#include "compiler/emit/code.h"
#include "compiler/emit/functions.h"
#include "compiler/emit/interface.h"
#include "compiler/emit/kernels.h"
#include "compiler/emit/program.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/weights.h"

namespace wick::compiler {
namespace {

using cpp::Line;

EmittedFile text_file(std::string name, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {std::move(name), {bytes.begin(), bytes.end()}};
}

void append(std::vector<Line>& lines, std::vector<Line> more) {
  std::ranges::move(more, std::back_inserter(lines));
}

// A section of the file; nothing if it would be empty.
void append_section(std::vector<Line>& lines, const std::string& title, std::vector<Line> content) {
  if (content.empty()) return;
  lines.push_back(cpp::blank());
  lines.push_back(cpp::section(title));
  if (content.front().kind != Line::Kind::kBlank) lines.push_back(cpp::blank());
  append(lines, std::move(content));
}

class Source {
 public:
  Source(const Plan& plan, const EmitOptions& options, cpp::Symbols& symbols,
         const cpp::WeightsLayout& weights, cpp::TypeTable& types)
      : plan_(plan),
        options_(options),
        symbols_(symbols),
        weights_(weights),
        types_(types),
        around_(cpp::surroundings_of(plan, options)) {}

  std::vector<Line> lines() {
    const std::size_t known = types_.aliases().size();
    std::vector<Line> constants, program;
    const bool has_weights = !plan_.fused->constants.empty() && !around_.weights;
    if (has_weights) constants = cpp::weights_lines(plan_, symbols_, weights_, options_, types_);
    std::vector<Line> kernels = cpp::kernel_lines(plan_, symbols_);
    append(program, cpp::function_lines(plan_, options_, symbols_, weights_, types_));

    std::vector<Line> hidden;
    append_section(hidden, "Shapes", cpp::alias_lines(types_, known));
    append_section(hidden, "Weights", std::move(constants));
    append_section(hidden, "Kernels", std::move(kernels));
    append_section(hidden, "Slots", offsets());
    std::vector<Line> body;
    if (has_weights && !weights_.inline_values) {
      body = {cpp::blank(), cpp::packed_declaration(symbols_, weights_), cpp::blank()};
    }
    if (!hidden.empty()) {
      hidden.push_back(cpp::blank());
      body.push_back(cpp::block("namespace {", std::move(hidden), "}  // namespace"));
    }
    append_section(body, "Program", std::move(program));
    body.push_back(cpp::blank());

    std::vector<Line> file = cpp::banner_lines(plan_, symbols_, options_);
    append(file, {cpp::blank(), cpp::raw("#include \"" + symbols_.file_name + ".h\""), cpp::blank(),
                  cpp::raw("#include \"wick/runtime.h\""), cpp::blank(),
                  cpp::block("namespace " + symbols_.name_space + " {", std::move(body),
                             "}  // namespace " + symbols_.name_space)});
    return file;
  }

 private:
  bool is_static() const {
    return plan_.options.storage == StorageMode::kStatic && plan_.arena.count > 0;
  }

  std::vector<Line> offsets() const {
    std::vector<Line> lines = cpp::offset_lines(plan_, symbols_);
    if (is_static()) {
      lines.insert(lines.begin(), cpp::raw("alignas(64) std::byte static_arena[" +
                                               std::to_string(plan_.arena.count) + "];",
                                           "one for all calls: run is not reentrant"));
    }
    return lines;
  }

  const Plan& plan_;
  const EmitOptions& options_;
  cpp::Symbols& symbols_;
  const cpp::WeightsLayout& weights_;
  cpp::TypeTable& types_;
  cpp::Surroundings around_;
};

}  // namespace

Emission emit(const Plan& plan, const EmitOptions& options) {
  cpp::Symbols symbols = cpp::choose_symbols(plan, options);
  const cpp::WeightsLayout weights = cpp::lay_out_weights(plan, options);
  cpp::TypeTable types;
  Emission emission;
  const std::string& name = options.file_name;
  emission.files.push_back(text_file(
      name + ".h", cpp::render(cpp::header_lines(plan, symbols, weights, options, types)).text));

  cpp::Rendered source = cpp::render(Source(plan, options, symbols, weights, types).lines());
  emission.files.push_back(text_file(name + ".cpp", source.text));
  for (const cpp::Origin& origin : source.origins)
    emission.origins.push_back({origin.line, origin.node});

  if (options.c_api) {
    emission.files.push_back(
        text_file(name + "_c.h", cpp::c_header(plan, symbols, weights, options)));
    emission.files.push_back(
        text_file(name + "_c.cpp", cpp::c_source(plan, symbols, weights, options)));
  }
  const bool packed = !plan.fused->constants.empty() && !weights.inline_values;
  const std::string banner = cpp::banner_text(symbols, options);
  if (packed && options.weights == WeightsMode::kEmbed) {
    emission.files.push_back(text_file(name + ".weights.cpp", cpp::weights_unit(symbols, banner)));
  } else if (options.every_file) {
    emission.files.push_back(text_file(name + ".weights.cpp", cpp::empty_weights_unit(banner)));
  }
  if (packed) {
    emission.files.push_back({name + ".weights", {}, cpp::packed_pieces(plan, weights)});
  } else if (options.every_file) {
    emission.files.push_back({name + ".weights", {}});
  }
  return emission;
}

}  // namespace wick::compiler

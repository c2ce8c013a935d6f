#include "frontend/cli/graph_source.h"

#include <utility>

namespace wick::frontend {

std::variant<LoadedGraph, ExitCode> load_graph(const std::string& path, bool allow_outside,
                                               const Console& console) {
  const Progress progress("reading " + path, console);
  auto opened = SourceFile::open(path);
  if (const auto* error = std::get_if<FileError>(&opened)) {
    console.error(*error);
    return ExitCode::kInputOutput;
  }
  LoadedGraph graph{std::get<SourceFile>(std::move(opened)), {}, {}, {}};
  auto description =
      read_graph(graph.source, {.allow_outside = allow_outside}, graph.diagnostics, &graph.files);
  if (!description) {
    console.print(graph.diagnostics, graph.source);
    return ExitCode::kBadInput;
  }
  graph.description = std::move(*description);
  return graph;
}

}  // namespace wick::frontend

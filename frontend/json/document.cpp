#include "frontend/json/document.h"

#include "frontend/json/graph_events.h"

namespace wick::frontend {

Document read_document(std::string_view text, Findings& findings) {
  GraphEvents events(findings);
  if (const auto error = read_json(text, events)) events.stop(*error);
  return events.take();
}

}  // namespace wick::frontend

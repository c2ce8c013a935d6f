#include "compiler/support/diagnostics.h"

#include <utility>

namespace wick::compiler {

void Diagnostics::error(Site site, std::string message, std::string hint) {
  ++errors_;
  if (errors_ > kMost) return;
  all_.push_back({Severity::kError, std::move(site), std::move(message), std::move(hint)});
}

void Diagnostics::warning(Site site, std::string message, std::string hint) {
  if (all_.size() >= 2 * kMost) return;
  all_.push_back({Severity::kWarning, std::move(site), std::move(message), std::move(hint)});
}

}  // namespace wick::compiler

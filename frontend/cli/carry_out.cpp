#include "frontend/cli/carry_out.h"

#include <exception>
#include <iostream>
#include <new>
#include <string>

namespace wick::frontend {

ExitCode guarded(const Console& console, const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    console.error("out of memory");
    return ExitCode::kInputOutput;
  } catch (const std::exception& error) {
    console.error(std::string("internal: ") + error.what(),
                  "this is a bug in wick, not in your graph; please report it", SarifRule::kBug);
    return ExitCode::kBug;
  }
}

ExitCode carry_out(const Console& console, const std::function<ExitCode()>& work) {
  const ExitCode code = guarded(console, work);
  if (console.format == RenderFormat::kSarif) {
    std::cerr << sarif_log(*console.results, WICK_VERSION, static_cast<int>(code));
  }
  return code;
}

}  // namespace wick::frontend

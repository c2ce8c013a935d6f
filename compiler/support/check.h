// Checks of our own reasoning. A user's mistake is a Diagnostic; what fails here is a bug in wick
// and says so.
#pragma once

#include <stdexcept>
#include <string>

namespace wick::compiler {

// A bug in wick, never a fault of the input. The program reports it and exits with code 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws InternalError unless `condition` holds.
inline void check(bool condition, const char* what) {
  if (!condition) throw InternalError(what);
}

inline void check(bool condition, const std::string& what) {
  if (!condition) throw InternalError(what);
}

}  // namespace wick::compiler

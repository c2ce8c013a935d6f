// Prints the name of every operation, one a line: what the law of names looks for.
#include <cstdio>

#include "compiler/ops/record.h"

int main() {
  for (const wick::compiler::ops::OpRecord* record : wick::compiler::ops::all()) {
    std::printf("%.*s\n", static_cast<int>(record->name.size()), record->name.data());
  }
}

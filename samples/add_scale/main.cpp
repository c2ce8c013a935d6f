// The smallest use of emitted code: y = (a + b) * 2.
#include "add_scale.h"

#include <cstdio>

int main() {
  const float a[6] = {1, 2, 3, 4, 5, 6};
  const float b[6] = {10, 20, 30, 40, 50, 60};
  float y[6];
  add_scale::run(a, b, y);
  for (const float value : y) std::printf("%g ", static_cast<double>(value));
  std::printf("\n");
  return 0;
}

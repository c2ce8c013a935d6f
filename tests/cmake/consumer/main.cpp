// Calls every graph and prints what it gives.
#include <cstddef>
#include <cstdio>

#include "blend.h"
#include "low_pass.h"
#include "mean.h"
#include "scale.h"
#include "scale_outside.h"

namespace {

alignas(64) std::byte packed[outside::kWeightsBytes];

bool load_weights() {
  std::FILE* const file = std::fopen(SCALE_WEIGHTS, "rb");
  if (file == nullptr) return false;
  const bool whole = std::fread(packed, sizeof packed, 1, file) == 1;
  std::fclose(file);
  return whole;
}

}  // namespace

int main() {
  float x[300];
  float y[300];
  for (int i = 0; i < 300; ++i) x[i] = static_cast<float>(i);
  scale::run(x, y);
  std::printf("scale %g %g\n", y[1], y[299]);

  if (!load_weights()) return 1;
  outside::run(outside::weights_at(packed), x, y);
  std::printf("outside %g %g\n", y[1], y[299]);

  const float a[4] = {1, 2, 3, 4};
  const float b[4] = {3, 3, 3, 3};
  float mean[4];
  blend::run(a, b, mean);
  std::printf("blend %g %g %g %g\n", mean[0], mean[1], mean[2], mean[3]);
  filters::mean::run(a, a, mean);
  std::printf("mean %g %g %g %g\n", mean[0], mean[1], mean[2], mean[3]);

  float share[4];
  filters::low_pass::run(a, share);
  std::printf("low pass %g %g %g %g\n", share[0], share[1], share[2], share[3]);
}

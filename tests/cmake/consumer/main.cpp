// Calls every graph and prints what it gives.
#include <cstddef>
#include <cstdio>

#include "blend.h"
#include "low_pass.h"
#include "mean.h"
#include "scale.h"
#include "scale_outside.h"
#include "scale_outside_c.h"
#include "wick/weights_file.h"

int main() {
  float x[300];
  float y[300];
  for (int i = 0; i < 300; ++i) x[i] = static_cast<float>(i);
  scale::run(x, y);
  std::printf("scale %g %g\n", y[1], y[299]);

  wick::WeightsFile file;
  const wick::WeightsStatus status = file.open(SCALE_WEIGHTS, outside::kWeightsFile);
  if (status != wick::WeightsStatus::kOk) std::printf("%s\n", wick::status_text(status));
  outside::run(outside::weights_at(file.data()), x, y);
  std::printf("outside %g %g\n", y[1], y[299]);
  const wick_model* const model = outside_model();
  std::printf("in C %s of %zu bytes\n", model->inputs[0].name, model->inputs[0].bytes);

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

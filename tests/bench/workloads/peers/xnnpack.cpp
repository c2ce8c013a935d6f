// The workloads that operators of XNNPACK fit (Debian: libxnnpack-dev, of February 2022): addition
// with a clamp, sigmoid, softmax, and layers with constant weights. Its convolutions are over
// images with the channels last, so that weights and the input are turned before the first call;
// this workload's input is then a constant, which is in the library's favour.
#include <xnnpack.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

#include "tests/bench/workloads/peers/peer.h"

namespace wick::workloads {
namespace {

constexpr float kMost = std::numeric_limits<float>::infinity();

// The library reads a few bytes past the end of some operands.
std::vector<float> buffer(std::size_t count) {
  return std::vector<float>(count + XNN_EXTRA_BYTES / sizeof(float) * 4);
}

// Operators that are set up, to be run in order, and the memory between them.
class Sequence {
 public:
  Sequence() = default;
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;
  ~Sequence() {
    for (const xnn_operator_t step : steps_) xnn_delete_operator(step);
  }

  // Where the next operator is to be created.
  xnn_operator_t* next() { return &steps_.emplace_back(nullptr); }
  xnn_operator_t last() const { return steps_.back(); }
  float* memory(std::size_t count) { return memories_.emplace_back(buffer(count)).data(); }

  void run() const {
    for (const xnn_operator_t step : steps_) check(xnn_run_operator(step, nullptr));
  }

  static void check(xnn_status status) {
    if (status != xnn_status_success)
      throw std::runtime_error("status " + std::to_string(static_cast<int>(status)));
  }

 private:
  std::vector<xnn_operator_t> steps_;
  std::vector<std::vector<float>> memories_;
};

using Shape = std::vector<std::size_t>;

void add(Sequence& s, const Shape& shape_a, const float* a, const Shape& shape_b, const float* b,
         float least, float* y) {
  Sequence::check(xnn_create_add_nd_f32(least, kMost, 0, s.next()));
  Sequence::check(xnn_setup_add_nd_f32(s.last(), shape_a.size(), shape_a.data(), shape_b.size(),
                                       shape_b.data(), a, b, y, nullptr));
}

void sigmoid(Sequence& s, std::size_t n, const float* a, float* y) {
  Sequence::check(xnn_create_sigmoid_nc_f32(n, n, n, 0, s.next()));
  Sequence::check(xnn_setup_sigmoid_nc_f32(s.last(), 1, a, y, nullptr));
}

void softmax(Sequence& s, std::size_t rows, std::size_t n, const float* a, float* y) {
  Sequence::check(xnn_create_softmax_nc_f32(n, n, n, 0, s.next()));
  Sequence::check(xnn_setup_softmax_nc_f32(s.last(), rows, a, y, nullptr));
}

struct Extents {
  std::size_t batch, inputs, outputs;
};

// y = max(least, x * W^T + bias), or of x * W with `flags` of XNN_FLAG_TRANSPOSE_WEIGHTS.
void layer(Sequence& s, const Extents& e, const float* x, const float* weights, const float* bias,
           float least, float* y, std::uint32_t flags = 0) {
  Sequence::check(xnn_create_fully_connected_nc_f32(e.inputs, e.outputs, e.inputs, e.outputs,
                                                    weights, bias, least, kMost, flags, s.next()));
  Sequence::check(xnn_setup_fully_connected_nc_f32(s.last(), e.batch, x, y, nullptr));
}

void mlp(Sequence& s, const Task& task, std::size_t batch) {
  Tensors& t = task.tensors;
  float *first = s.memory(batch * 512), *second = s.memory(batch * 256);
  layer(s, {batch, 784, 512}, t["x"], t["W0"], t["b0"], 0, first);
  layer(s, {batch, 512, 256}, first, t["W1"], t["b1"], 0, second);
  layer(s, {batch, 256, 10}, second, t["W2"], t["b2"], -kMost, task.output);
}

// `count` matrices of rows by columns, each transposed.
void transpose(const float* from, std::size_t count, std::size_t rows, std::size_t columns,
               float* to) {
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        to[(n * columns + j) * rows + i] = from[(n * rows + i) * columns + j];
}

struct Image {
  std::size_t channels, extent;  // square
  const float* data;
};

// A convolution 3x3 with padding and a clamp, then the maximum over 2x2.
Image convolve(Sequence& s, const Task& task, const Image& image, const std::string& name,
               std::size_t outputs) {
  float* const kernel = s.memory(outputs * 9 * image.channels);
  transpose(task.tensors[name + "_W"], outputs, image.channels, 9, kernel);
  const std::size_t n = image.extent;
  float *const convolved = s.memory(n * n * outputs), *const pooled = s.memory(n * n * outputs / 4);
  Sequence::check(xnn_create_convolution2d_nhwc_f32(
      1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 1, image.channels, outputs, image.channels, outputs, kernel,
      task.tensors[name + "_b"], 0, kMost, 0, s.next()));
  Sequence::check(
      xnn_setup_convolution2d_nhwc_f32(s.last(), 1, n, n, image.data, convolved, nullptr));
  Sequence::check(xnn_create_max_pooling2d_nhwc_f32(0, 0, 0, 0, 2, 2, 2, 2, 1, 1, outputs, outputs,
                                                    outputs, -kMost, kMost, 0, s.next()));
  Sequence::check(xnn_setup_max_pooling2d_nhwc_f32(s.last(), 1, n, n, convolved, pooled, nullptr));
  return {outputs, n / 2, pooled};
}

void convnet(Sequence& s, const Task& task) {
  Tensors& t = task.tensors;
  float* const x = s.memory(3 * 32 * 32);
  transpose(t["x"], 1, 3, 32 * 32, x);
  Image image = {3, 32, x};
  image = convolve(s, task, image, "c0", 32);
  image = convolve(s, task, image, "c1", 64);
  image = convolve(s, task, image, "c2", 64);
  float *const weights = s.memory(128 * 1024), *const hidden = s.memory(128);
  transpose(t["f0_W"], 128, 64, 16, weights);
  layer(s, {1, 1024, 128}, image.data, weights, t["f0_b"], 0, hidden);
  layer(s, {1, 128, 10}, hidden, t["f1_W"], t["f1_b"], -kMost, task.output);
}

// False if no operator does this workload.
bool build(Sequence& s, const Task& task) {
  Tensors& t = task.tensors;
  const std::string& name = task.name;
  if (name.starts_with("add_")) {
    const Shape shape = {t.count("a")};
    add(s, shape, t["a"], shape, t["b"], -kMost, task.output);
  } else if (name == "bias_relu_1024x1024") {
    add(s, {1024, 1024}, t["a"], {1024}, t["bias"], 0, task.output);
  } else if (name == "sigmoid_256k") {
    sigmoid(s, t.count("a"), t["a"], task.output);
  } else if (name == "softmax_1024") {
    softmax(s, 1024, 1024, t["a"], task.output);
  } else if (name.starts_with("matmul_const_")) {
    const auto n = static_cast<std::size_t>(product_extent(name));
    layer(s, {n, n, n}, t["a"], t["W"], nullptr, -kMost, task.output, XNN_FLAG_TRANSPOSE_WEIGHTS);
  } else if (name == "mlp_b1" || name == "mlp_b32") {
    mlp(s, task, name == "mlp_b1" ? 1 : 32);
  } else if (name == "convnet_32") {
    convnet(s, task);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Call prepare_xnnpack(const Task& task) {
  static const xnn_status ready = xnn_initialize(nullptr);
  Sequence::check(ready);
  const auto sequence = std::make_shared<Sequence>();
  if (!build(*sequence, task)) return {};
  return [sequence] { sequence->run(); };
}

}  // namespace wick::workloads

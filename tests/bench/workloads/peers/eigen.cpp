// The workloads as a user of Eigen 3.4 (Debian: libeigen3-dev) writes them: expressions over mapped
// arrays, evaluated into the output where Eigen can do it in one go, row by row where a row is
// needed again.
#include <Eigen/Core>
#include <map>
#include <memory>

#include <unsupported/Eigen/SpecialFunctions>

#include "tests/bench/workloads/peers/peer.h"

namespace wick::workloads {
namespace {

using Eigen::Index;
using Row = Eigen::Array<float, 1, Eigen::Dynamic>;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In = Eigen::Map<const Row>;
using Out = Eigen::Map<Row>;
using InMatrix = Eigen::Map<const Matrix>;
using OutMatrix = Eigen::Map<Matrix>;

constexpr Index kSmall = 4096;
constexpr Index kMiddle = 262144;
constexpr Index kLarge = 16777216;

// y = f(a), elementwise.
template <class Expression>
Call map(const Task& task, Index n, Expression f) {
  return [a = In(task.tensors["a"], n), y = Out(task.output, n), f]() mutable { y = f(a); };
}

Call add(const Task& task, Index n) {
  return [a = In(task.tensors["a"], n), b = In(task.tensors["b"], n),
          y = Out(task.output, n)]() mutable { y = a + b; };
}

Call chain(const Task& task, Index n) {
  return map(task, n, [](const In& a) { return (a + 1.0f) * 2.0f - 3.0f; });
}

Call sigmoid(const Task& task) {
  return map(task, kMiddle, [](const In& a) { return a.logistic(); });
}

Call exponential(const Task& task) {
  return map(task, kMiddle, [](const In& a) { return a.exp(); });
}

Call hyperbolic_tangent(const Task& task) {
  return map(task, kMiddle, [](const In& a) { return a.tanh(); });
}

Call gelu_erf(const Task& task) {
  return map(task, kMiddle,
             [](const In& a) { return a * ((a / 1.4142135381698608f).erf() + 1.0f) * 0.5f; });
}

Call gelu_tanh(const Task& task) {
  return map(task, kMiddle, [](const In& a) {
    return a * (((a + a * a * a * 0.044715f) * 0.7978845608f).tanh() + 1.0f) * 0.5f;
  });
}

Call expchain(const Task& task) {
  return map(task, kMiddle,
             [](const In& a) { return ((-(a * a)).exp() * a + 1.0f).square().sqrt(); });
}

void softmax_row(const float* from, float* to, Index n) {
  const In a(from, n);
  Out y(to, n);
  y = (a - a.maxCoeff()).exp();
  y *= 1.0f / y.sum();
}

void layer_norm_row(const float* from, float* to, const float* gamma, const float* beta, Index n) {
  const In a(from, n), scale(gamma, n), bias(beta, n);
  const float mean = a.mean();
  const float variance = (a - mean).square().mean();
  Out(to, n) = (a - mean) * (1.0f / std::sqrt(variance + 1e-5f)) * scale + bias;
}

Call softmax(const Task& task) {
  constexpr Index n = 1024;
  return [a = task.tensors["a"], y = task.output] {
    for (Index i = 0; i < n; ++i) softmax_row(a + i * n, y + i * n, n);
  };
}

Call layer_norm(const Task& task) {
  constexpr Index rows = 1024, n = 768;
  return [a = task.tensors["a"], gamma = task.tensors["gamma"], beta = task.tensors["beta"],
          y = task.output] {
    for (Index i = 0; i < rows; ++i) layer_norm_row(a + i * n, y + i * n, gamma, beta, n);
  };
}

Call bias_relu(const Task& task) {
  constexpr Index n = 1024;
  return [a = InMatrix(task.tensors["a"], n, n), bias = In(task.tensors["bias"], n),
          y = OutMatrix(task.output, n, n)]() mutable {
    y.array() = (a.array().rowwise() + bias).max(0.0f);
  };
}

Call reduce(const Task& task, int axis) {
  return [a = InMatrix(task.tensors["a"], 4096, 1024), y = task.output, axis] {
    if (axis == 0) {
      OutMatrix(y, 1, 1024) = a.colwise().sum();
    } else {
      OutMatrix(y, 4096, 1) = a.rowwise().sum();
    }
  };
}

Call transpose_add(const Task& task) {
  constexpr Index n = 2048;
  return [a = InMatrix(task.tensors["a"], n, n), b = InMatrix(task.tensors["b"], n, n),
          y = OutMatrix(task.output, n, n)]() mutable { y = a + b.transpose(); };
}

Call product(const Task& task) {
  const Index n = product_extent(task.name);
  return [a = InMatrix(task.tensors["a"], n, n),
          b = InMatrix(task.tensors[product_right(task.name)], n, n),
          y = OutMatrix(task.output, n, n)]() mutable { y.noalias() = a * b; };
}

// y = x * W^T + b, and max(0, .) unless it is the last layer.
struct Layer {
  Layer(const Task& task, const std::string& number, Index outputs, Index inputs, bool last)
      : weights(task.tensors["W" + number], outputs, inputs),
        bias(task.tensors["b" + number], outputs),
        relu(!last) {}

  template <class X, class Y>
  void operator()(const X& x, Y&& y) const {
    y.noalias() = x * weights.transpose();
    if (relu) {
      y.array() = (y.array().rowwise() + bias).max(0.0f);
    } else {
      y.array().rowwise() += bias;
    }
  }

  InMatrix weights;
  In bias;
  bool relu;
};

Call mlp(const Task& task, Index batch) {
  struct State {
    Layer first, second, third;
    InMatrix x;
    Matrix h1, h2;
    OutMatrix y;
  };
  const auto state = std::make_shared<State>(State{{task, "0", 512, 784, false},
                                                   {task, "1", 256, 512, false},
                                                   {task, "2", 10, 256, true},
                                                   {task.tensors["x"], batch, 784},
                                                   Matrix(batch, 512),
                                                   Matrix(batch, 256),
                                                   {task.output, batch, 10}});
  return [state] {
    state->first(state->x, state->h1);
    state->second(state->h1, state->h2);
    state->third(state->h2, state->y);
  };
}

// An encoder block; heads are column blocks of Q, K and V, so that nothing is transposed.
class Encoder {
 public:
  explicit Encoder(const Task& task) : tensors_(task.tensors), y_(task.output) {}

  void operator()() {
    const InMatrix x(tensors_["x"], kTokens, kWidth);
    affine(x, "q", q_);
    affine(x, "k", k_);
    affine(x, "v", v_);
    for (Index head = 0; head < kHeads; ++head) attend(head);
    affine(context_, "o", sum_);
    sum_ += x;
    normalize(sum_, "ln1", normal_.data());
    affine(normal_, "ff1", hidden_);
    auto h = hidden_.array();
    h = h * ((h / 1.4142135381698608f).erf() + 1.0f) * 0.5f;
    affine(hidden_, "ff2", sum_);
    sum_ += normal_;
    normalize(sum_, "ln2", y_);
  }

 private:
  static constexpr Index kTokens = 128, kWidth = 256, kHeads = 4, kHidden = 1024;
  static constexpr Index kHead = kWidth / kHeads;

  template <class X>
  void affine(const X& x, const std::string& name, Matrix& y) {
    y.noalias() = x * InMatrix(tensors_[name + "_W"], x.cols(), y.cols());
    y.array().rowwise() += In(tensors_[name + "_b"], y.cols());
  }

  void attend(Index head) {
    const Index at = head * kHead;
    scores_.noalias() =
        q_.middleCols(at, kHead) * k_.middleCols(at, kHead).transpose() * (1.0f / 8.0f);
    for (Index i = 0; i < kTokens; ++i)
      softmax_row(scores_.row(i).data(), scores_.row(i).data(), kTokens);
    context_.middleCols(at, kHead).noalias() = scores_ * v_.middleCols(at, kHead);
  }

  void normalize(const Matrix& x, const std::string& name, float* y) {
    const float *gamma = tensors_[name + "_g"], *beta = tensors_[name + "_b"];
    for (Index i = 0; i < kTokens; ++i)
      layer_norm_row(x.row(i).data(), y + i * kWidth, gamma, beta, kWidth);
  }

  Tensors& tensors_;
  float* y_;
  Matrix q_{kTokens, kWidth}, k_{kTokens, kWidth}, v_{kTokens, kWidth};
  Matrix scores_{kTokens, kTokens}, context_{kTokens, kWidth}, sum_{kTokens, kWidth};
  Matrix normal_{kTokens, kWidth}, hidden_{kTokens, kHidden};
};

Call encoder(const Task& task) {
  return [state = std::make_shared<Encoder>(task)] { (*state)(); };
}

}  // namespace

Call prepare_eigen(const Task& task) {
  if (product_extent(task.name) > 0) return product(task);
  static const std::map<std::string, Call (*)(const Task&)> known = {
      {"add_4k", [](const Task& t) { return add(t, kSmall); }},
      {"add_256k", [](const Task& t) { return add(t, kMiddle); }},
      {"add_16m", [](const Task& t) { return add(t, kLarge); }},
      {"chain_4k", [](const Task& t) { return chain(t, kSmall); }},
      {"chain_256k", [](const Task& t) { return chain(t, kMiddle); }},
      {"chain_16m", [](const Task& t) { return chain(t, kLarge); }},
      {"sigmoid_256k", sigmoid},
      {"exp_256k", exponential},
      {"tanh_256k", hyperbolic_tangent},
      {"gelu_erf_256k", gelu_erf},
      {"gelu_tanh_256k", gelu_tanh},
      {"expchain_256k", expchain},
      {"softmax_1024", softmax},
      {"meanvar_chain_1024", softmax},
      {"layernorm_1024x768", layer_norm},
      {"layernorm_decomp_1024x768", layer_norm},
      {"bias_relu_1024x1024", bias_relu},
      {"reduce_sum_ax0", [](const Task& t) { return reduce(t, 0); }},
      {"reduce_sum_ax1", [](const Task& t) { return reduce(t, 1); }},
      {"transpose_add_2048", transpose_add},
      {"mlp_b1", [](const Task& t) { return mlp(t, 1); }},
      {"mlp_b32", [](const Task& t) { return mlp(t, 32); }},
      {"encoder_s128_d256", encoder},
  };
  const auto found = known.find(task.name);
  return found == known.end() ? Call() : found->second(task);
}

}  // namespace wick::workloads

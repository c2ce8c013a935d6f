// The workloads by oneDNN's primitives (Debian: libdnnl-dev), with its own fusion: what follows a
// primitive elementwise goes into its post-operations, constant operands are turned into the layout
// that the primitive prefers before the first call. Primitives run on one thread if OMP_NUM_THREADS
// says so. Workloads of many elementwise nodes are left to the peers that fuse those.
#include <dnnl.hpp>
#include <initializer_list>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "tests/bench/workloads/peers/peer.h"

namespace wick::workloads {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using Dims = memory::dims;
using Tag = memory::format_tag;

constexpr auto kInference = dnnl::prop_kind::forward_inference;
constexpr auto kAny = Tag::any;

memory::desc layout(const Dims& dims, Tag tag) { return {dims, memory::data_type::f32, tag}; }

memory::desc strided(const Dims& dims, const Dims& strides) {
  return {dims, memory::data_type::f32, strides};
}

// Row-major.
memory::desc plain(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  return strided(dims, strides);
}

// Elementwise functions that a primitive applies to its result.
class After {
 public:
  After& apply(algorithm function, float alpha = 0, float beta = 0) {
    operations_.append_eltwise(1, function, alpha, beta);
    return *this;
  }
  After& combine(algorithm function, const memory& operand) {
    const int place = operations_.len();
    operations_.append_binary(function, operand.get_desc());
    operands_.emplace(DNNL_ARG_ATTR_MULTIPLE_POST_OP(place) | DNNL_ARG_SRC_1, operand);
    return *this;
  }
  After& scale(float factor) {
    attributes_.set_output_scales(0, {factor});
    return *this;
  }

  dnnl::primitive_attr attributes() const {
    dnnl::primitive_attr attributes = attributes_;
    attributes.set_post_ops(operations_);
    return attributes;
  }
  const std::unordered_map<int, memory>& operands() const { return operands_; }

 private:
  dnnl::primitive_attr attributes_;
  dnnl::post_ops operations_;
  std::unordered_map<int, memory> operands_;
};

// Primitives with their operands, to be executed in order.
class Net {
 public:
  explicit Net(const Task& task) : task_(task) {}

  memory given(const std::string& name, const memory::desc& desc) {
    return {desc, engine(), const_cast<float*>(task_.tensors[name])};
  }
  memory given(const std::string& name, const Dims& dims) { return given(name, plain(dims)); }
  memory result(const memory::desc& desc) { return {desc, engine(), task_.output}; }
  memory result(const Dims& dims) { return result(plain(dims)); }
  memory fresh(const memory::desc& desc) { return {desc, engine()}; }

  // A constant in the layout that a primitive wants.
  memory turned(memory constant, const memory::desc& wanted) {
    if (constant.get_desc() == wanted) return constant;
    memory turned(wanted, engine());
    dnnl::reorder(constant, turned).execute(stream_, constant, turned);
    stream_.wait();
    return turned;
  }

  template <class Primitive, class Description>
  void add(const Description& description, std::unordered_map<int, memory> operands,
           const After& after = {}) {
    operands.insert(after.operands().begin(), after.operands().end());
    steps_.emplace_back(Primitive(description), std::move(operands));
  }

  void map(const memory& from, const memory& to, algorithm function, float alpha, float beta) {
    using Eltwise = dnnl::eltwise_forward;
    add<Eltwise>(
        Eltwise::primitive_desc({kInference, function, from.get_desc(), alpha, beta}, engine()),
        {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
  }

  void combine(const memory& a, const memory& b, const memory& to, const After& after = {}) {
    add<dnnl::binary>(dnnl::binary::primitive_desc(
                          {algorithm::binary_add, a.get_desc(), b.get_desc(), to.get_desc()},
                          after.attributes(), engine()),
                      {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, to}}, after);
  }

  void multiply(const memory& a, const memory& b, const memory& to, const After& after = {}) {
    add<dnnl::matmul>(dnnl::matmul::primitive_desc({a.get_desc(), b.get_desc(), to.get_desc()},
                                                   after.attributes(), engine()),
                      {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, to}}, after);
  }

  // a * weights + bias with a constant right operand.
  void affine(const memory& a, const memory& weights, const std::string& bias, const memory& to,
              const After& after = {}) {
    const Dims bias_dims = {1, to.get_desc().dims()[1]};
    const dnnl::matmul::primitive_desc description(
        bias.empty() ? dnnl::matmul::desc(a.get_desc(), layout(weights.get_desc().dims(), kAny),
                                          to.get_desc())
                     : dnnl::matmul::desc(a.get_desc(), layout(weights.get_desc().dims(), kAny),
                                          plain(bias_dims), to.get_desc()),
        after.attributes(), engine());
    std::unordered_map<int, memory> operands = {
        {DNNL_ARG_SRC, a},
        {DNNL_ARG_WEIGHTS, turned(weights, description.weights_desc())},
        {DNNL_ARG_DST, to}};
    if (!bias.empty()) operands.emplace(DNNL_ARG_BIAS, given(bias, bias_dims));
    add<dnnl::matmul>(description, operands, after);
  }

  void softmax(const memory& from, const memory& to) {
    const int axis = from.get_desc().data.ndims - 1;
    add<dnnl::softmax_forward>(
        dnnl::softmax_forward::primitive_desc({kInference, from.get_desc(), axis}, engine()),
        {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
  }

  void layer_norm(const memory& from, const std::string& scale, const std::string& shift,
                  const memory& to) {
    using Flags = dnnl::normalization_flags;
    using Norm = dnnl::layer_normalization_forward;
    const Dims width = {from.get_desc().dims()[1]};
    add<Norm>(
        Norm::primitive_desc(
            {kInference, from.get_desc(), 1e-5f, Flags::use_scale | Flags::use_shift}, engine()),
        {{DNNL_ARG_SRC, from},
         {DNNL_ARG_SCALE, given(scale, width)},
         {DNNL_ARG_SHIFT, given(shift, width)},
         {DNNL_ARG_DST, to}});
  }

  void run() {
    for (auto& [primitive, operands] : steps_) primitive.execute(stream_, operands);
    stream_.wait();
  }

  static dnnl::engine& engine() {
    static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
  }

 private:
  const Task& task_;
  dnnl::stream stream_{engine()};
  std::vector<std::pair<dnnl::primitive, std::unordered_map<int, memory>>> steps_;
};

void map(Net& net, memory::dim n, algorithm function, float alpha = 0, float beta = 0) {
  net.map(net.given("a", {n}), net.result({n}), function, alpha, beta);
}

void add(Net& net, memory::dim n) {
  net.combine(net.given("a", {n}), net.given("b", {n}), net.result({n}));
}

// (a + 1) * 2 - 3 is 2 * a - 1, one primitive.
void chain(Net& net, memory::dim n) { map(net, n, algorithm::eltwise_linear, 2, -1); }

void bias_relu(Net& net) {
  const Dims dims = {1024, 1024};
  net.combine(net.given("a", dims), net.given("bias", {1, 1024}), net.result(dims),
              After().apply(algorithm::eltwise_relu));
}

void reduce(Net& net, const Dims& to) {
  const memory from = net.given("a", {4096, 1024}), result = net.result(to);
  net.add<dnnl::reduction>(
      dnnl::reduction::primitive_desc(
          {algorithm::reduction_sum, from.get_desc(), result.get_desc(), 0, 0}, Net::engine()),
      {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, result}});
}

void transpose_add(Net& net) {
  const Dims dims = {2048, 2048};
  net.combine(net.given("a", dims), net.given("b", layout(dims, Tag::ba)), net.result(dims));
}

void product(Net& net, const std::string& name) {
  const Dims dims = {product_extent(name), product_extent(name)};
  const memory a = net.given("a", dims), b = net.given(product_right(name), dims);
  if (product_right(name) == "W") {
    net.affine(a, b, "", net.result(dims));
  } else {
    net.multiply(a, b, net.result(dims));
  }
}

// Weights are stored as [outputs, inputs].
void mlp(Net& net, memory::dim batch) {
  const auto weights = [&](const std::string& name, memory::dim inputs, memory::dim outputs) {
    return net.given(name, layout({inputs, outputs}, Tag::ba));
  };
  const memory x = net.given("x", {batch, 784});
  const memory first = net.fresh(plain({batch, 512})), second = net.fresh(plain({batch, 256}));
  const After relu = After().apply(algorithm::eltwise_relu);
  net.affine(x, weights("W0", 784, 512), "b0", first, relu);
  net.affine(first, weights("W1", 512, 256), "b1", second, relu);
  net.affine(second, weights("W2", 256, 10), "b2", net.result({batch, 10}));
}

// Heads are column blocks of Q, K and V: a third axis with strides, so that nothing is copied.
void encoder(Net& net) {
  const Dims tokens = {128, 256}, hidden = {128, 1024}, heads = {4, 128, 64};
  const Dims by_head = {64, 256, 1};
  const memory x = net.given("x", tokens), scores = net.fresh(plain({4, 128, 128}));
  const auto affine = [&](const memory& a, const std::string& name, const Dims& to,
                          const After& after = {}) {
    const Dims shape = {a.get_desc().dims()[1], to[1]};
    const memory result = net.fresh(plain(to));
    net.affine(a, net.given(name + "_W", shape), name + "_b", result, after);
    return result;
  };
  const auto view = [](const memory& of, const Dims& dims, const Dims& strides) {
    return memory(strided(dims, strides), Net::engine(), of.get_data_handle());
  };
  const memory q = affine(x, "q", tokens), k = affine(x, "k", tokens), v = affine(x, "v", tokens);
  const memory context = net.fresh(plain(tokens)), normal = net.fresh(plain(tokens));
  // The scale of the scores is a power of two: 1 / 8.
  net.multiply(view(q, heads, by_head), view(k, {4, 64, 128}, {64, 1, 256}), scores,
               After().scale(0.125f));
  net.softmax(scores, scores);
  net.multiply(scores, view(v, heads, by_head), view(context, heads, by_head));
  net.layer_norm(affine(context, "o", tokens, After().combine(algorithm::binary_add, x)), "ln1_g",
                 "ln1_b", normal);
  const memory inner = affine(normal, "ff1", hidden, After().apply(algorithm::eltwise_gelu_erf));
  net.layer_norm(affine(inner, "ff2", tokens, After().combine(algorithm::binary_add, normal)),
                 "ln2_g", "ln2_b", net.result(tokens));
}

memory convolve(Net& net, const memory& from, const std::string& name, const Dims& to) {
  const Dims from_dims = from.get_desc().dims(), kernel = {to[1], from_dims[1], 3, 3};
  const Dims one = {1, 1};
  const After relu = After().apply(algorithm::eltwise_relu);
  // The first image is the caller's; others are in the layout that the library likes.
  const dnnl::convolution_forward::primitive_desc description(
      {kInference, algorithm::convolution_direct, from.get_desc(), layout(kernel, kAny),
       plain({to[1]}), layout(to, kAny), one, one, one},
      relu.attributes(), Net::engine());
  const memory result = net.fresh(description.dst_desc());
  net.add<dnnl::convolution_forward>(
      description,
      {{DNNL_ARG_SRC, from},
       {DNNL_ARG_WEIGHTS, net.turned(net.given(name + "_W", kernel), description.weights_desc())},
       {DNNL_ARG_BIAS, net.given(name + "_b", {to[1]})},
       {DNNL_ARG_DST, result}});
  return result;
}

memory pool(Net& net, const memory& from, const Dims& to) {
  const Dims two = {2, 2}, none = {0, 0};
  const dnnl::pooling_forward::primitive_desc description(
      {kInference, algorithm::pooling_max, from.get_desc(), layout(to, kAny), two, two, none, none},
      Net::engine());
  const memory result = net.fresh(description.dst_desc());
  net.add<dnnl::pooling_forward>(description, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, result}});
  return result;
}

void convnet(Net& net) {
  memory x = net.given("x", {1, 3, 32, 32});
  x = pool(net, convolve(net, x, "c0", {1, 32, 32, 32}), {1, 32, 16, 16});
  x = pool(net, convolve(net, x, "c1", {1, 64, 16, 16}), {1, 64, 8, 8});
  x = pool(net, convolve(net, x, "c2", {1, 64, 8, 8}), {1, 64, 4, 4});
  const Dims kernel = {128, 64, 4, 4};
  const After relu = After().apply(algorithm::eltwise_relu);
  const dnnl::inner_product_forward::primitive_desc description(
      {kInference, x.get_desc(), layout(kernel, kAny), plain({128}), plain({1, 128})},
      relu.attributes(), Net::engine());
  const memory hidden = net.fresh(plain({1, 128}));
  net.add<dnnl::inner_product_forward>(
      description,
      {{DNNL_ARG_SRC, x},
       {DNNL_ARG_WEIGHTS, net.turned(net.given("f0_W", kernel), description.weights_desc())},
       {DNNL_ARG_BIAS, net.given("f0_b", {128})},
       {DNNL_ARG_DST, hidden}});
  net.affine(hidden, net.given("f1_W", layout({128, 10}, Tag::ba)), "f1_b", net.result({1, 10}));
}

using Build = void (*)(Net&);

const std::map<std::string, Build>& known() {
  static const std::map<std::string, Build> table = {
      {"add_4k", [](Net& net) { add(net, 4096); }},
      {"add_256k", [](Net& net) { add(net, 262144); }},
      {"add_16m", [](Net& net) { add(net, 16777216); }},
      {"chain_4k", [](Net& net) { chain(net, 4096); }},
      {"chain_256k", [](Net& net) { chain(net, 262144); }},
      {"chain_16m", [](Net& net) { chain(net, 16777216); }},
      {"sigmoid_256k", [](Net& net) { map(net, 262144, algorithm::eltwise_logistic); }},
      {"exp_256k", [](Net& net) { map(net, 262144, algorithm::eltwise_exp); }},
      {"tanh_256k", [](Net& net) { map(net, 262144, algorithm::eltwise_tanh); }},
      {"gelu_erf_256k", [](Net& net) { map(net, 262144, algorithm::eltwise_gelu_erf); }},
      {"gelu_tanh_256k", [](Net& net) { map(net, 262144, algorithm::eltwise_gelu_tanh); }},
      {"softmax_1024",
       [](Net& net) { net.softmax(net.given("a", {1024, 1024}), net.result({1024, 1024})); }},
      {"layernorm_1024x768",
       [](Net& net) {
         net.layer_norm(net.given("a", {1024, 768}), "gamma", "beta", net.result({1024, 768}));
       }},
      {"bias_relu_1024x1024", bias_relu},
      {"reduce_sum_ax0", [](Net& net) { reduce(net, {1, 1024}); }},
      {"reduce_sum_ax1", [](Net& net) { reduce(net, {4096, 1}); }},
      {"transpose_add_2048", transpose_add},
      {"mlp_b1", [](Net& net) { mlp(net, 1); }},
      {"mlp_b32", [](Net& net) { mlp(net, 32); }},
      {"encoder_s128_d256", encoder},
      {"convnet_32", convnet},
  };
  return table;
}

}  // namespace

Call prepare_dnnl(const Task& task) {
  const auto net = std::make_shared<Net>(task);
  const auto found = known().find(task.name);
  if (product_extent(task.name) > 0) {
    product(*net, task.name);
  } else if (found != known().end()) {
    found->second(*net);
  } else {
    return {};
  }
  return [net] { net->run(); };
}

}  // namespace wick::workloads

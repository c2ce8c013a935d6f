// The memory that each workload needs between its kernels, against figures derived by hand.
//
// Bounds are for the fused program: what is computed and consumed in one pass over memory needs no
// bytes of its own, and an output is written where the caller wants it. Derivations:
//
//   one product, one pass over elements, one reduction, one transposed read: nothing is left
//   between kernels, 0 bytes.
//
//   layer norm, composite and from primitives: three passes over a row of the input (mean,
//   variance, result). Centered values are subtracted anew in each pass instead of being kept. 0
//   bytes.
//
//   softmax, composite and from primitives: exponentials are worth keeping from the pass that sums
//   them to the pass that divides them. One row of 1024 floats: 4096 bytes, not the 4 MiB of the
//   whole.
//
//   mlp: h0 = relu(x W0 + b0) is [b, 512] and h1 = relu(h0 W1 + b1) is [b, 256]; a product cannot
//   overwrite the rows that it reads, so both are alive while h1 is computed:
//   (512 + 256) * 4 * b bytes. The last product goes to the output while h1 alone is alive.
//
//   convnet: each convolution ends in relu, then come the largest of 2 x 2. A pool cannot overwrite
//   the windows that it reads. Most is alive at the first: 32 * 32 * 32 + 32 * 16 * 16 floats. The
//   next convolution reads these 32,768 bytes and writes 65,536.
//
//   encoder, in units of a [128, 256] matrix, U = 131072 bytes; a [4, 128, 128] stack of scores is
//   2 U, a [128, 1024] matrix 4 U:
//     scores = q k' / 8             q, k, scores                    1 + 1 + 2     = 4 U
//     softmax                       over scores, one row            2             = 2 U + 512
//     context = probabilities v     probabilities, v, context       2 + 1 + 1     = 4 U
//     n1 = norm(x + context Wo)     context packed, its copy        1 + 1         = 2 U
//     hidden = gelu(n1 W1 + b1)     hidden                          4             = 4 U
//     n2 = n1 + hidden W2           hidden                          4             = 4 U
//   The sum x + context Wo and n1, n2 and y over it lie in the output. 4 U = 524288 bytes.
//
// Without fusion, every operation by itself, elementwise results overwrite operands:
//
//   encoder: gelu from primitives has h and erf(h / sqrt 2) + 1 alive, 4 U each. n1 lies in the
//   output: the residual, the centered values and so on overwrite it one after the other up to y.
//   8 U = 1048576 bytes.
//
//   layer norm from primitives: centered values lie in the output as n1 does above; their squares
//   and the mean of these are alive at once: 1024 * 768 * 4 + 1024 * 4 bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>

#include "tests/bench/workloads/workloads.h"

namespace wick::workloads {
namespace {

struct Expected {
  std::string name;
  std::int64_t arena;
  // Most bytes alive at once without fusion but with in-place writes, outputs among them, as the
  // bench states it for encoder and mlp_b32; the others may keep no more than a row.
  std::int64_t most_alive = 4096;
};

std::ostream& operator<<(std::ostream& out, const Expected& expected) {
  return out << expected.name;
}

const std::vector<Expected> kExpected = {
    {"add_16m", 0},
    {"add_256k", 0},
    {"add_4k", 0},
    {"bias_relu_1024x1024", 0},
    {"chain_16m", 0},
    {"chain_256k", 0},
    {"chain_4k", 0},
    {"convnet_32", 163840, 163840},
    {"encoder_s128_d256", 524288, 1179648},
    {"exp_256k", 0},
    {"expchain_256k", 0},
    {"gelu_erf_256k", 0},
    {"gelu_tanh_256k", 0},
    {"layernorm_1024x768", 0},
    {"layernorm_decomp_1024x768", 0},
    {"matmul_1024", 0},
    {"matmul_128", 0},
    {"matmul_2048", 0},
    {"matmul_256", 0},
    {"matmul_512", 0},
    {"matmul_64", 0},
    {"matmul_const_1024", 0},
    {"matmul_const_256", 0},
    {"meanvar_chain_1024", 4096},
    {"mlp_b1", 3072},
    {"mlp_b32", 98304, 98304},
    {"reduce_sum_ax0", 0},
    {"reduce_sum_ax1", 0},
    {"sigmoid_256k", 0},
    {"softmax_1024", 4096},
    {"tanh_256k", 0},
    {"transpose_add_2048", 0},
};

class Arena : public ::testing::TestWithParam<Expected> {};

TEST_P(Arena, IsTheLowerBoundDerivedByHand) {
  const Expected& expected = GetParam();
  const compiler::Compilation compilation = compiled(expected.name);
  EXPECT_EQ(compilation.plan->arena.count, expected.arena);
  EXPECT_EQ(compilation.plan->report.lower_bound.count, expected.arena);
  EXPECT_LE(compilation.plan->arena.count, expected.most_alive);
}

INSTANTIATE_TEST_SUITE_P(Of, Arena, ::testing::ValuesIn(kExpected),
                         [](const auto& test) { return test.param.name; });

std::int64_t unfused_arena(const std::string& name) {
  compiler::CompileOptions options;
  options.fuse.fuse = false;
  return compiled(name, options).plan->arena.count;
}

TEST(UnfusedArena, HoldsWhatSingleOperationsLeaveAlive) {
  EXPECT_EQ(unfused_arena("encoder_s128_d256"), 1048576);
  EXPECT_EQ(unfused_arena("layernorm_decomp_1024x768"), 3149824);
  EXPECT_EQ(unfused_arena("mlp_b32"), 98304);
  EXPECT_EQ(unfused_arena("gelu_tanh_256k"), 0);  // a ladder of results over the output
}

TEST(Translation, CoversEveryListing) {
  std::vector<std::string> expected;
  for (const Expected& workload : kExpected) expected.push_back(workload.name);
  EXPECT_EQ(translated(), expected);
  EXPECT_EQ(listed(), expected);
}

}  // namespace
}  // namespace wick::workloads

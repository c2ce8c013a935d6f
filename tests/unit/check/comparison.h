// What tests of faithfulness share: small graphs, weights as bytes, and the one finding that they
// expect.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include <gmock/gmock.h>

#include "frontend/check/faithful.h"
#include "tests/support/graphs.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check::testing {

inline const TensorType kMatrix = f32({2, 3});

// A graph of one kMatrix, x, so far.
inline compiler::testing::Described one_input() {
  return compiler::testing::Described().input("x", DType::kF32, {2, 3});
}

// The only finding; of none, one that says nothing.
inline Finding only(const Faithfulness& result) {
  EXPECT_THAT(result.findings, ::testing::SizeIs(1));
  return result.findings.empty() ? Finding{} : result.findings[0];
}

inline std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace wick::frontend::check::testing

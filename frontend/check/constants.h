// The elements of constants, as both sides of the proof of faithfulness see them: whatever shape,
// repetition or layout they were written in, equal contents are one term.
#pragma once

#include <cstdint>
#include <utility>

#include "frontend/check/terms.h"

namespace wick::frontend::check {

// Constants that are computed, read through another layout or looked at for repetition have at most
// this many bytes: at least what the compiler folds. Larger ones are compared as they stand.
inline constexpr std::int64_t kMostFoldedBytes = std::int64_t{4} << 20;

std::int64_t byte_size(compiler::DType dtype, const Shape& shape);

// The elements that the layout reads from packed storage, packed. Requires: it stays inside.
compiler::HostTensor elements(const compiler::HostTensor& storage, const Layout& layout);

// The row-major elements of a matrix whose bytes lie in k-major panels of 64 bytes: element [k, n]
// of [K, N], with W elements in 64 bytes, stands at n / W * W * K + k * min(W, N - n / W * W) + n %
// W. Requires: as many bytes as the type says. Cost: linear.
compiler::HostTensor from_panels(compiler::DType dtype, const Shape& shape,
                                 std::span<const std::byte> bytes);

// The packed elements of `data` without those that repeat along an axis, in one axis; and the
// layout of the shape of `data` that reads them. Cost: one look at each element at most per axis,
// one at the first few where nothing repeats.
std::pair<compiler::HostTensor, Layout> distilled(const compiler::HostTensor& data);

}  // namespace wick::frontend::check

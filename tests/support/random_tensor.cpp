#include <bit>
#include <limits>

#include "tests/support/random_graph.h"

namespace wick::compiler::testing {
namespace {

template <class E>
E special_float(Random& random) {
  using Limits = std::numeric_limits<E>;
  using Bits = std::conditional_t<sizeof(E) == 4, std::uint32_t, std::uint64_t>;
  switch (random.in(0, 12)) {
    case 0:
      return E{0};
    case 1:
      return -E{0};
    case 2:
      return Limits::infinity();
    case 3:
      return -Limits::infinity();
    case 4:
      return Limits::quiet_NaN();
    case 5:
      return Limits::denorm_min();
    case 6:
      return Limits::max();
    case 7: {
      const E any = std::bit_cast<E>(static_cast<Bits>(random.bits()));
      return any == any ? any : E{1};
    }
    default:
      return static_cast<E>(random.in(-100'000, 100'001)) / E{1024};
  }
}

template <class E>
E random_element(Random& random, RandomValues values) {
  if constexpr (std::is_same_v<E, bool>) {
    return random.chance(50);
  } else {
    if (values == RandomValues::kSmall) {
      const std::int64_t low = std::is_signed_v<E> ? -4 : 0;
      return static_cast<E>(random.in(low, 5));
    }
    if constexpr (std::is_floating_point_v<E>) {
      return special_float<E>(random);
    } else {
      if (random.chance(10)) return std::numeric_limits<E>::min();
      if (random.chance(10)) return std::numeric_limits<E>::max();
      return static_cast<E>(random.bits());
    }
  }
}

}  // namespace

HostTensor random_tensor(Random& random, DType dtype, const Shape& shape, RandomValues values) {
  HostTensor tensor(dtype, shape);
  dispatch(dtype, [&](auto zero) {
    using E = decltype(zero);
    for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
      tensor.set<E>(i, random_element<E>(random, values));
    }
  });
  return tensor;
}

std::vector<HostTensor> random_inputs(const Graph& graph, std::uint64_t seed, RandomValues values) {
  Random random(seed);
  std::vector<HostTensor> tensors;
  for (const Input& input : graph.inputs) {
    const ops::TensorType& type = graph.values[input.value].type;
    tensors.push_back(random_tensor(random, type.dtype, type.shape(), values));
  }
  return tensors;
}

}  // namespace wick::compiler::testing

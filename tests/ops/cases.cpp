#include "tests/ops/cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace wick::compiler::testing {
namespace {

template <class T>
T next(std::istream& words) {
  T value{};
  if (!(words >> value)) throw std::runtime_error("expected values: a line ends too early");
  return value;
}

std::vector<std::byte> bytes_of(const std::string& hex) {
  std::vector<std::byte> bytes;
  if (hex == "-") return bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

ops::Integers read_integers(std::istream& words) {
  ops::Integers integers(next<std::size_t>(words));
  for (std::int64_t& integer : integers) integer = next<std::int64_t>(words);
  return integers;
}

DType read_dtype(std::istream& words) { return dtype_named(next<std::string>(words)).value(); }

HostTensor read_tensor(std::istream& words) {
  const DType dtype = read_dtype(words);
  const Shape shape = Shape::of(read_integers(words));
  const std::vector<std::byte> bytes = bytes_of(next<std::string>(words));
  HostTensor tensor(dtype, shape);
  if (bytes.size() != tensor.bytes().size()) throw std::runtime_error("expected values: bytes");
  std::ranges::copy(bytes, tensor.mutable_bytes().begin());
  return tensor;
}

std::optional<std::int64_t> read_end(std::istream& words) {
  const auto word = next<std::string>(words);
  if (word == "null") return std::nullopt;
  return std::stoll(word);
}

ops::AttributeValue read_attribute(std::istream& words) {
  const auto kind = next<std::string>(words);
  if (kind == "flag") return next<int>(words) != 0;
  if (kind == "integer") return next<std::int64_t>(words);
  if (kind == "number") return std::stod(next<std::string>(words));
  if (kind == "text") return next<std::string>(words);
  if (kind == "integers") return read_integers(words);
  if (kind == "pairs") {
    ops::Pairs pairs(next<std::size_t>(words));
    for (auto& pair : pairs) pair = {next<std::int64_t>(words), next<std::int64_t>(words)};
    return pairs;
  }
  ops::Ranges ranges(next<std::size_t>(words));
  for (ops::Range& range : ranges) {
    range.start = read_end(words);
    range.stop = read_end(words);
    range.step = read_end(words).value_or(1);
  }
  return ranges;
}

void read_line(std::istream& words, const std::string& keyword, Case& item) {
  if (keyword == "attribute") {
    const auto name = next<std::string>(words);
    item.attributes.set(name, read_attribute(words));
  } else if (keyword == "dtype") {
    item.dtype = read_dtype(words);
  } else if (keyword == "shape") {
    item.shape = read_integers(words);
  } else if (keyword == "operand") {
    item.operands.push_back(read_tensor(words));
  } else if (keyword == "result") {
    item.results.push_back(read_tensor(words));
  } else if (keyword == "ulps") {
    item.ulps = next<double>(words);
    item.expanded_ulps = next<double>(words);
  } else {
    throw std::runtime_error("expected values: " + keyword);
  }
}

// The distance from |x| to the next larger number of E.
template <class E>
double unit(E x) {
  using Limits = std::numeric_limits<E>;
  if (x == E{0}) return static_cast<double>(Limits::denorm_min());
  const double step = std::ldexp(1.0, std::ilogb(x) - Limits::digits + 1);
  return std::max(step, static_cast<double>(Limits::denorm_min()));
}

template <class E>
bool near(E expected, E found, double ulps, bool any_zero) {
  if (std::memcmp(&expected, &found, sizeof(E)) == 0) return true;
  if constexpr (std::is_floating_point_v<E>) {
    if (expected != expected || found != found) return expected != expected && found != found;
    if (expected == E{0} && found == E{0}) return any_zero;
    if (ulps == 0 || std::isinf(expected) || std::isinf(found)) return false;
    return std::fabs(static_cast<double>(found) - static_cast<double>(expected)) <=
           ulps * unit(expected);
  }
  return false;
}

}  // namespace

std::vector<Case> cases_of(const std::string& op) {
  std::ifstream file(WICK_EXPECTED);
  if (!file) throw std::runtime_error("no file of expected values");
  std::vector<Case> cases;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    const auto keyword = next<std::string>(words);
    if (keyword == "case") {
      inside = next<std::string>(words) == op;
      if (!inside) continue;
      cases.emplace_back().op = op;
      std::getline(words >> std::ws, cases.back().note);
    } else if (inside && keyword != "end") {
      read_line(words, keyword, cases.back());
    }
  }
  return cases;
}

std::optional<std::string> difference(const HostTensor& expected, const HostTensor& found,
                                      double ulps, bool any_zero) {
  if (expected.dtype() != found.dtype() || expected.shape() != found.shape()) {
    return "expected " + type_text(expected.dtype(), expected.shape()) + ", found " +
           type_text(found.dtype(), found.shape());
  }
  return dispatch(expected.dtype(), [&](auto zero) -> std::optional<std::string> {
    using E = decltype(zero);
    for (std::int64_t i = 0; i < expected.element_count(); ++i) {
      const E e = expected.at<E>(i), f = found.at<E>(i);
      if (near(e, f, ulps, any_zero)) continue;
      std::ostringstream text;
      text.precision(20);
      text << "element " << i << ": expected " << +e << ", found " << +f;
      return text.str();
    }
    return std::nullopt;
  });
}

}  // namespace wick::compiler::testing

// Prints the tables of docs/numerics.md for one instruction set.
//
//   ulp_tables NAME [--stride N] [--points N] [FUNCTION...]
//
// --stride: every N-th bit pattern of f32 (1 by default: all of them; 0: none)
// --points: how many points of f64, and of f32 for functions of two operands (10^8 by default)

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/runtime/math/measure.h"

namespace {

using namespace wick::testing;

struct Request {
  std::uint32_t stride = 1;
  std::uint64_t points = 100'000'000;
  std::vector<std::string> names;

  bool wants(const Function& function) const {
    if (names.empty()) return true;
    for (const std::string& name : names) {
      if (name == function.name) return true;
    }
    return false;
  }
};

int g_failures = 0;

void print(const char* dtype, const Function& function, const Measurement& measured) {
  const bool single = std::strcmp(dtype, "f32") == 0;
  std::printf("%s\n", measured.row(function.name, function.operands).c_str());
  std::fflush(stdout);
  if (!measured.fault.empty()) std::fprintf(stderr, "%s\n", measured.fault.c_str());
  if (!measured.fault.empty() || measured.worst > bound_of(function.name, single)) ++g_failures;
}

void print_heading(const char* level, const char* dtype, std::uint64_t points) {
  std::printf("\n%s, %s, %llu points each\n\n", dtype, level,
              static_cast<unsigned long long>(points));
  std::printf("| function | worst, ulp | at | rounded correctly |\n|---|--:|---|--:|\n");
}

void print_tables(const char* level, const Request& request) {
  if (request.stride != 0) {
    const Patterns patterns{0, request.stride, (std::uint64_t{1} << 32) / request.stride};
    print_heading(level, "f32, one operand", patterns.count);
    for (std::size_t i = 0; i < kFunctionCount; ++i) {
      if (kFunctions[i].operands == 1 && request.wants(kFunctions[i])) {
        print("f32", kFunctions[i], measure_patterns(kFunctions[i], patterns));
      }
    }
  }
  if (request.points == 0) return;
  print_heading(level, "f32, two operands", request.points);
  for (std::size_t i = 0; i < kFunctionCount; ++i) {
    if (kFunctions[i].operands == 2 && request.wants(kFunctions[i])) {
      print("f32", kFunctions[i], measure_points<float>(kFunctions[i], request.points, 1));
    }
  }
  print_heading(level, "f64", request.points);
  for (std::size_t i = 0; i < kFunctionCount; ++i) {
    if (request.wants(kFunctions[i])) {
      print("f64", kFunctions[i], measure_points<double>(kFunctions[i], request.points, 1));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  const char* level = argc > 1 ? argv[1] : "this instruction set";
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--stride" && i + 1 < argc) {
      request.stride = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 10));
    } else if (argument == "--points" && i + 1 < argc) {
      request.points = std::strtoull(argv[++i], nullptr, 10);
    } else {
      request.names.push_back(argument);
    }
  }
  print_tables(level, request);
  return g_failures == 0 ? 0 : 1;
}

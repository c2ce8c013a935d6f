// The packers' tables alone: `pack_bench [SECONDS]`, the limit of each exact search, 8.5 by
// default.
#include <cstdlib>

#include "tests/bench/planner/pack_tables.h"

int main(int argc, char** argv) {
  wick::bench::print_packing_tables(argc > 1 ? std::atof(argv[1]) : 8.5);
  return 0;
}

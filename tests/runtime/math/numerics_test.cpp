// The tables of docs/numerics.md against the bounds of the runtime: every function stands in them
// with its bound, and no recorded error is above it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "wick/bounds.h"

namespace wick::testing {
namespace {

using Row = std::vector<std::string>;

// The cells of "| a | b |", without spaces around them.
Row cells_of(const std::string& line) {
  Row cells;
  std::istringstream text(line.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) {
    const auto begin = cell.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    cells.push_back(cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
  }
  return cells;
}

// The rows of the tables of functions: [0] those of f32, [1] those of f64, by function.
void read_tables(std::map<std::string, Row> (&tables)[2]) {
  std::ifstream file(std::string(WICK_SOURCE_DIR) + "/docs/numerics.md");
  ASSERT_TRUE(file.is_open());
  int table = -1;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("f32, one operand", 0) == 0) table = 0;
    if (line == "f64:") table = 1;
    if (line.rfind("###", 0) == 0) table = -1;
    if (table < 0 || line.rfind("| ", 0) != 0) continue;
    const Row cells = cells_of(line);
    ASSERT_EQ(cells.size(), 8u) << line;
    if (cells[0] != "function") tables[table][cells[0]] = cells;
  }
}

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

TEST(NumericsDocument, StatesTheBoundsAndErrorsBelowThem) {
  std::map<std::string, Row> tables[2];
  ASSERT_NO_FATAL_FAILURE(read_tables(tables));
  for (const ErrorBound& bound : kErrorBounds) {
    for (int table = 0; table < 2; ++table) {
      SCOPED_TRACE(std::string(bound.operation) + (table == 0 ? ", f32" : ", f64"));
      const auto row = tables[table].find(bound.operation);
      ASSERT_NE(row, tables[table].end());
      EXPECT_EQ(number(row->second[1]), table == 0 ? bound.f32 : bound.f64);
    }
  }
  for (const auto& table : tables) {
    for (const auto& [name, row] : table) {
      EXPECT_LE(number(row[2]), number(row[1])) << name;
      EXPECT_LE(number(row[5]), number(row[1])) << name;
      EXPECT_LE(number(row[1]), 2) << name;
    }
  }
}

}  // namespace
}  // namespace wick::testing

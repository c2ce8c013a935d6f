#include "compiler/plan/pack/lifetimes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace wick::compiler::pack {
namespace {

struct Row {
  std::size_t line = 0;
  std::vector<std::string> fields;
};

// Splits the text into rows of fields. Blank lines are skipped.
class RowReader {
 public:
  explicit RowReader(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) position_ = kByteOrderMark.size();
  }

  // The next row, or nothing at the end of the text. Throws LifetimesError.
  std::optional<Row> next() {
    while (position_ < text_.size() && skip_line_end()) {
    }
    if (position_ == text_.size()) return std::nullopt;
    Row row{line_, {}};
    do {
      row.fields.push_back(field());
    } while (skip(','));
    if (position_ < text_.size() && !skip_line_end()) {
      throw LifetimesError{line_, "expected a comma or the end of the line"};
    }
    return row;
  }

 private:
  bool skip(char c) {
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  bool skip_line_end() {
    const std::size_t start = position_;
    skip('\r');
    if (skip('\n')) {
      ++line_;
      return true;
    }
    position_ = start;
    return false;
  }

  std::string field() {
    if (skip('"')) return quoted_field();
    const std::size_t end = std::min(text_.find_first_of(",\r\n", position_), text_.size());
    std::string result(text_.substr(position_, end - position_));
    position_ = end;
    return result;
  }

  std::string quoted_field() {
    const std::size_t start_line = line_;
    std::string result;
    while (position_ < text_.size()) {
      const char c = text_[position_++];
      if (c == '"' && !skip('"')) return result;
      if (c == '\n') ++line_;
      result += c;
    }
    throw LifetimesError{start_line, "a quoted field is not closed"};
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

// Where a field is shown in a message: long ones are cut, and other than printable ASCII is left
// out.
std::string shown(std::string_view field) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (const char c : field.substr(0, kLongest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (field.size() > kLongest ? "...'" : "'");
}

enum Column : std::size_t { kId, kLower, kUpper, kSize, kAlignment, kColumns };
constexpr std::array<std::string_view, kColumns> kColumnNames = {"id", "lower", "upper", "size",
                                                                 "alignment"};

// For each field of a row its column. Throws LifetimesError.
std::vector<Column> read_header(const Row& row) {
  std::vector<Column> columns;
  std::array<bool, kColumns> seen{};
  for (const std::string& field : row.fields) {
    const auto found = std::find(kColumnNames.begin(), kColumnNames.end(), field);
    if (found == kColumnNames.end()) {
      throw LifetimesError{row.line, "unknown column " + shown(field) +
                                         "; the header is id,lower,upper,size[,alignment]"};
    }
    const auto column = static_cast<Column>(found - kColumnNames.begin());
    if (seen[column]) throw LifetimesError{row.line, "column " + shown(field) + " occurs twice"};
    seen[column] = true;
    columns.push_back(column);
  }
  for (std::size_t column = kId; column < kAlignment; ++column) {
    if (!seen[column]) {
      throw LifetimesError{row.line, "column '" + std::string(kColumnNames[column]) +
                                         "' is missing; the header is "
                                         "id,lower,upper,size[,alignment]"};
    }
  }
  return columns;
}

std::int64_t read_number(const Row& row, Column column, std::string_view field) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const std::string name(kColumnNames[column]);
  if (error == std::errc::result_out_of_range) {
    throw LifetimesError{row.line, name + " " + shown(field) + " does not fit into 64 bits"};
  }
  if (error != std::errc() || end != field.data() + field.size()) {
    throw LifetimesError{row.line, name + " " + shown(field) + " is not an integer"};
  }
  return value;
}

// Checks the buffers one by one, and their running sum.
class Collector {
 public:
  explicit Collector(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Throws LifetimesError.
  void add(const Row& row) {
    if (row.fields.size() != columns_.size()) {
      throw LifetimesError{row.line, "expected " + std::to_string(columns_.size()) +
                                         " fields, found " + std::to_string(row.fields.size())};
    }
    std::string id;
    std::array<std::int64_t, kColumns> values{};
    values[kAlignment] = 1;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == kId) {
        id = row.fields[i];
      } else {
        values[columns_[i]] = read_number(row, columns_[i], row.fields[i]);
      }
    }
    const Buffer buffer{values[kLower], values[kUpper], values[kSize], values[kAlignment]};
    check(row, id, buffer);
    result_.problem.buffers.push_back(buffer);
    result_.ids.push_back(std::move(id));
  }

  Lifetimes take() { return std::move(result_); }

 private:
  void check(const Row& row, const std::string& id, const Buffer& buffer) {
    if (id.empty()) throw LifetimesError{row.line, "the id is empty"};
    if (buffer.lower >= buffer.upper) {
      throw LifetimesError{row.line, "the lifetime [" + std::to_string(buffer.lower) + ", " +
                                         std::to_string(buffer.upper) +
                                         ") does not end after it starts"};
    }
    if (const auto fault = find_fault({{buffer}})) {
      throw LifetimesError{row.line, fault->substr(fault->find(": ") + 2)};
    }
    if (buffer.size + buffer.alignment > kMaxTotal - total_) {
      throw LifetimesError{row.line, "the sizes up to here do not fit into 61 bits together"};
    }
    if (!seen_.insert(id).second) {
      throw LifetimesError{row.line, "the id " + shown(id) + " occurs twice"};
    }
    total_ += buffer.size + buffer.alignment;
  }

  std::vector<Column> columns_;
  std::set<std::string> seen_;
  std::int64_t total_ = 0;
  Lifetimes result_;
};

std::string quoted_if_needed(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string result = "\"";
  for (const char c : field) {
    if (c == '"') result += c;
    result += c;
  }
  return result + '"';
}

}  // namespace

LifetimesResult read_lifetimes(std::string_view text) {
  LifetimesResult result;
  RowReader rows(text);
  // Without a header, or with an open quote, the rest cannot be understood; a wrong row is skipped.
  try {
    const std::optional<Row> header = rows.next();
    if (!header) throw LifetimesError{1, "expected the header id,lower,upper,size[,alignment]"};
    Collector collector(read_header(*header));
    while (result.errors.size() < kMaxLifetimesErrors) {
      const std::optional<Row> row = rows.next();
      if (!row) break;
      try {
        collector.add(*row);
      } catch (LifetimesError& error) {
        result.errors.push_back(std::move(error));
      }
    }
    result.lifetimes = collector.take();
  } catch (LifetimesError& error) {
    result.errors.push_back(std::move(error));
  }
  return result;
}

std::string write_lifetimes(const Lifetimes& lifetimes, const std::vector<std::int64_t>& offsets) {
  const std::vector<Buffer>& buffers = lifetimes.problem.buffers;
  if (lifetimes.ids.size() != buffers.size() ||
      (!offsets.empty() && offsets.size() != buffers.size())) {
    throw std::invalid_argument("one id, and one offset if any, is needed for each buffer");
  }
  const bool aligned = std::any_of(buffers.begin(), buffers.end(),
                                   [](const Buffer& buffer) { return buffer.alignment != 1; });
  std::string text = "id,lower,upper,size";
  if (aligned) text += ",alignment";
  if (!offsets.empty()) text += ",offset";
  text += '\n';
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    text += quoted_if_needed(lifetimes.ids[i]);
    for (const std::int64_t value : {buffers[i].lower, buffers[i].upper, buffers[i].size}) {
      text += ',' + std::to_string(value);
    }
    if (aligned) text += ',' + std::to_string(buffers[i].alignment);
    if (!offsets.empty()) text += ',' + std::to_string(offsets[i]);
    text += '\n';
  }
  return text;
}

}  // namespace wick::compiler::pack

#include "compiler/ops/markdown.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/ops/record.h"
#include "compiler/support/text.h"

namespace wick::compiler::ops {
namespace {

constexpr std::size_t kColumns = 100;

// ---- Phrases ------------------------------------------------------------------------------------

std::string dtypes_text(DTypeSet dtypes) {
  if (dtypes.bits == kAnyDType.bits) return "any";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    if (dtypes.contains(static_cast<DType>(i))) names.emplace_back(kDTypes[i].name);
  }
  return joined(names, ", ");
}

std::string kind_text(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kFlag:
      return "true or false";
    case AttributeKind::kInteger:
      return "integer";
    case AttributeKind::kNumber:
      return "number";
    case AttributeKind::kText:
      return "text";
    case AttributeKind::kIntegers:
    case AttributeKind::kParts:
      return "integers";
    case AttributeKind::kRanges:
    case AttributeKind::kStrides:
      return "ranges";
    case AttributeKind::kPairs:
      return "pairs of integers";
    case AttributeKind::kDType:
      return "dtype";
  }
  return {};
}

// As it would be written in a graph.
std::string value_text(const AttributeValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) {
    const std::string text = shortest(*number);
    const bool finite = text.find_first_not_of("+-.0123456789e") == std::string::npos;
    return finite ? text : quoted(text);
  }
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  std::vector<std::string> parts;
  if (const auto* integers = std::get_if<Integers>(&value)) {
    for (const std::int64_t integer : *integers) parts.push_back(std::to_string(integer));
  }
  if (const auto* pairs = std::get_if<Pairs>(&value)) {
    for (const auto& [first, second] : *pairs) {
      parts.push_back("[" + std::to_string(first) + ", " + std::to_string(second) + "]");
    }
  }
  return "[" + joined(parts, ", ") + "]";
}

std::string choices_text(const AttributeSpec& attribute) {
  if (attribute.choices.empty()) return kind_text(attribute.kind);
  std::vector<std::string> choices;
  for (const std::string_view choice : attribute.choices) choices.push_back(quoted(choice));
  return joined(choices, ", ");
}

std::string presence_text(const AttributeSpec& attribute) {
  if (attribute.required) return "required";
  return attribute.default_value ? value_text(*attribute.default_value) : "absent";
}

std::string presence_text(const OperandSpec& operand) {
  if (operand.variadic) return "one or more";
  return operand.optional ? "optional" : "required";
}

std::string accuracy_text(const ErrorBound& error) {
  const std::string units =
      shortest(error.ulps) +
      (error.ulps == error.ulps_f64 ? std::string() : " (f64: " + shortest(error.ulps_f64) + ")") +
      " ulp";
  switch (error.model) {
    case ErrorModel::kExact:
      return "exact";
    case ErrorModel::kUlps:
      return error.ulps == 0 ? "exact but for the sign of zeros" : "within " + units;
    case ErrorModel::kAccumulated:
      return "within gamma(n) * sum |terms| over the n elements that are accumulated, and " + units;
    case ErrorModel::kMultiplied:
      return "within gamma(n) * |product| and " + units + ", while partial products stay normal";
    case ErrorModel::kProduct:
      return "within gamma(k) * sum |products| over the k products that are added up, and " + units;
    case ErrorModel::kComposed:
      return "that of the operations it is made of";
  }
  return {};
}

std::string fusion_text(FusionClass fusion) {
  switch (fusion) {
    case FusionClass::kElementwise:
      return "elementwise";
    case FusionClass::kReduction:
      return "reduction";
    case FusionClass::kProduct:
      return "product, with an elementwise epilogue";
    case FusionClass::kLayout:
      return "view, computes nothing";
    case FusionClass::kPack:
      return "copy, unless the operand is packed already";
    case FusionClass::kOpaque:
      return "a function of its own";
    case FusionClass::kComposite:
      return "composite, expands into other operations";
  }
  return {};
}

// What the node itself has to state.
std::string stated_text(const OpRecord& op) {
  if (op.uses_dtype && op.uses_shape) return "`dtype` and `shape` of the node say what is wanted.";
  if (op.uses_dtype) return "`dtype` of the node says what is wanted.";
  if (op.uses_shape) return "`shape` of the node says what is wanted.";
  return {};
}

// Operands of several groups: which of them share a dtype.
std::string groups_text(const OpRecord& op) {
  std::string groups;
  for (const OperandSpec& operand : op.operands) {
    if (groups.find(operand.group) == std::string::npos) groups += operand.group;
  }
  if (op.operands.size() < 2 && (op.operands.empty() || !op.operands[0].variadic)) return {};
  if (groups.size() < 2) return "All operands have one dtype.";
  std::vector<std::string> sharing;
  for (const char group : groups) {
    std::vector<std::string> names;
    for (const OperandSpec& operand : op.operands) {
      if (operand.group == group) names.emplace_back(operand.name);
    }
    if (names.size() > 1) sharing.push_back(joined(names, " and ") + " have one dtype.");
  }
  return joined(sharing, " ");
}

// ---- Text ---------------------------------------------------------------------------------------

// Words filled into lines, each behind `indent`.
std::string filled(std::string_view text, std::string_view indent) {
  std::string result, line(indent);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > kColumns) {
      result += line + "\n";
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line += word;
    at = end + 1;
  }
  return result + line + "\n";
}

using Row = std::vector<std::string>;

Row operand_row(const OperandSpec& operand) {
  return {std::string(operand.name), dtypes_text(operand.dtypes), presence_text(operand),
          std::string(operand.summary)};
}

Row attribute_row(const AttributeSpec& attribute) {
  return {std::string(attribute.name), choices_text(attribute), presence_text(attribute),
          std::string(attribute.summary)};
}

std::string markdown_table(const Row& head, const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  std::string text = "| " + joined(head, " | ") + " |\n|";
  for (std::size_t i = 0; i < head.size(); ++i) text += "---|";
  text += "\n";
  for (Row row : rows) {
    row[0] = "`" + row[0] + "`";
    text += "| " + joined(row, " | ") + " |\n";
  }
  return text + "\n";
}

// Columns set two apart, behind two blanks, under a heading.
std::string aligned_table(std::string_view heading, const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = "\n" + std::string(heading) + ":\n";
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::vector<Row> operand_rows(const OpRecord& op) {
  std::vector<Row> rows;
  for (const OperandSpec& operand : op.operands) rows.push_back(operand_row(operand));
  return rows;
}

std::vector<Row> attribute_rows(const OpRecord& op) {
  std::vector<Row> rows;
  for (const AttributeSpec& attribute : op.attributes) rows.push_back(attribute_row(attribute));
  return rows;
}

std::string section(const OpRecord& op) {
  std::string text = "### " + std::string(op.name) + "\n\n";
  text += filled(std::string(op.summary) + ".", "") + "\n" + filled(op.prose, "") + "\n";
  text += markdown_table({"operand", "dtype", "", "meaning"}, operand_rows(op));
  text += markdown_table({"attribute", "value", "default", "meaning"}, attribute_rows(op));
  for (const std::string& line : {groups_text(op), stated_text(op)}) {
    if (!line.empty()) text += line + "\n\n";
  }
  text += filled(
      "Fusion: " + fusion_text(op.fusion) + ". Accuracy: " + accuracy_text(op.error) + ".", "");
  return text + "\n```json\n" + std::string(op.example) + "\n```\n\n";
}

std::string contents() {
  std::string text, line;
  std::string_view family;
  for (const OpRecord* op : all()) {
    if (op->family != family) {
      if (!line.empty()) text += line + "\n";
      family = op->family;
      line = "- " + std::string(family) + ":";
    }
    line += std::string(line.back() == ':' ? " " : ", ") + "[`" + std::string(op->name) + "`](#" +
            std::string(op->name) + ")";
  }
  return text + line + "\n\n";
}

constexpr std::string_view kIntroduction =
    "All operations of the graph language. This page is generated from the compiler's table of "
    "operations (`wick ops --markdown`); `wick ops NAME` prints one of them. Operands are names of "
    "values or numbers; a number takes the dtype of the operands it stands with. Axes may be "
    "negative and then count from the end. Every operation takes tensors of rank 0 to 8 and "
    "extents "
    "of 0 unless it says otherwise. `ulp` is a unit in the last place of the result, gamma(n) = "
    "n u / (1 - n u) with u = 2^-24 for f32 and 2^-53 for f64.";

}  // namespace

std::string ops_markdown() {
  std::string text = "# Operations\n\n" + filled(kIntroduction, "") + "\n" + contents();
  std::string_view family;
  for (const OpRecord* op : all()) {
    if (op->family != family) text += "## " + std::string(op->family) + "\n\n";
    family = op->family;
    text += section(*op);
  }
  text.pop_back();  // one newline ends the file
  return text;
}

std::string ops_list() {
  std::size_t width = 0;
  for (const OpRecord* op : all()) width = std::max(width, op->name.size());
  std::string text;
  std::string_view family;
  for (const OpRecord* op : all()) {
    if (op->family != family) {
      text += std::string(family.empty() ? "" : "\n") + std::string(op->family) + ":\n";
    }
    family = op->family;
    text += "  " + std::string(op->name) + std::string(width - op->name.size() + 2, ' ') +
            std::string(op->summary) + "\n";
  }
  return text;
}

std::optional<std::string> op_text(std::string_view name) {
  const OpRecord* op = find(name);
  if (op == nullptr) return std::nullopt;
  std::string text = std::string(op->name) + ": " + std::string(op->summary) + "\n\n";
  text += filled(op->prose, "  ");
  text += aligned_table("operands", operand_rows(*op));
  text += aligned_table("attributes", attribute_rows(*op));
  for (std::string line : {groups_text(*op), stated_text(*op)}) {
    std::erase(line, '`');
    if (!line.empty()) text += "\n" + line + "\n";
  }
  text += "\nfusion: " + fusion_text(op->fusion) + "\naccuracy: " + accuracy_text(op->error) + "\n";
  return text + "\nexample:\n  " + std::string(op->example) + "\n";
}

}  // namespace wick::compiler::ops

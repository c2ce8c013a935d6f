#include "compiler/emit/metadata.h"

#include "compiler/emit/literals.h"

namespace wick::compiler::cpp {
namespace {

constexpr std::size_t kColumns = 100;

void append_table(std::vector<Line>& lines, const std::string& name,
                  const std::vector<Described>& table, TypeTable& types) {
  if (table.empty()) return;
  std::vector<std::string> elements;
  for (const Described& one : table) {
    elements.push_back("wick::describe<" + types.packed(one.dtype, one.shape, "") + ">(" +
                       string_literal(one.name) + (one.overwritten ? ", true)" : ")"));
  }
  const std::string head = "inline constexpr wick::TensorInfo " + name + "[] = {";
  for (Line& line : list_lines(head, elements, "};")) lines.push_back(std::move(line));
}

}  // namespace

Tables tables_of(const Plan& plan) {
  Tables tables;
  const FusedGraph& fused = *plan.fused;
  const Graph& graph = *fused.graph;
  for (const Input& input : graph.inputs) {
    const Value& value = graph.values[input.value];
    auto& table = input.parameter ? tables.parameters : tables.inputs;
    table.push_back({value.name, value.type.dtype, value.type.shape(), input.donate});
  }
  for (std::size_t i = 0; i < fused.outputs.size(); ++i) {
    const FusedTensor& tensor = fused.tensors[fused.outputs[i]];
    tables.outputs.push_back(
        {graph.values[graph.outputs[i].value].name, tensor.dtype, tensor.shape, false});
  }
  return tables;
}

std::vector<Line> metadata_lines(const Plan& plan, TypeTable& types) {
  const Tables tables = tables_of(plan);
  std::vector<Line> lines;
  append_table(lines, "kParameters", tables.parameters, types);
  append_table(lines, "kInputs", tables.inputs, types);
  append_table(lines, "kOutputs", tables.outputs, types);
  if (lines.empty()) return lines;
  lines.insert(lines.begin(), comment("The same as data, for callers that take any model."));
  return lines;
}

Line packed_file_line(const std::string& file, std::uint64_t hash) {
  return raw("inline constexpr wick::PackedFile kWeightsFile{" + string_literal(file) +
             ", kWeightsBytes, " + hash_literal(hash) + "};");
}

std::vector<Line> list_lines(const std::string& head, const std::vector<std::string>& elements,
                             const std::string& tail) {
  std::string whole = head;
  for (std::size_t i = 0; i < elements.size(); ++i) whole += (i == 0 ? "" : ", ") + elements[i];
  whole += tail;
  if (whole.size() <= kColumns) return {raw(whole)};
  std::vector<Line> lines = {raw(head)};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    lines.push_back(raw("    " + elements[i] + (i + 1 < elements.size() ? "," : tail)));
  }
  return lines;
}

std::string hash_literal(std::uint64_t hash) {
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i-- > 0; hash >>= 4u) {
    digits[i] = "0123456789abcdef"[hash & 15u];
  }
  return "0x" + digits;
}

}  // namespace wick::compiler::cpp

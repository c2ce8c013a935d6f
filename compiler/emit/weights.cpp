#include "compiler/emit/weights.h"

#include <algorithm>

#include "compiler/emit/literals.h"
#include "compiler/emit/program.h"
#include "compiler/support/text.h"
#include "compiler/tensor/panels.h"
#include "wick/hash.h"

namespace wick::compiler::cpp {
namespace {

// The constant tensors in the order of FusedGraph::constants.
std::vector<TensorId> constant_tensors(const FusedGraph& fused) {
  std::vector<TensorId> tensors(fused.constants.size());
  for (const TensorId id : ids(fused.tensors)) {
    if (fused.tensors[id].kind == TensorKind::kConstant) tensors[fused.tensors[id].index] = id;
  }
  return tensors;
}

Scalar element(const HostTensor& tensor, std::int64_t index) {
  return dispatch(tensor.dtype(),
                  [&](auto zero) { return Scalar::of(tensor.at<decltype(zero)>(index)); });
}

// constexpr float gain_values[] = {1.0f, 2.0f};  An array needs an element, so a tensor without any
// gets one that nobody reads.
std::vector<Line> values_lines(const HostTensor& tensor, const std::string& name) {
  std::string head =
      "constexpr " + std::string(info(tensor.dtype()).cpp_name) + " " + name + "[] = {";
  if (tensor.element_count() == 0) return {raw(head + "{}};")};
  std::vector<Line> rows;
  std::string row;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const std::string value =
        element_literal(element(tensor, i)) + (i + 1 < tensor.element_count() ? "," : "");
    if (row.size() + value.size() > 92) {
      rows.push_back(raw("    " + row));
      row.clear();
    }
    row += (row.empty() ? "" : " ") + value;
  }
  if (rows.empty() && head.size() + row.size() + 2 <= 100) return {raw(head + row + "};")};
  rows.push_back(raw("    " + row + "};"));
  std::vector<Line> lines = {raw(head)};
  std::ranges::move(rows, std::back_inserter(lines));
  return lines;
}

// In blocks, so that pages of a mapped file can be let go one after the other.
std::uint64_t packed_hash(const Plan& plan, const WeightsLayout& layout,
                          const EmitOptions& options) {
  constexpr std::size_t kBlock = std::size_t{16} << 20;
  Hash64 hash;
  for (const HostTensor& piece : packed_pieces(plan, layout)) {
    for (auto rest = piece.bytes(); !rest.empty();) {
      const auto block = rest.first(std::min(kBlock, rest.size()));
      hash.update(block.data(), block.size());
      if (options.release) options.release(block);
      rest = rest.subspan(block.size());
    }
  }
  return hash.digest();
}

}  // namespace

WeightsLayout lay_out_weights(const Plan& plan, const EmitOptions& options) {
  WeightsLayout layout;
  Bytes all;
  for (const HostTensor& constant : plan.fused->constants) {
    const Bytes size{static_cast<std::int64_t>(constant.bytes().size())};
    layout.offsets.push_back(layout.total);
    all += size;
    layout.total = round_up(layout.total + size);
  }
  const bool embed = options.weights == WeightsMode::kEmbed;
  layout.inline_values = embed && all <= kMostInlineBytes;
  if (!embed) layout.hash = packed_hash(plan, layout, options);
  return layout;
}

std::vector<Line> weights_lines(const Plan& plan, const Symbols& symbols,
                                const WeightsLayout& layout, const EmitOptions& options,
                                TypeTable& types) {
  const FusedGraph& fused = *plan.fused;
  const std::vector<TensorId> tensors = constant_tensors(fused);
  std::vector<Line> lines, members;
  Call fill{"", {}};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const FusedTensor& tensor = fused.tensors[tensors[i]];
    const std::string& name = symbols.tensors[tensors[i]];
    const std::string type = tensor.panels ? types.panels(tensor.dtype, tensor.shape, name)
                                           : types.packed(tensor.dtype, tensor.shape, name);
    const Bytes size{static_cast<std::int64_t>(fused.constants[i].bytes().size())};
    if (layout.inline_values) {
      std::ranges::move(values_lines(fused.constants[i], symbols.values[i]),
                        std::back_inserter(lines));
      members.push_back(raw("wick::In<" + type + "> " + name + "{" + symbols.values[i] + "};"));
    } else {
      members.push_back(raw("wick::In<" + type + "> " + name + ";",
                            bytes_text(size) + " at " + grouped(layout.offsets[i].count)));
      fill.arguments.push_back("wick::constant<" + type + ">(packed, " +
                               std::to_string(layout.offsets[i].count) + ")");
    }
  }
  if (layout.inline_values) lines.push_back(blank());
  lines.push_back(block("struct Weights {", std::move(members), "};"));
  if (layout.inline_values) {
    lines.push_back(raw("constexpr Weights weights{};"));
    return lines;
  }
  std::vector<Line> body;
  for (std::size_t i = 0; i < fill.arguments.size(); ++i) {
    const bool last = i + 1 == fill.arguments.size();
    body.push_back(raw((i == 0 ? "return {" : "    ") + fill.arguments[i] + (last ? "};" : ",")));
  }
  lines.push_back(blank());
  const std::string linkage = options.weights == WeightsMode::kEmbed ? "" : "inline ";
  lines.push_back(block(linkage + "Weights weights_at(const std::byte* packed) noexcept {",
                        std::move(body), "}"));
  return lines;
}

Line packed_declaration(const Symbols& symbols, const WeightsLayout& layout) {
  return raw("extern \"C\" const std::byte " + symbols.weights_symbol + "[" +
                 std::to_string(layout.total.count) + "];",
             symbols.file_name + ".weights");
}

std::vector<HostTensor> packed_pieces(const Plan& plan, const WeightsLayout& layout) {
  std::vector<HostTensor> pieces;
  const std::vector<TensorId> tensors = constant_tensors(*plan.fused);
  for (std::size_t i = 0; i < layout.offsets.size(); ++i) {
    const HostTensor& constant = plan.fused->constants[i];
    const Bytes size{static_cast<std::int64_t>(constant.bytes().size())};
    if (size.count == 0) continue;
    pieces.push_back(plan.fused->tensors[tensors[i]].panels ? in_panels(constant) : constant);
    const Bytes gap = round_up(size) - size;
    if (gap.count > 0) pieces.emplace_back(DType::kU8, *Shape::make(std::vector{gap.count}));
  }
  return pieces;
}

std::string weights_unit(const Symbols& symbols, const std::string& banner) {
  const std::string& symbol = symbols.weights_symbol;
  const std::string file = symbols.file_name + ".weights";
  std::vector<Line> lines = {
      comment(banner),
      comment(""),
      comment("Compile with -fno-lto and the folder of " + file + " in the include path (-I)."),
      blank(),
      block("__asm__(",
            {raw("  \".pushsection .rodata\\n\""), raw("  \".balign 64\\n\""),
             raw("  \".globl " + symbol + "\\n\""), raw("  \".hidden " + symbol + "\\n\""),
             raw("  \".type " + symbol + ", %object\\n\""), raw("  \"" + symbol + ":\\n\""),
             raw("  \".incbin \\\"" + file + "\\\"\\n\""),
             raw("  \".size " + symbol + ", . - " + symbol + "\\n\"")},
            "    \".popsection\\n\");"),
  };
  return render(lines).text;
}

std::string empty_weights_unit(const std::string& banner) {
  const std::vector<Line> lines = {comment(banner), comment(""),
                                   comment("This unit is empty: no constants are embedded.")};
  return render(lines).text;
}

}  // namespace wick::compiler::cpp

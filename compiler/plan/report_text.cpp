#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/plan/print.h"
#include "compiler/plan/report.h"
#include "compiler/support/text.h"

namespace wick::compiler {

namespace {

// Rounded to hundredths by integers, so that the text is the same on every machine.
std::string hundredths(double number) {
  const auto scaled = static_cast<std::int64_t>(number * 100 + 0.5);
  const std::string digits = std::to_string(scaled % 100);
  return std::to_string(scaled / 100) + "." + (digits.size() < 2 ? "0" : "") + digits;
}

struct Line {
  std::string name;
  std::string figure;
  std::string meaning;
};

// Names to the left, figures to the right of their columns.
std::string table(const std::vector<Line>& lines) {
  std::size_t names = 0, figures = 0;
  for (const Line& line : lines) {
    names = std::max(names, line.name.size());
    figures = std::max(figures, line.figure.size());
  }
  std::string text;
  for (const Line& line : lines) {
    text += "  " + line.name + std::string(names - line.name.size() + 2, ' ');
    text += std::string(figures - line.figure.size(), ' ') + line.figure;
    if (!line.meaning.empty()) text += "  " + line.meaning;
    text += "\n";
  }
  return text;
}

std::string figure(Bytes bytes) { return grouped(bytes.count); }
std::string saved(Bytes before, Bytes after) { return grouped(after.count - before.count); }

std::string peak_text(const Plan& plan) {
  const MemoryReport& report = plan.report;
  if (report.at_peak.empty()) return {};
  std::string text = "\nalive at the peak, ";
  text += (report.peak_in_prepare ? "prepare step " : "step ") + std::to_string(report.peak_step);
  text += "\n";
  std::vector<Line> lines;
  for (const StorageId id : report.at_peak) {
    const Storage& storage = plan.storages[id];
    lines.push_back(
        {name_of(plan, id), figure(storage.size),
         "live [" + std::to_string(storage.birth) + ", " + std::to_string(storage.death) + ")"});
  }
  return text + table(lines);
}

}  // namespace

double gap_percent(const MemoryReport& report) {
  if (report.lower_bound.count == 0) return 0;
  const auto bound = static_cast<double>(report.lower_bound.count);
  return static_cast<double>(report.arena.count - report.lower_bound.count) / bound * 100;
}

std::string report_text(const Plan& plan) {
  const MemoryReport& report = plan.report;
  std::string text = "memory of " + quoted(plan.fused->graph->name) + ", in bytes\n";
  text += table({
      {"arena", figure(report.arena), "of slots"},
      {"lower bound", figure(report.lower_bound), "most alive at once, each rounded up to 64"},
      {"gap", hundredths(gap_percent(report)) + "%", report.packing},
      {"alive", figure(report.live), "most alive at once, not rounded"},
      {"state", figure(report.state), "cached values"},
      {"slots", grouped(static_cast<std::int64_t>(report.slots)), ""},
      {"moved", figure(report.moved), "read and written by one call"},
  });
  text += "\nsaved\n";
  std::vector<Line> steps = {
      {"without reuse", figure(report.no_reuse), "every result its own bytes"},
      {"views", saved(report.no_reuse, report.with_views), ""},
      {"in place", saved(report.with_views, report.with_in_place), ""},
      {"packing", saved(report.with_in_place, plan.run.arena), "bytes used again"},
  };
  if (report.depth_first) {
    steps.push_back({"order", saved(*report.depth_first, report.run_bound),
                     "of the lower bound, against depth-first"});
  }
  return text + table(steps) + peak_text(plan);
}

std::string report_json(const Plan& plan) {
  const MemoryReport& report = plan.report;
  std::vector<std::string> fields;
  const auto field = [&](std::string_view name, const std::string& value) {
    fields.push_back("  " + quoted(name) + ": " + value);
  };
  const auto bytes = [&](std::string_view name, Bytes value) {
    field(name, std::to_string(value.count));
  };
  field("graph", quoted(plan.fused->graph->name));
  bytes("arena", report.arena);
  bytes("lower_bound", report.lower_bound);
  field("gap_percent", hundredths(gap_percent(report)));
  field("packing", quoted(report.packing));
  field("packing_optimal", report.packing_optimal ? "true" : "false");
  bytes("alive", report.live);
  bytes("state", report.state);
  field("slots", std::to_string(report.slots));
  bytes("moved", report.moved);
  bytes("without_reuse", report.no_reuse);
  bytes("with_views", report.with_views);
  bytes("with_in_place", report.with_in_place);
  bytes("with_packing", plan.run.arena);
  bytes("bound_of_run", report.run_bound);
  if (report.depth_first) bytes("bound_of_run_depth_first", *report.depth_first);
  field("peak_program", report.peak_in_prepare ? quoted("prepare") : quoted("run"));
  field("peak_step", std::to_string(report.peak_step));
  std::vector<std::string> alive;
  for (const StorageId id : report.at_peak) {
    const Storage& storage = plan.storages[id];
    alive.push_back("    {\"name\": " + quoted(name_of(plan, id)) +
                    ", \"size\": " + std::to_string(storage.size.count) +
                    ", \"offset\": " + std::to_string(storage.offset.count) + ", \"live\": [" +
                    std::to_string(storage.birth) + ", " + std::to_string(storage.death) + "]}");
  }
  field("alive_at_peak", alive.empty() ? "[]" : "[\n" + joined(alive, ",\n") + "\n  ]");
  return "{\n" + joined(fields, ",\n") + "\n}\n";
}

}  // namespace wick::compiler

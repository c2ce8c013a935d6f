#include <algorithm>
#include <array>
#include <unordered_map>

#include "compiler/ops/cutting.h"
#include "compiler/ops/families.h"
#include "compiler/support/check.h"

namespace wick::compiler::ops {
namespace {

// The view that stages put in.
constexpr std::string_view kCutting = "split";

// Made on first use; the index is only ever looked up, never walked.
struct Table {
  std::vector<const OpRecord*> records;
  std::unordered_map<std::string_view, const OpRecord*> by_name;
  std::array<const OpRecord*, static_cast<std::size_t>(ScalarRole::kNegate) + 1> by_role{};
  const OpRecord* packing = nullptr;
  const OpRecord* cutting = nullptr;

  Table() {
    for (const auto* family :
         {&arithmetic_records(), &mathematics_records(), &activation_records(), &rounding_records(),
          &comparison_records(), &selection_records(), &layout_records(), &slicing_records(),
          &joining_records(), &indexing_records(), &reduction_records(), &product_records(),
          &convolution_records(), &pooling_records(), &softmax_records(), &normalization_records(),
          &sorting_records()}) {
      for (const OpRecord& record : *family) add(record);
    }
    check(packing != nullptr && cutting != nullptr, "no operation packs, or none cuts");
  }

  void add(const OpRecord& record) {
    records.push_back(&record);
    check(by_name.emplace(record.name, &record).second, "two operations of one name");
    if (record.fusion == FusionClass::kPack) packing = &record;
    if (record.name == kCutting) cutting = &record;
    if (record.traits.scalar_role == ScalarRole::kNone) return;
    auto& role = by_role[static_cast<std::size_t>(record.traits.scalar_role)];
    check(role == nullptr, "two operations with one scalar role");
    role = &record;
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

std::span<const OpRecord* const> all() { return table().records; }

const OpRecord* find(std::string_view name) {
  const auto at = table().by_name.find(name);
  return at == table().by_name.end() ? nullptr : at->second;
}

const OpRecord& with_role(ScalarRole role) {
  const OpRecord* record = table().by_role[static_cast<std::size_t>(role)];
  check(record != nullptr, "no operation has this scalar role");
  return *record;
}

const OpRecord& packing() { return *table().packing; }

const OpRecord& cutting() { return *table().cutting; }

}  // namespace wick::compiler::ops

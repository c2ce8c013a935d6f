// Where memory lies, and how much of it there is.
#include <algorithm>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

// A slot constant: moved a little, misaligned, moved beyond the end, or to another slot's place.
void mutate_constants_of_slots(Collector& to) {
  const Emitted& emitted = to.emitted();
  for (const SlotConstant& slot : emitted.slots) {
    for (const std::int64_t offset :
         {slot.value + 64, slot.value - 64, slot.value + 32, slot.value + 4, emitted.arena_bytes,
          emitted.arena_bytes + 4096}) {
      if (offset >= 0) to.replace("slot offset", Oracle::kBytes, slot.span, std::to_string(offset));
    }
    for (const SlotConstant& other : emitted.slots) {
      if (other.value != slot.value)
        to.replace("another slot's offset", Oracle::kBytes, slot.span, std::to_string(other.value));
    }
  }
}

// Other descriptions under which the same or fewer bytes would go.
void mutate_slot_type(Collector& to, const Expression& declared) {
  const Emitted& emitted = to.emitted();
  const Expression& written = declared.templates.at(0);
  const Type type = emitted.describe(written);
  for (const Type& other : emitted.types) {
    const bool fits = other.element == type.element && other.bytes() <= type.bytes();
    if (fits && other.elements() > 0 && !is_same_type(other, type))
      to.replace("slot type", Oracle::kResults, written.span, other.name);
  }
}

void mutate_workspace(Collector& to, const Expression& declared) {
  const Expression& bytes = declared.templates.at(0);
  const std::int64_t size = std::stoll(bytes.name);
  to.replace("workspace", Oracle::kResults, bytes.span, std::to_string(size > 64 ? size - 64 : 0));
  if (declared.arguments.size() < 2) return;
  const Expression& place = declared.arguments[1];
  const std::int64_t offset = std::stoll(place.name);
  const Emitted& emitted = to.emitted();
  for (const std::int64_t other : {offset + 64, offset - 64, offset + 8, emitted.arena_bytes}) {
    if (other >= 0) to.replace("workspace", Oracle::kBytes, place.span, std::to_string(other));
  }
  for (const SlotConstant& slot : emitted.slots)
    to.replace("workspace", Oracle::kBytes, place.span, std::to_string(slot.value));
}

void mutate_declaration(Collector& to, const Expression& declared) {
  const std::string_view name = declared.name;
  if (name == "wick::workspace" || name == "wick::heap_workspace")
    return mutate_workspace(to, declared);
  if (name == "wick::slot" || name == "wick::heap_slot") mutate_slot_type(to, declared);
  if (name != "wick::slot") return;
  const SlotConstant* own = to.emitted().slot(declared.arguments.at(1).name);
  for (const SlotConstant& slot : to.emitted().slots) {
    if (own != nullptr && own->value != slot.value)
      to.replace("slot constant", Oracle::kBytes, declared.arguments[1].span, slot.name);
  }
}

// The first number behind a text becomes another one, if it is there.
void replace_number(Collector& to, Oracle oracle, bool in_header, const std::string& behind,
                    const std::string& other) {
  const std::string& text = in_header ? to.emitted().header : to.emitted().source;
  const std::size_t found = text.find(behind);
  if (found == std::string::npos) return;
  const std::size_t begin = found + behind.size();
  const std::size_t end = text.find_first_not_of("0123456789", begin);
  to.add("arena size", oracle, behind + text.substr(begin, end - begin) + " -> " + other,
         {{{begin, end}, other, in_header}});
}

void mutate_arena(Collector& to) {
  const Emitted& emitted = to.emitted();
  const std::int64_t state = emitted.state_bytes;
  if (state > 64)
    replace_number(to, Oracle::kBytes, true, "std::byte bytes[", std::to_string(state - 64));
  replace_number(to, Oracle::kDefinition, true, "alignas(", "16");
  replace_number(to, Oracle::kDefinition, false, "alignas(", "8");
  replace_number(to, Oracle::kDefinition, true, "kArenaAlignment = ", "16");
  if (emitted.arena_bytes == 0) return;
  for (const std::int64_t bytes :
       {emitted.arena_bytes - 64, emitted.arena_bytes / 2, std::int64_t{0}}) {
    if (bytes == 0 && !emitted.arena_in_header) continue;  // no array of no elements
    to.add("arena size", Oracle::kBytes,
           std::to_string(emitted.arena_bytes) + " -> " + std::to_string(bytes),
           {{emitted.arena_span, std::to_string(bytes), emitted.arena_in_header}});
  }
}

}  // namespace

void mutate_slots(Collector& to) {
  mutate_constants_of_slots(to);
  mutate_arena(to);
  for (const Function& function : to.emitted().functions) {
    for (const Statement& statement : function.statements) {
      if (!statement.declared.empty() && statement.value.is_call)
        mutate_declaration(to, statement.value);
    }
  }
}

}  // namespace wick::mutation

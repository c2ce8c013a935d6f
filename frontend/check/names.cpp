#include "frontend/check/names.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "compiler/support/ids.h"

namespace wick::frontend::check {
namespace {

constexpr std::int64_t kAlignment = compiler::kArenaAlignment.count;

// The elements that a tensor of this layout reaches, counted from its first; nothing if the numbers
// are beyond all memory.
std::optional<compiler::Layout::Extent> reach_of(const compiler::Layout& layout) {
  if (!layout.shape().has_elements()) return compiler::Layout::Extent{};
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
    std::int64_t far = 0;
    if (__builtin_mul_overflow(layout.shape()[axis] - 1, layout.stride(axis), &far))
      return std::nullopt;
    std::int64_t& side = far < 0 ? low : high;
    if (__builtin_add_overflow(side, far, &side)) return std::nullopt;
  }
  if (high == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return compiler::Layout::Extent{low, high + 1};
}

class Names {
 public:
  Names(const Program& program, const Function& function, const Name& name,
        std::vector<Finding>& findings)
      : program_(program), function_(function), name_(name), findings_(findings) {}

  bool check() const {
    switch (name_.kind) {
      case Name::Kind::kSlot:
      case Name::Kind::kStateSlot:
        return is_packed() && in_region(name_.kind == Name::Kind::kStateSlot, bytes_of(name_.type));
      case Name::Kind::kWorkspace:
      case Name::Kind::kStateWorkspace:
        return in_region(name_.kind == Name::Kind::kStateWorkspace, name_.bytes);
      case Name::Kind::kInPlace:
        return is_packed() && in_place();
      case Name::Kind::kView:
        return view();
      case Name::Kind::kNoWorkspace:
      case Name::Kind::kHeapWorkspace:
        return true;
      default:
        return is_packed();
    }
  }

 private:
  bool fail(std::string message, std::string hint = {}) const {
    findings_.push_back({name_.place, std::move(message), std::move(hint), {}});
    return false;
  }

  const Name& base() const { return function_.names[name_.base]; }

  bool is_packed() const {
    if (name_.type.layout.is_packed()) return true;
    return fail(in_ticks(name_.text) + " has strides, but only views have",
                "memory of its own is row-major");
  }

  bool in_region(bool state, std::int64_t bytes) const {
    if (bytes == 0) return true;
    const std::string region = state ? "the state" : "the arena";
    const std::int64_t size = state ? program_.state_bytes : program_.arena_bytes;
    if (state ? !program_.has_state : !program_.has_arena)
      return fail(in_ticks(name_.text) + " lies in " + region + ", but there is none");
    const std::int64_t occupied = compiler::round_up(compiler::Bytes{bytes}).count;
    if (name_.offset < 0 || occupied > size || name_.offset > size - occupied) {
      return fail(in_ticks(name_.text) + " occupies " + std::to_string(bytes) + " bytes at " +
                      std::to_string(name_.offset) + ", but " + region + " has " +
                      std::to_string(size),
                  "offset and size, rounded up to 64, must stay inside");
    }
    if (name_.offset % kAlignment == 0) return true;
    return fail(in_ticks(name_.text) + " begins at byte " + std::to_string(name_.offset) + " of " +
                    region + ", which is no multiple of " + std::to_string(kAlignment),
                "kernels rely on the alignment of slots and workspaces");
  }

  bool in_place() const {
    if (!is_writable(base().kind)) {
      return fail(in_ticks(base().text) + " is only read; nothing may be written in its place");
    }
    if (fits_in_place(name_.type, base().type)) return true;
    return fail(in_ticks(name_.text) + ", " + type_of(name_) + ", does not fit in place of " +
                    in_ticks(base().text) + ", " + type_of(base()),
                "in place keeps the number of elements and their size");
  }

  static std::string type_of(const Name& name) {
    return compiler::type_text(name.type.dtype, name.type.shape());
  }

  bool view() const {
    if (name_.type.dtype != base().type.dtype) {
      return fail(in_ticks(name_.text) + ", " + type_of(name_) + ", views " +
                      in_ticks(base().text) + ", " + type_of(base()),
                  "a view keeps the element type");
    }
    if (!name_.type.shape().has_elements()) return true;
    const auto own = reach_of(name_.type.layout);
    const auto all = reach_of(base().type.layout);
    std::int64_t first = 0;
    std::int64_t last = 0;
    const bool overflows = !own || !all ||
                           __builtin_add_overflow(own->begin, name_.offset, &first) ||
                           __builtin_add_overflow(own->end, name_.offset, &last);
    if (!overflows && first >= all->begin && last <= all->end) return true;
    return fail(in_ticks(name_.text) + " reaches elements " +
                    (overflows ? "beyond all memory" : range_text(first, last)) + " of " +
                    in_ticks(base().text) + ", which has " +
                    (all ? range_text(all->begin, all->end) : "others"),
                "offset and strides of a view count elements, and must stay inside");
  }

  const Program& program_;
  const Function& function_;
  const Name& name_;
  std::vector<Finding>& findings_;
};

void check_weight(const Program& program, const Weight& weight, std::vector<Finding>& findings) {
  const std::int64_t bytes = bytes_of(weight.type);
  const auto fail = [&](std::string message) {
    findings.push_back({weight.place,
                        "`weights." + weight.name + "` " + std::move(message),
                        "constants lie whole inside of what holds them",
                        {}});
  };
  if (!weight.type.layout.is_packed()) {
    fail("has strides, but only views have");
  } else if (weight.is_inline) {
    if (static_cast<std::int64_t>(weight.values.size()) < bytes)
      fail("has " + std::to_string(bytes) + " bytes, but " + std::to_string(weight.values.size()) +
           " are written down");
  } else if (weight.offset < 0 || bytes > program.packed_bytes ||
             weight.offset > program.packed_bytes - bytes) {
    fail("has " + std::to_string(bytes) + " bytes at " + std::to_string(weight.offset) +
         ", but the packed weights have " + std::to_string(program.packed_bytes));
  } else if (weight.offset % kAlignment != 0) {
    fail("begins at byte " + std::to_string(weight.offset) + ", which is no multiple of " +
         std::to_string(kAlignment));
  }
}

}  // namespace

std::string in_ticks(std::string_view name) { return "`" + std::string(name) + "`"; }

std::string range_text(std::int64_t begin, std::int64_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

bool is_writable(Name::Kind kind) {
  switch (kind) {
    case Name::Kind::kDonated:
    case Name::Kind::kOutput:
    case Name::Kind::kSlot:
    case Name::Kind::kStateSlot:
    case Name::Kind::kInPlace:
    case Name::Kind::kHeapSlot:
    case Name::Kind::kReuse:
    case Name::Kind::kNothing:
      return true;
    default:
      return false;
  }
}

bool fits_in_place(const TensorType& type, const TensorType& of) {
  return type.shape().element_count() == of.shape().element_count() &&
         compiler::size_of(type.dtype) == compiler::size_of(of.dtype);
}

std::int64_t bytes_of(const TensorType& type) {
  return type.shape().element_count() * static_cast<std::int64_t>(compiler::size_of(type.dtype));
}

bool is_inside(const Program& program, const Function& function, const Name& name,
               std::vector<Finding>& findings) {
  return Names(program, function, name, findings).check();
}

void check_declarations(const Program& program, std::vector<Finding>& findings) {
  for (const Weight& weight : program.weights) check_weight(program, weight, findings);
  const Place place = program.functions.empty() ? Place{} : program.functions.back().place;
  const auto aligned = [&](const std::string& what, std::int64_t bytes, std::int64_t alignment) {
    if (bytes == 0 || (alignment >= kAlignment && alignment % kAlignment == 0)) return;
    findings.push_back({place,
                        what + " is aligned to " + std::to_string(alignment) + " bytes, not to " +
                            std::to_string(kAlignment),
                        "kernels rely on the alignment of slots and workspaces",
                        {}});
  };
  if (program.has_arena) aligned("the arena", program.arena_bytes, program.arena_alignment);
  if (program.has_state) aligned("the state", program.state_bytes, program.state_alignment);
}

}  // namespace wick::frontend::check

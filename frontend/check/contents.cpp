#include "frontend/check/contents.h"

#include <iterator>
#include <utility>

#include "frontend/check/constants.h"

namespace wick::frontend::check {

void Contents::write(const Location& location, const TermView& value) {
  const std::int64_t bytes = byte_size(algebra_.dtype(value), value.shape());
  if (bytes == 0) return;
  Stretch& stretch = stretches_[key(location)];
  const std::int64_t begin = location.offset, end = begin + bytes;
  auto at = stretch.lower_bound(begin);
  if (at != stretch.begin()) {
    const auto before = std::prev(at);
    if (before->first + before->second.bytes > begin) at = before;
  }
  while (at != stretch.end() && at->first < end) at = stretch.erase(at);
  stretch.emplace(begin, Written{bytes, value});
}

std::optional<TermView> Contents::read(const Location& location, const TensorType& type) {
  const auto stretch = stretches_.find(key(location));
  if (stretch == stretches_.end()) return std::nullopt;
  auto at = stretch->second.upper_bound(location.offset);
  if (at == stretch->second.begin()) return std::nullopt;
  --at;
  const Written& written = at->second;
  const auto size = static_cast<std::int64_t>(size_of(type.dtype));
  const std::int64_t from = location.offset - at->first;
  if (algebra_.dtype(written.value) != type.dtype || from % size != 0) return std::nullopt;
  const Layout outer(type.shape(), type.layout.strides(), type.layout.offset() + from / size);
  const Layout::Extent extent = outer.extent();
  if (extent.begin < 0 || extent.end * size > written.bytes) return std::nullopt;
  return algebra_.viewed(written.value, outer);
}

void Contents::forget_scratch() {
  std::erase_if(stretches_, [](const auto& entry) {
    const auto root = static_cast<Location::Root>(entry.first >> 32);
    return root == Location::Root::kArena || root == Location::Root::kHeap;
  });
}

Locations::Locations(const Function& function, const std::vector<std::uint32_t>& parameters,
                     std::uint32_t& heap_slots) {
  const auto based = [&](const Name& name) -> std::optional<Location> {
    if (name.base >= locations_.size()) return std::nullopt;
    return locations_[name.base];
  };
  locations_.reserve(function.names.size());
  for (const Name& name : function.names) {
    std::optional<Location> location;
    switch (name.kind) {
      case Name::Kind::kInput:
      case Name::Kind::kDonated:
      case Name::Kind::kOutput:
        if (name.parameter < parameters.size())
          location = {Location::Root::kParameter, parameters[name.parameter], 0};
        break;
      case Name::Kind::kConstant:
        location = {Location::Root::kWeight, name.index, 0};
        break;
      case Name::Kind::kBound:
        location = {Location::Root::kBound, name.index, 0};
        break;
      case Name::Kind::kSlot:
        location = {Location::Root::kArena, 0, name.offset};
        break;
      case Name::Kind::kStateSlot:
        location = {Location::Root::kState, 0, name.offset};
        break;
      case Name::Kind::kHeapSlot:
        location = {Location::Root::kHeap, heap_slots++, 0};
        break;
      case Name::Kind::kInPlace:
      case Name::Kind::kReuse:
        location = based(name);
        break;
      case Name::Kind::kView:
        location = based(name);
        if (location)
          location->offset += name.offset * static_cast<std::int64_t>(size_of(name.type.dtype));
        break;
      default:
        break;  // scratch
    }
    locations_.push_back(location);
  }
}

}  // namespace wick::frontend::check

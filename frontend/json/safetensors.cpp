// A .safetensors file is the length of the header (eight bytes, little-endian), the header (JSON,
// padded with spaces), and the bytes of the tensors.
// Source: the format's description in its repository (huggingface/safetensors, README.md).
#include "frontend/json/safetensors.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "compiler/support/text.h"
#include "frontend/json/npy.h"
#include "frontend/json/safetensors_header.h"
#include "frontend/json/words.h"

namespace wick::frontend {
namespace {

using compiler::DType;
using compiler::HostTensor;
using compiler::quoted;
using compiler::Shape;

// The format's own limit.
constexpr std::uint64_t kLongestHeader = 100'000'000;

// The format's names for our dtypes, in the order of DType.
constexpr std::array<std::string_view, 7> kNames = {"F32", "F64", "I8", "U8", "I32", "I64", "BOOL"};

struct OtherType {
  std::string_view name;
  std::uint64_t size;
};
constexpr std::array kOtherTypes = {OtherType{"F16", 2}, OtherType{"BF16", 2}, OtherType{"I16", 2},
                                    OtherType{"U16", 2}, OtherType{"U32", 4},  OtherType{"U64", 8}};

std::optional<DType> dtype_of(std::string_view name) {
  const auto at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<DType>(at - kNames.begin());
}

// Bytes of one element; nothing for a dtype that is not known here.
std::optional<std::uint64_t> element_size(std::string_view name) {
  if (const auto dtype = dtype_of(name)) return compiler::size_of(*dtype);
  const auto at = std::ranges::find(kOtherTypes, name, &OtherType::name);
  if (at == kOtherTypes.end()) return std::nullopt;
  return at->size;
}

// The product of the extents times `size`; nothing if it overflows.
std::optional<std::uint64_t> byte_count(const std::vector<std::int64_t>& shape,
                                        std::uint64_t size) {
  std::uint64_t count = size;
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count)) {
      return std::nullopt;
    }
  }
  return count;
}

// What is wrong with where the tensors lie in `size` bytes of data, if anything.
std::optional<std::string> wrong_layout(const std::map<std::string, Safetensors::Entry>& entries,
                                        std::uint64_t size) {
  using Item = std::pair<const std::string, Safetensors::Entry>;
  std::vector<const Item*> order;
  for (const Item& item : entries) order.push_back(&item);
  std::ranges::sort(
      order, {}, [](const Item* item) { return std::pair(item->second.begin, item->second.end); });
  std::uint64_t end = 0;
  for (const Item* item : order) {
    const auto& [name, entry] = *item;
    const std::string tensor = "tensor " + quoted(excerpt(name));
    if (entry.end > size) {
      return "ends before the end of " + tensor + ": the data has " +
             counted(static_cast<std::int64_t>(size), "byte") + ", the tensor ends at " +
             compiler::grouped(static_cast<std::int64_t>(entry.end));
    }
    if (entry.begin != end) {
      return std::string(entry.begin < end ? "has an overlap" : "has a gap") + " before " + tensor;
    }
    const auto element = element_size(entry.dtype);
    if (element && byte_count(entry.shape, *element) != entry.end - entry.begin) {
      return "has " + counted(static_cast<std::int64_t>(entry.end - entry.begin), "byte") +
             " for " + tensor + ", which its dtype " + entry.dtype + " and its shape do not make";
    }
    end = entry.end;
  }
  if (end != size) {
    return "goes on after its last tensor, for " +
           counted(static_cast<std::int64_t>(size - end), "byte");
  }
  return std::nullopt;
}

}  // namespace

std::variant<Safetensors, FileError> Safetensors::open(const std::string& path,
                                                       std::shared_ptr<const MappedFile> file) {
  const auto fault = [&](const std::string& what) { return FileError{quoted(path) + " " + what}; };
  const std::string_view text = file->text();
  if (text.size() < 8) return fault("is no .safetensors file: it ends within its first 8 bytes");
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = (length << 8) | static_cast<unsigned char>(text[i]);
  if (length > kLongestHeader) {
    return fault("is no .safetensors file: its header would have more than 100 MB");
  }
  if (length > text.size() - 8) return fault("ends within its header");
  std::string why;
  auto entries = read_safetensors_header(text.substr(8, static_cast<std::size_t>(length)), why);
  if (!entries) return fault("is no .safetensors file: its header " + why);
  if (const auto wrong = wrong_layout(*entries, text.size() - 8 - length)) return fault(*wrong);
  Safetensors opened;
  opened.path_ = path;
  opened.file_ = std::move(file);
  opened.data_ = 8 + static_cast<std::size_t>(length);
  opened.entries_ = std::move(*entries);
  return opened;
}

std::variant<HostTensor, FileError> Safetensors::read(const std::string& name) const {
  const auto fault = [&](const std::string& what, std::string hint = {}) {
    return FileError{quoted(path_) + " " + what, std::move(hint)};
  };
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    constexpr std::size_t kMostCandidates = 10'000;
    std::vector<std::string_view> names;
    for (const auto& entry : entries_) {
      if (names.size() < kMostCandidates) names.push_back(entry.first);
    }
    return fault("has no tensor " + quoted(excerpt(name)), compiler::did_you_mean(name, names));
  }
  const Entry& entry = found->second;
  const auto dtype = dtype_of(entry.dtype);
  if (!dtype) {
    return fault(
        "holds tensor " + quoted(excerpt(name)) + " in dtype " + quoted(excerpt(entry.dtype)),
        "wick's dtypes are f32, f64, i8, u8, i32, i64 and bool");
  }
  const auto shape = Shape::make(entry.shape);
  if (!shape || !compiler::byte_count(*shape, *dtype)) {
    return fault("gives tensor " + quoted(excerpt(name)) + " a shape that no tensor can have");
  }
  const auto bytes = file_->bytes().subspan(data_ + static_cast<std::size_t>(entry.begin),
                                            static_cast<std::size_t>(entry.end - entry.begin));
  HostTensor tensor(*dtype, *shape, bytes, file_);
  if (const auto invalid = invalid_element(tensor)) {
    return fault("is wrong in tensor " + quoted(excerpt(name)) + ": " + *invalid);
  }
  return tensor;
}

}  // namespace wick::frontend

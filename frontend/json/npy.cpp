// A .npy file is the magic string "\x93NUMPY", two bytes of version, the length of the header (two
// bytes little-endian in version 1, four from version 2 on), the header, and the elements.
// Source: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays".
#include "frontend/json/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "compiler/support/text.h"
#include "frontend/json/atomic_file.h"
#include "frontend/json/npy_header.h"
#include "frontend/json/words.h"

namespace wick::frontend {
namespace {

using compiler::DType;
using compiler::HostTensor;
using compiler::quoted;
using compiler::Shape;

static_assert(std::endian::native == std::endian::little, "tensors are kept as files have them");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

// NumPy's names for our dtypes, in the order of DType, without the byte order.
constexpr std::array<std::string_view, 7> kDescrs = {"f4", "f8", "i1", "u1", "i4", "i8", "b1"};

FileError fault(const std::string& path, std::string_view what, std::string hint = {}) {
  return {quoted(path) + " " + std::string(what), std::move(hint)};
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// The header's text and where the data begins.
struct Frame {
  std::string_view header;
  std::size_t data = 0;
};

std::variant<Frame, FileError> frame_of(const std::string& path, std::string_view text) {
  if (!text.starts_with(kMagic)) return fault(path, "is no .npy file: it does not start as one");
  if (text.size() < 10) return fault(path, "ends within its header");
  const int version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3 || text[7] != '\0') {
    return fault(path, "is of .npy version " + std::to_string(version) + "." +
                           std::to_string(static_cast<unsigned char>(text[7])) +
                           "; versions 1.0 to 3.0 are known");
  }
  const std::size_t width = version == 1 ? 2 : 4;
  if (text.size() < 8 + width) return fault(path, "ends within its header");
  const std::size_t length = little_endian(text.substr(8, width));
  if (length > kLongestHeader) return fault(path, "has a header of more than 1 MiB");
  if (text.size() - 8 - width < length) return fault(path, "ends within its header");
  return Frame{text.substr(8 + width, length), 8 + width + length};
}

std::variant<DType, FileError> dtype_of(const std::string& path, const std::string& descr) {
  const std::string_view order = std::string_view(descr).substr(0, 1);
  const std::string_view kind = std::string_view(descr).substr(order.size());
  for (std::size_t i = 0; i < kDescrs.size(); ++i) {
    if (kDescrs[i] != kind) continue;
    const auto dtype = static_cast<DType>(i);
    if (order == "<" || (order == "|" && compiler::size_of(dtype) == 1)) return dtype;
    if (order == ">" && compiler::size_of(dtype) > 1) {
      return fault(path, "is big-endian",
                   "save it with a.astype(a.dtype.newbyteorder('<')) in NumPy");
    }
  }
  return fault(path, "holds elements of NumPy's type " + quoted(descr.substr(0, 40)),
               "wick's dtypes are f32, f64, i8, u8, i32, i64 and bool");
}

// The elements of a tensor whose first axis varies fastest, in row-major order.
HostTensor from_fortran_order(DType dtype, const Shape& shape, std::span<const std::byte> bytes) {
  HostTensor tensor(dtype, shape);
  const std::span<std::byte> result = tensor.mutable_bytes();
  const std::size_t size = compiler::size_of(dtype), rank = shape.rank();
  std::array<std::size_t, compiler::kMaxRank> strides{}, index{};
  std::size_t stride = size;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(shape[axis]);
  }
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += size) {
    std::memcpy(&result[to], &bytes[from], size);
    for (std::size_t axis = rank; axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
      from -= strides[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return tensor;
}

std::string header_text(const HostTensor& tensor) {
  const auto dtype = tensor.dtype();
  std::string text = "{'descr': '";
  text += compiler::size_of(dtype) == 1 ? "|" : "<";
  text += kDescrs[static_cast<std::size_t>(dtype)];
  text += "', 'fortran_order': False, 'shape': (";
  const auto extents = tensor.shape().extents();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (i > 0) text += ' ';
    text += std::to_string(extents[i]);
    if (i == 0 || i + 1 < extents.size()) text += ',';
  }
  text += "), }";
  // The data begins at a multiple of 64.
  const std::size_t before = kMagic.size() + 4 + text.size() + 1;
  text.append((64 - before % 64) % 64, ' ');
  return text + '\n';
}

}  // namespace

std::optional<std::string> invalid_element(const HostTensor& tensor) {
  if (tensor.dtype() != DType::kBool) return std::nullopt;
  const auto bytes = tensor.bytes();
  const auto at = std::ranges::find_if(bytes, [](std::byte b) { return b > std::byte{1}; });
  if (at == bytes.end()) return std::nullopt;
  return "element " + std::to_string(at - bytes.begin()) + " is " +
         std::to_string(std::to_integer<int>(*at)) + "; a bool is 0 or 1";
}

std::variant<HostTensor, FileError> read_npy(const std::string& path) {
  auto file = MappedFile::open(path);
  if (auto* error = std::get_if<FileError>(&file)) return *error;
  return read_npy(path, std::get<std::shared_ptr<const MappedFile>>(file));
}

std::variant<HostTensor, FileError> read_npy(const std::string& path,
                                             const std::shared_ptr<const MappedFile>& file) {
  const auto frame = frame_of(path, file->text());
  if (auto* error = std::get_if<FileError>(&frame)) return *error;
  const std::size_t begin = std::get<Frame>(frame).data;
  std::string why;
  const auto header = read_npy_header(std::get<Frame>(frame).header, why);
  if (!header) return fault(path, "is no .npy file: its header " + why);
  const auto known = dtype_of(path, header->descr);
  if (auto* error = std::get_if<FileError>(&known)) return *error;
  const DType dtype = std::get<DType>(known);
  const auto shape = Shape::make(header->shape);
  const auto size = shape ? compiler::byte_count(*shape, dtype) : std::nullopt;
  if (!size) return fault(path, "has a shape that no tensor can have");
  const auto data = file->bytes().subspan(begin);
  if (data.size() != static_cast<std::size_t>(size->count)) {
    return fault(path, "has " + counted(static_cast<std::int64_t>(data.size()), "byte") +
                           " of data, but " + compiler::type_text(dtype, *shape) + " takes " +
                           compiler::grouped(size->count));
  }
  HostTensor tensor = header->fortran_order && shape->rank() > 1
                          ? from_fortran_order(dtype, *shape, data)
                          : HostTensor(dtype, *shape, data, file);
  if (const auto invalid = invalid_element(tensor)) return fault(path, "is wrong: " + *invalid);
  return tensor;
}

std::string npy_start(const HostTensor& tensor) {
  const std::string header = header_text(tensor);
  std::string start(kMagic);
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
            static_cast<char>(header.size() >> 8)};
  return start + header;
}

std::optional<FileError> write_npy(const std::string& path, const HostTensor& tensor) {
  const std::string start = npy_start(tensor);
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(start)), tensor.bytes()};
  return write_file(path, parts);
}

}  // namespace wick::frontend

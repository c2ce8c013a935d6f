#include "frontend/json/constants.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "compiler/support/text.h"
#include "frontend/json/npy.h"
#include "frontend/json/values.h"
#include "frontend/json/words.h"

namespace wick::frontend {
namespace {

namespace fs = std::filesystem;

using compiler::HostTensor;
using compiler::Shape;

// True if `path`, which has no more dots and links to resolve, lies in `folder`.
bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// Why a file name of the graph is not to be followed, if it is not.
std::optional<FileError> wrong_path(const fs::path& folder, const std::string& name) {
  const std::string advice =
      "put the file beside the graph, or allow files outside the graph's folder";
  const fs::path path(name);
  if (name.find('\0') != std::string::npos) {
    return FileError{"a file's name has no NUL character: " + compiler::quoted(excerpt(name))};
  }
  if (path.is_absolute()) {
    return FileError{compiler::quoted(name) + " is absolute, not relative to the graph's folder",
                     advice};
  }
  const fs::path normal = path.lexically_normal();
  if (!normal.empty() && *normal.begin() == "..") {
    return FileError{compiler::quoted(name) + " leaves the graph's folder", advice};
  }
  std::error_code failed;
  const fs::path real = fs::canonical(folder / path, failed);
  if (failed) return std::nullopt;  // opening it will say what is wrong
  const fs::path real_folder = fs::canonical(folder, failed);
  if (failed || !is_below(real, real_folder)) {
    return FileError{compiler::quoted(name) + " leads out of the graph's folder through a link",
                     advice};
  }
  return std::nullopt;
}

// The same error with the file named as the graph names it.
FileError renamed(FileError error, const std::string& path, const std::string& name) {
  const std::string full = compiler::quoted(path);
  const std::size_t at = error.message.find(full);
  if (at != std::string::npos) error.message.replace(at, full.size(), compiler::quoted(name));
  return error;
}

}  // namespace

compiler::ConstantDescription ConstantReader::read(WrittenConstant written, std::size_t index) {
  index_ = index;
  name_ = written.name;
  compiler::ConstantDescription constant{written.name, {}, std::move(written.description)};
  const auto shape = Shape::make(written.shape);
  if (!shape || !compiler::byte_count(*shape, written.dtype)) {
    error("/shape", written.shape_where,
          "no tensor is as large as this shape says: at most 2^47 bytes");
    return constant;
  }
  auto data = written.values ? inline_values(written, *shape) : from_file(written, *shape);
  if (data) constant.data = std::move(*data);
  return constant;
}

std::optional<HostTensor> ConstantReader::inline_values(const WrittenConstant& written,
                                                        const Shape& shape) {
  const std::string_view list =
      source_.text().substr(written.values->offset, written.values->length);
  if (static_cast<std::int64_t>(written.value_count) != shape.element_count()) {
    error("/values", {written.values->offset, 1},
          compiler::type_text(written.dtype, shape) + " takes " +
              counted(shape.element_count(), "value") + ", found " +
              compiler::grouped(static_cast<std::int64_t>(written.value_count)));
    return std::nullopt;
  }
  HostTensor tensor(written.dtype, shape);
  if (auto fault = read_elements(list, tensor)) {
    error("/values/" + std::to_string(fault->index),
          {written.values->offset + fault->where.offset, fault->where.length},
          std::move(fault->message), std::move(fault->hint));
    return std::nullopt;
  }
  return tensor;
}

std::optional<HostTensor> ConstantReader::from_file(const WrittenConstant& written,
                                                    const Shape& shape) {
  const std::string& name = *written.file;
  const File& file = open(name);
  std::variant<HostTensor, FileError> read;
  if (const auto* fault = std::get_if<FileError>(&file)) {
    read = *fault;
  } else if (const auto* tensors = std::get_if<Safetensors>(&file)) {
    if (!written.tensor) {
      error("/file", written.file_where, "which tensor of " + compiler::quoted(name) + "?",
            "name it with the key \"tensor\"");
      return std::nullopt;
    }
    read = tensors->read(*written.tensor);
  } else {
    if (written.tensor) {
      error("/tensor", written.tensor_where, "a .npy file has a single tensor, without a name",
            "leave out \"tensor\"");
      return std::nullopt;
    }
    read = read_npy(name, std::get<std::shared_ptr<const MappedFile>>(file));
  }
  if (auto* fault = std::get_if<FileError>(&read)) {
    const bool tensor = written.tensor && !std::holds_alternative<FileError>(file);
    error(tensor ? "/tensor" : "/file", tensor ? written.tensor_where : written.file_where,
          std::move(fault->message), std::move(fault->hint));
    return std::nullopt;
  }
  HostTensor data = std::get<HostTensor>(std::move(read));
  if (data.dtype() != written.dtype || data.shape() != shape) {
    error("/file", written.file_where,
          "this constant is stated as " + compiler::type_text(written.dtype, shape) + ", but " +
              (written.tensor ? compiler::quoted(excerpt(*written.tensor)) + " in " : "") +
              compiler::quoted(name) + " is " + compiler::type_text(data.dtype(), data.shape()));
    return std::nullopt;
  }
  files_.constants[written.name] = {name, written.tensor.value_or(""), data.bytes().data()};
  return data;
}

const ConstantReader::File& ConstantReader::open(const std::string& name) {
  const auto found = opened_.find(name);
  if (found != opened_.end()) return found->second;
  return opened_.emplace(name, open_anew(name)).first->second;
}

ConstantReader::File ConstantReader::open_anew(const std::string& name) {
  const fs::path folder(source_.folder());
  if (!options_.allow_outside || name.find('\0') != std::string::npos) {
    if (auto wrong = wrong_path(folder, name)) return std::move(*wrong);
  }
  const bool npy = name.ends_with(".npy"), safetensors = name.ends_with(".safetensors");
  if (!npy && !safetensors) {
    return FileError{compiler::quoted(name) + " ends in neither .npy nor .safetensors"};
  }
  const std::string path = (folder / name).lexically_normal().string();
  auto file = MappedFile::open(path);
  if (auto* fault = std::get_if<FileError>(&file)) return renamed(std::move(*fault), path, name);
  if (std::ranges::find(files_.paths, path) == files_.paths.end()) files_.paths.push_back(path);
  auto mapped = std::get<std::shared_ptr<const MappedFile>>(std::move(file));
  files_.mapped.push_back(mapped);
  if (npy) return mapped;
  auto tensors = Safetensors::open(name, std::move(mapped));
  if (auto* fault = std::get_if<FileError>(&tensors)) return std::move(*fault);
  return std::get<Safetensors>(std::move(tensors));
}

void ConstantReader::error(std::string_view key, TextSpan where, std::string message,
                           std::string hint) {
  findings_.add(Stage::kMeaning, {"/constants/" + std::to_string(index_) + std::string(key), name_},
                where, std::move(message), std::move(hint));
}

}  // namespace wick::frontend

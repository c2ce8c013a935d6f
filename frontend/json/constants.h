// The second stage of reading: the data of the constants.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/graph/description.h"
#include "frontend/json/document.h"
#include "frontend/json/reader.h"
#include "frontend/json/safetensors.h"

namespace wick::frontend {

class ConstantReader {
 public:
  ConstantReader(const SourceFile& source, const ReadOptions& options, Findings& findings,
                 ReadFiles& files)
      : source_(source), options_(options), findings_(findings), files_(files) {}

  // The constant with its data, which has the dtype and shape stated; on a fault, without. `index`
  // is its place in "constants". A file is opened once, however many constants it holds.
  compiler::ConstantDescription read(WrittenConstant written, std::size_t index);

 private:
  using File = std::variant<std::shared_ptr<const MappedFile>, Safetensors, FileError>;

  std::optional<compiler::HostTensor> inline_values(const WrittenConstant& written,
                                                    const compiler::Shape& shape);
  std::optional<compiler::HostTensor> from_file(const WrittenConstant& written,
                                                const compiler::Shape& shape);
  const File& open(const std::string& name);
  File open_anew(const std::string& name);
  void error(std::string_view key, TextSpan where, std::string message, std::string hint = {});

  const SourceFile& source_;
  const ReadOptions& options_;
  Findings& findings_;
  ReadFiles& files_;
  std::map<std::string, File> opened_;  // by the name in the graph
  std::size_t index_ = 0;               // of the constant being read
  std::string name_;
};

}  // namespace wick::frontend

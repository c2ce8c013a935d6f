#include "frontend/json/safetensors_header.h"

#include <utility>

#include "compiler/support/text.h"
#include "frontend/json/number.h"
#include "frontend/json/syntax.h"
#include "frontend/json/words.h"

namespace wick::frontend {
namespace {

using compiler::quoted;

class HeaderEvents : public JsonEvents {
 public:
  explicit HeaderEvents(std::string& fault) : fault_(fault) {}

  std::map<std::string, Safetensors::Entry> take() { return std::move(entries_); }

  bool begin_object(TextSpan) override {
    if (level_ > 1 || (level_ == 1 && list_ != nullptr)) return refuse("has an object too deep");
    ++level_;
    seen_ = 0;
    return true;
  }

  bool end_object(TextSpan) override {
    if (--level_ == 1 && !metadata_ && seen_ != kAllKeys) {
      return refuse("lacks dtype, shape or data_offsets for " + quoted(excerpt(name_)));
    }
    return true;
  }

  bool begin_array(TextSpan) override {
    const bool expected = level_ == 2 && !metadata_ && list_ == nullptr &&
                          (key_ == "shape" || key_ == "data_offsets");
    if (!expected) return refuse("has a list where none is due");
    list_ = key_ == "shape" ? &entry_->shape : &offsets_;
    list_->clear();
    return true;
  }

  bool end_array(TextSpan) override {
    if (list_ == &offsets_) {
      if (offsets_.size() != 2 || offsets_[0] > offsets_[1]) {
        return refuse("has data_offsets that are no begin and end for " + quoted(excerpt(name_)));
      }
      entry_->begin = static_cast<std::uint64_t>(offsets_[0]);
      entry_->end = static_cast<std::uint64_t>(offsets_[1]);
    }
    list_ = nullptr;
    return true;
  }

  bool key(const std::string& name, TextSpan) override {
    if (level_ == 1) return tensor(name);
    key_ = name;
    if (metadata_) return true;
    const unsigned bit = name == "dtype"          ? 1u
                         : name == "shape"        ? 2u
                         : name == "data_offsets" ? 4u
                                                  : 0u;
    if (bit == 0 || (seen_ & bit) != 0) {
      return refuse("has the key " + quoted(excerpt(name)) + " for " + quoted(excerpt(name_)) +
                    ", which is unknown or there twice");
    }
    seen_ |= bit;
    return true;
  }

  bool text(const std::string& value, TextSpan) override {
    if (level_ == 2 && metadata_) return true;
    if (level_ != 2 || list_ != nullptr || key_ != "dtype") return misplaced("a string");
    entry_->dtype = value;
    return true;
  }

  bool number(std::string_view written, TextSpan) override {
    const auto value = read_integer(written);
    if (list_ == nullptr) return misplaced("a number");
    if (!value || *value < 0) return refuse("has " + excerpt(written) + " where a size is due");
    list_->push_back(*value);
    return true;
  }

  bool flag(bool, TextSpan) override { return misplaced("true or false"); }
  bool null(TextSpan) override { return misplaced("null"); }

 private:
  static constexpr unsigned kAllKeys = 7;

  bool refuse(std::string why) {
    fault_ = std::move(why);
    return false;
  }
  bool misplaced(const std::string& what) { return refuse("has " + what + " where none is due"); }

  bool tensor(const std::string& name) {
    name_ = name;
    metadata_ = name == "__metadata__";
    if (metadata_) return true;
    const auto [at, fresh] = entries_.try_emplace(name);
    entry_ = &at->second;
    return fresh || refuse("names " + quoted(excerpt(name)) + " twice");
  }

  std::string& fault_;
  std::map<std::string, Safetensors::Entry> entries_;
  std::size_t level_ = 0;
  std::string name_;
  std::string key_;
  bool metadata_ = false;
  Safetensors::Entry* entry_ = nullptr;
  unsigned seen_ = 0;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int64_t>* list_ = nullptr;  // being read
};

}  // namespace

std::optional<std::map<std::string, Safetensors::Entry>> read_safetensors_header(
    std::string_view text, std::string& fault) {
  if (!text.starts_with('{')) {
    fault = "does not start with an object";
    return std::nullopt;
  }
  HeaderEvents events(fault);
  if (const auto error = read_json(text, events)) {
    fault = "is wrong at byte " + std::to_string(error->where.offset) + ": " + error->message;
  }
  if (!fault.empty()) return std::nullopt;
  return events.take();
}

}  // namespace wick::frontend

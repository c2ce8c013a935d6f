// ONNX Runtime through its C interface, inputs and the output bound to the caller's memory.
//
// The library is the one that the npm package onnxruntime-node carries; bench.py puts its path into
// WICK_BENCH_ONNX_RUNTIME. The package has no header, and none is needed: the interface is a table
// of functions whose order is fixed for good ("members are only added at the end"), so that a
// function is its number in the table. Numbers and signatures below are those of version 5 of the
// interface, the first with bound outputs.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/workloads/peers/peer.h"

namespace wick::workloads {
namespace {

constexpr std::uint32_t kVersion = 5;
constexpr int kLogErrors = 3;
constexpr int kOptimizeAll = 99;
constexpr int kFloat = 1;
constexpr int kArenaAllocator = 1;
constexpr int kDefaultMemory = 0;

// What the interface's pointers point to is its own business.
using Object = void*;
using Status = void*;

enum Entry : std::size_t {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSession = 7,
  kCreateSessionOptions = 10,
  kSetSessionGraphOptimizationLevel = 23,
  kSetIntraOpNumThreads = 24,
  kSetInterOpNumThreads = 25,
  kSessionGetInputTypeInfo = 33,
  kSessionGetOutputTypeInfo = 34,
  kCreateRunOptions = 39,
  kCreateTensorWithDataAsOrtValue = 49,
  kCastTypeInfoToTensorInfo = 55,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kCreateCpuMemoryInfo = 69,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseTypeInfo = 98,
  kRunWithBinding = 133,
  kCreateIoBinding = 134,
  kReleaseIoBinding = 135,
  kBindInput = 136,
  kBindOutput = 137,
};

class Interface {
 public:
  Interface() : table_(load()) {
    call(kCreateEnv, kLogErrors, "bench", &environment_);
    call(kCreateCpuMemoryInfo, kArenaAllocator, kDefaultMemory, &memory_);
    call(kCreateRunOptions, &run_options_);
    call(kCreateSessionOptions, &session_options_);
    call(kSetIntraOpNumThreads, session_options_, 1);
    call(kSetInterOpNumThreads, session_options_, 1);
    call(kSetSessionGraphOptimizationLevel, session_options_, kOptimizeAll);
  }

  // Calls an entry that returns nothing, such as those that release.
  void release(Entry entry, Object object) const {
    reinterpret_cast<void (*)(Object)>(table_[entry])(object);
  }

  // Calls an entry with exactly these arguments; throws with the library's message if it fails.
  template <class... Arguments>
  void call(Entry entry, Arguments... arguments) const {
    const auto function = reinterpret_cast<Status (*)(Arguments...)>(table_[entry]);
    if (const Status status = function(arguments...))
      throw std::runtime_error(
          reinterpret_cast<const char* (*)(Status)>(table_[kGetErrorMessage])(status));
  }

  Object environment() const { return environment_; }
  Object memory() const { return memory_; }
  Object run_options() const { return run_options_; }
  Object session_options() const { return session_options_; }

 private:
  static void* const* load() {
    const char* path = std::getenv("WICK_BENCH_ONNX_RUNTIME");
    void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(path ? dlerror() : "no library was named");
    struct Base {
      void* const* (*get)(std::uint32_t version);
    };
    const auto base = reinterpret_cast<const Base* (*)()>(dlsym(library, "OrtGetApiBase"));
    void* const* table = base == nullptr ? nullptr : base()->get(kVersion);
    if (table == nullptr) throw std::runtime_error("does not offer version 5 of its interface");
    return table;
  }

  void* const* table_;
  // These live as long as the process does.
  Object environment_ = nullptr;
  Object memory_ = nullptr;
  Object run_options_ = nullptr;
  Object session_options_ = nullptr;
};

// A model with its operands bound, ready to run again and again.
class Model {
 public:
  Model(const Interface& api, const Task& task) : api_(api) {
    const std::string path = task.tensors.folder() + "/model.onnx";
    api_.call(kCreateSession, api_.environment(), path.c_str(), api_.session_options(), &session_);
    api_.call(kCreateIoBinding, session_, &binding_);
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      // The interface wants a pointer to memory that can be written, and does not write it.
      auto* data = const_cast<float*>(task.tensors[task.inputs[i]]);
      api_.call(kBindInput, binding_, task.inputs[i].c_str(),
                tensor(kSessionGetInputTypeInfo, i, data));
    }
    api_.call(kBindOutput, binding_, "y", tensor(kSessionGetOutputTypeInfo, 0, task.output));
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() {
    for (const Object value : values_) api_.release(kReleaseValue, value);
    api_.release(kReleaseIoBinding, binding_);
    api_.release(kReleaseSession, session_);
  }

  void run() const { api_.call(kRunWithBinding, session_, api_.run_options(), binding_); }

 private:
  // A tensor over `data` with the shape of the session's input or output.
  Object tensor(Entry type_info, std::size_t index, float* data) {
    Object type = nullptr, info = nullptr, value = nullptr;
    api_.call(type_info, session_, index, &type);
    api_.call(kCastTypeInfoToTensorInfo, type, &info);
    std::size_t rank = 0;
    api_.call(kGetDimensionsCount, info, &rank);
    std::vector<std::int64_t> shape(rank);
    api_.call(kGetDimensions, info, shape.data(), rank);
    api_.release(kReleaseTypeInfo, type);
    std::size_t bytes = sizeof(float);
    for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
    api_.call(kCreateTensorWithDataAsOrtValue, api_.memory(), static_cast<void*>(data), bytes,
              shape.data(), rank, kFloat, &value);
    values_.push_back(value);
    return value;
  }

  const Interface& api_;
  Object session_ = nullptr;
  Object binding_ = nullptr;
  std::vector<Object> values_;
};

}  // namespace

Call prepare_onnx_runtime(const Task& task) {
  static const Interface api;
  const auto model = std::make_shared<Model>(api, task);
  return [model] { model->run(); };
}

}  // namespace wick::workloads

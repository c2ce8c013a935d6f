// Runs every function of a batch of emitted code on given inputs: compiled and linked with the
// batch, started as a process of its own.
//
//   harness INPUTS OUTPUTS
//
// INPUTS holds the inputs of all functions one after another; OUTPUTS gets their outputs. Every
// function is called six times: arena and outputs filled with zeros, ones and signalling NaNs,
// twice each; all calls must give the same bits, and leave inputs that are not donated as they
// were. All memory has exactly the size it should, so that AddressSanitizer sees any step beyond
// it. With WICK_STACK_BYTES defined, each call is made on a thread with a stack of that size.
#include "tests/corpus/harness.h"

#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using wick::corpus::Entry;
using wick::corpus::Tensor;

constexpr std::uint32_t kFills[] = {0x00000000u, 0xFFFFFFFFu, 0x7FA00000u};

// Memory of exactly `size` bytes at a multiple of 64.
class Memory {
 public:
  explicit Memory(std::size_t size) : size_(size) {
    if (posix_memalign(&data_, 64, size > 0 ? size : 1) != 0) std::abort();
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  Memory(Memory&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
  }
  ~Memory() { std::free(data_); }

  void* data() const { return data_; }
  void fill(std::uint32_t pattern) const {
    for (std::size_t i = 0; i < size_; ++i) {
      static_cast<unsigned char*>(data_)[i] = static_cast<unsigned char>(pattern >> (8 * (i % 4)));
    }
  }
  void copy_from(const std::vector<unsigned char>& bytes) const {
    if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
  }
  std::vector<unsigned char> bytes() const {
    const auto* first = static_cast<const unsigned char*>(data_);
    return {first, first + size_};
  }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

[[noreturn]] void fail(const Entry& entry, const char* what) {
  std::fprintf(stderr, "%s: %s\n", entry.name, what);
  std::exit(1);
}

struct Call {
  const Entry* entry;
  const void* const* inputs;
  void* const* outputs;
  std::byte* arena;
};

void carry_out(const Call& call) { call.entry->run(call.inputs, call.outputs, call.arena); }

#if defined(WICK_STACK_BYTES)
void call_function(const Call& call) {
  pthread_attr_t attributes;
  pthread_t thread;
  const auto start = [](void* argument) -> void* {
    carry_out(*static_cast<const Call*>(argument));
    return nullptr;
  };
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, WICK_STACK_BYTES) != 0 ||
      pthread_create(&thread, &attributes, start, const_cast<Call*>(&call)) != 0)
    fail(*call.entry, "no thread with so small a stack");
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}
#else
void call_function(const Call& call) { carry_out(call); }
#endif

std::vector<std::vector<unsigned char>> run(const Entry& entry,
                                            const std::vector<std::vector<unsigned char>>& inputs) {
  std::vector<std::vector<unsigned char>> expected;
  for (const std::uint32_t pattern : kFills) {
    Memory arena(entry.arena_bytes);
    arena.fill(pattern);
    for (int call = 0; call < 2; ++call) {
      std::vector<Memory> in, out;
      std::vector<const void*> in_pointers;
      std::vector<void*> out_pointers;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        in.emplace_back(inputs[i].size());
        in.back().copy_from(inputs[i]);
        in_pointers.push_back(in.back().data());
      }
      for (const Tensor& tensor : entry.outputs) {
        out.emplace_back(tensor.bytes);
        out.back().fill(pattern);
        out_pointers.push_back(out.back().data());
      }
      call_function(
          {&entry, in_pointers.data(), out_pointers.data(), static_cast<std::byte*>(arena.data())});
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!entry.inputs[i].donated && in[i].bytes() != inputs[i])
          fail(entry, "an input was changed");
      }
      std::vector<std::vector<unsigned char>> found;
      for (const Memory& memory : out) found.push_back(memory.bytes());
      if (!expected.empty() && found != expected)
        fail(entry, "results depend on what memory held before, or on the call");
      expected = std::move(found);
    }
  }
  return expected;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::FILE* in = std::fopen(argv[1], "rb");
  std::FILE* out = std::fopen(argv[2], "wb");
  if (in == nullptr || out == nullptr) return 2;
  for (const Entry& entry : wick::corpus::entries()) {
    std::vector<std::vector<unsigned char>> inputs;
    for (const Tensor& tensor : entry.inputs) {
      inputs.emplace_back(tensor.bytes);
      if (std::fread(inputs.back().data(), 1, tensor.bytes, in) != tensor.bytes) return 2;
    }
    for (const std::vector<unsigned char>& bytes : run(entry, inputs)) {
      if (std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size()) return 2;
    }
  }
  std::fclose(in);
  return std::fclose(out) == 0 ? 0 : 2;
}

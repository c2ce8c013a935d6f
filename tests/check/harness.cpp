// Runs every mutant beside its original and prints a line for each: what differs, or nothing.
//
//   harness INPUTS
//
// INPUTS holds eight sets of inputs for each entry, one after another. Each entry runs in a process
// of its own, so that a crash is one more difference. Both functions are called twice per set;
// arena and outputs are filled with another pattern for each set.
#include "tests/check/harness.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using wick::mutation::Call;
using wick::mutation::Entry;
using wick::mutation::Tensor;
using Bytes = std::vector<unsigned char>;

constexpr int kInputSets = 8;
constexpr unsigned char kFills[] = {0x00, 0xFF, 0x7F, 0xA5};
constexpr std::size_t kSlack = 4096;  // around everything, so that a step beside it need not crash

class Memory {
 public:
  Memory(std::size_t bytes, unsigned char fill) : bytes_(bytes) {
    if (posix_memalign(&data_, 64, bytes + 2 * kSlack) != 0) std::abort();
    std::memset(data_, fill, bytes + 2 * kSlack);
  }
  Memory(Memory&& other) noexcept : data_(other.data_), bytes_(other.bytes_) {
    other.data_ = nullptr;
  }
  ~Memory() { std::free(data_); }
  unsigned char* data() const { return static_cast<unsigned char*>(data_) + kSlack; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

// The outputs of two calls.
std::vector<Bytes> results_of(Call call, const Entry& entry, const std::vector<Bytes>& inputs,
                              unsigned char fill) {
  std::vector<Bytes> results;
  const Memory arena(entry.arena_bytes, fill);
  for (const bool first : {true, false}) {
    std::vector<Memory> in, out;
    std::vector<void*> in_pointers, out_pointers;
    for (const Bytes& input : inputs) {
      in.emplace_back(input.size(), fill);
      if (!input.empty()) std::memcpy(in.back().data(), input.data(), input.size());
      in_pointers.push_back(in.back().data());
    }
    for (const Tensor& output : entry.outputs) {
      out.emplace_back(output.bytes, fill);
      out_pointers.push_back(out.back().data());
    }
    call(in_pointers.data(), out_pointers.data(), reinterpret_cast<std::byte*>(arena.data()),
         first);
    for (const Memory& memory : out)
      results.emplace_back(memory.data(), memory.data() + memory.bytes());
  }
  return results;
}

template <class T>
bool same_numbers(const Bytes& a, const Bytes& b) {
  for (std::size_t at = 0; at < a.size(); at += sizeof(T)) {
    T x, y;
    std::memcpy(&x, a.data() + at, sizeof(T));
    std::memcpy(&y, b.data() + at, sizeof(T));
    if (std::memcmp(&x, &y, sizeof(T)) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

bool same(const Tensor& tensor, const Bytes& a, const Bytes& b) {
  if (tensor.kind == 'f') return same_numbers<float>(a, b);
  if (tensor.kind == 'd') return same_numbers<double>(a, b);
  return a == b;
}

// In the child: 0 if all agree, else 1 + the set of inputs that shows a difference.
int compare(const Entry& entry, const std::vector<std::vector<Bytes>>& sets) {
  for (int set = 0; set < kInputSets; ++set) {
    const auto& inputs = sets[static_cast<std::size_t>(set)];
    const unsigned char fill = kFills[set % 4];
    const auto expected = results_of(entry.original, entry, inputs, fill);
    const auto found = results_of(entry.mutant, entry, inputs, fill);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!same(entry.outputs[i % entry.outputs.size()], expected[i], found[i])) return 1 + set;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
  if (file == nullptr) return 2;
  for (const Entry& entry : entries()) {
    std::vector<std::vector<Bytes>> sets(kInputSets);
    for (std::vector<Bytes>& inputs : sets) {
      for (const Tensor& tensor : entry.inputs) {
        inputs.emplace_back(tensor.bytes);
        if (std::fread(inputs.back().data(), 1, tensor.bytes, file) != tensor.bytes) return 2;
      }
    }
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
      alarm(20);
      _exit(compare(entry, sets));
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 2;
    if (!WIFEXITED(status)) {
      std::printf("the mutant does not end well (signal %d)\n", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
      std::printf("results differ on set %d of inputs\n", WEXITSTATUS(status) - 1);
    } else {
      std::printf("\n");
    }
  }
  std::fclose(file);
  return 0;
}

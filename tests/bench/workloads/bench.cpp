// Measures emitted functions and their peers on one core. Linked by bench.py with their table.
//
//   bench FOLDER CORE SECONDS SAMPLE
//
// FOLDER holds NAME/TENSOR.f32 for each input and constant, NAME/expected.f64 and, for peers that
// read it, NAME/model.onnx. SECONDS are spent on each workload; a sample of one contestant takes at
// least SAMPLE microseconds. Who computes wrong values is not timed. Lines of output, their fields
// separated by tabs:
//
//   limit    NAME GFLOP/s or GB/s
//   failed   WORKLOAD PEER REASON
//   wrong    WORKLOAD CONTESTANT ERROR
//   time     WORKLOAD CONTESTANT ERROR MEDIAN LEAST NUMBER-OF-SAMPLES, times in microseconds
#include "tests/bench/workloads/bench.h"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/bench/workloads/contest.h"
#include "tests/bench/workloads/limits.h"

namespace wick::workloads {
namespace {

// Largest error accepted, in units of 2^-24 of the largest magnitude expected: products of 2048
// terms stay below it many times over, and a wrong element exceeds it.
constexpr double kMostError = 1000;

struct Options {
  std::string folder;
  int core;
  double seconds;
  double sample;
};

// Everything that one workload is measured with.
class Measurement {
 public:
  Measurement(const Workload& workload, const std::string& folder)
      : name_(workload.name),
        tensors_(folder + "/" + workload.name),
        expected_(read_file(tensors_.folder() + "/expected.f64")),
        output_(expected_.count<double>() * sizeof(float)),
        arena_(std::max(workload.emitted.arena_bytes, workload.composite.arena_bytes)) {
    for (const char* input : workload.inputs) {
      inputs_.push_back(tensors_[input]);
      names_.push_back(input);
    }
  }

  void add_function(const std::string& name, const Function& function) {
    if (function.run == nullptr) return;
    add(name, [this, &function] {
      function.run(inputs_.data(), output_.as<float>(), arena_.as<std::byte>());
    });
  }

  void add_peer(const Peer& peer) {
    try {
      if (Call call = peer.prepare({name_, names_, tensors_, output_.as<float>()}))
        add(peer.name, std::move(call));
    } catch (const std::exception& fault) {
      std::printf("failed\t%s\t%s\t%s\n", name_.c_str(), peer.name, fault.what());
    }
  }

  // What moves the only input to the output without computing anything: its values are wrong.
  void add_copies() {
    const std::size_t count = output_.count<float>();
    if (inputs_.size() != 1 || tensors_.count(names_[0]) != count) return;
    for (const Copy& copy : copies()) {
      const auto call = [&copy, count, this] {
        copy.run(inputs_[0], output_.as<float>(), count * sizeof(float));
      };
      contestants_.push_back({std::string("copy: ") + copy.name, call});
    }
  }

  void run(const Options& options) {
    if (contestants_.empty()) return;
    compete(contestants_, options.seconds, options.sample);
    for (const Contestant& contestant : contestants_) {
      std::printf("time\t%s\t%s\t%.3g\t%.6g\t%.6g\t%zu\n", name_.c_str(), contestant.name.c_str(),
                  contestant.error, median(contestant.samples),
                  *std::ranges::min_element(contestant.samples), contestant.samples.size());
    }
    std::fflush(stdout);
  }

  bool all_right() const { return all_right_; }

 private:
  // Only if its values are right.
  void add(const std::string& name, Call call) {
    std::fill_n(output_.as<float>(), output_.count<float>(), 0.0f);
    call();
    const double error = error_in_units(output_.as<float>(), expected_);
    if (error <= kMostError) {
      contestants_.push_back({name, std::move(call), error});
    } else {
      all_right_ = false;
      std::printf("wrong\t%s\t%s\t%g\n", name_.c_str(), name.c_str(), error);
    }
  }

  std::string name_;
  Tensors tensors_;
  std::vector<const float*> inputs_;
  std::vector<std::string> names_;
  Buffer expected_;
  Buffer output_;
  Buffer arena_;
  std::vector<Contestant> contestants_;
  bool all_right_ = true;
};

void pin(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  if (sched_setaffinity(0, sizeof(cores), &cores) != 0)
    throw std::runtime_error("cannot run on core " + std::to_string(core) + " alone");
}

bool name_begins(const Workload& workload, const char* with) {
  return std::string_view(workload.name).starts_with(with);
}

int run(const Options& options) {
  pin(options.core);
  for (const Limit& limit : limits())
    std::printf("limit\t%s\t%.6g\n", limit.name.c_str(), limit.rate);
  bool good = true;
  for (const Workload& workload : workloads()) {
    Measurement measurement(workload, options.folder);
    measurement.add_function("wick", workload.emitted);
    measurement.add_function("composite", workload.composite);
    for (const Peer& peer : peers()) measurement.add_peer(peer);
    if (name_begins(workload, "chain_")) measurement.add_copies();
    measurement.run(options);
    good = measurement.all_right() && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace wick::workloads

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: bench FOLDER CORE SECONDS SAMPLE\n");
    return 2;
  }
  try {
    return wick::workloads::run(
        {argv[1], std::atoi(argv[2]), std::atof(argv[3]), std::atof(argv[4])});
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "bench: %s\n", fault.what());
    return 2;
  }
}

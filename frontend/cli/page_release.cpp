#include "frontend/cli/page_release.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace wick::frontend {
namespace {

// Long enough to be no burden, short enough for a few hundred MiB at the speed of memory.
constexpr std::chrono::milliseconds kInterval(10);

}  // namespace

PageRelease::PageRelease(std::function<void()> release) : release_(std::move(release)) {
  try {
    thread_ = std::thread([this] { repeat(); });
  } catch (const std::system_error&) {
    // Without a thread the pages stay until the system wants them back.
  }
}

PageRelease::~PageRelease() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void PageRelease::repeat() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kInterval, [&] { return done_; })) release_();
}

}  // namespace wick::frontend

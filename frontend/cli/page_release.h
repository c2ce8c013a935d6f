// Keeps the memory of mapped files low while somebody reads through them who knows nothing of
// files.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace wick::frontend {

// Calls `release` every few milliseconds until it goes out of scope, on a thread of its own. What
// is let go is read anew by whoever still needs it, so that this costs time but no more.
class PageRelease {
 public:
  explicit PageRelease(std::function<void()> release);
  PageRelease(const PageRelease&) = delete;
  PageRelease& operator=(const PageRelease&) = delete;
  ~PageRelease();

 private:
  void repeat();

  std::function<void()> release_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace wick::frontend

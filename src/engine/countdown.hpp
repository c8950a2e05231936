// Waiting for several things at once: so many arrivals, or a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "engine/suspend.hpp"

namespace interline::engine {

/// Shared by the one who waits and those who arrive. Thread-safe.
class Countdown : public std::enable_shared_from_this<Countdown> {
 public:
  Countdown(boost::asio::any_io_executor executor, std::size_t arrivals)
      : timer_(std::move(executor)), left_(arrivals) {}

  void arrive() {
    const std::lock_guard lock(mutex_);
    if (left_ > 0 && --left_ == 0) release();
  }

  /// Returns after the last arrival, or when `longest` is over. One waiter.
  [[nodiscard]] boost::asio::awaitable<void> wait(std::chrono::milliseconds longest) {
    auto start = [self = this->shared_from_this(), longest](Resume resume) {
      const std::lock_guard lock(self->mutex_);
      self->resume_ = std::move(resume);
      if (self->left_ == 0) return self->release();
      self->timer_.expires_after(longest);
      self->timer_.async_wait([weak = self->weak_from_this()](const boost::system::error_code& e) {
        const auto waiting = weak.lock();
        if (e || !waiting) return;
        const std::lock_guard lock_again(waiting->mutex_);
        waiting->release();
      });
    };
    const int ignored = co_await suspend<int>(std::move(start));
    (void)ignored;
  }

 private:
  using Resume = std::move_only_function<void(int)>;

  /// With the lock held.
  void release() {
    timer_.cancel();
    if (auto resume = std::exchange(resume_, nullptr)) resume(0);
  }

  std::mutex mutex_;
  boost::asio::steady_timer timer_;  // guarded by mutex_, as below
  std::size_t left_;
  Resume resume_;
};

}  // namespace interline::engine

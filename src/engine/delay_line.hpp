// A constant delay for many things at once: a queue in order of arrival and one timer, since what
// came first is due first.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace interline::engine {

/// Calls `due(item)` on the executor once the delay has passed, for as long as the line lives.
/// Items are held weakly: what has gone meanwhile is passed over. Thread-safe.
template <class Item>
class DelayLine : public std::enable_shared_from_this<DelayLine<Item>> {
 public:
  using Due = std::function<void(std::shared_ptr<Item>)>;

  DelayLine(boost::asio::any_io_executor executor, std::chrono::milliseconds delay, Due due)
      : timer_(std::move(executor)), delay_(delay), due_(std::move(due)) {}

  void add(const std::shared_ptr<Item>& item) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    waiting_.emplace_back(std::chrono::steady_clock::now() + delay_, item);
    if (waiting_.size() == 1) arm();
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    waiting_.clear();
    timer_.cancel();
  }

 private:
  using Entry = std::pair<std::chrono::steady_clock::time_point, std::weak_ptr<Item>>;

  void arm() {
    timer_.expires_at(waiting_.front().first);
    timer_.async_wait([weak = this->weak_from_this()](const boost::system::error_code& error) {
      if (const auto self = weak.lock(); self && !error) self->fire();
    });
  }

  void fire() {
    std::deque<Entry> ready;
    {
      const std::lock_guard lock(mutex_);
      const auto now = std::chrono::steady_clock::now();
      while (!waiting_.empty() && waiting_.front().first <= now) {
        ready.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
      if (!stopped_ && !waiting_.empty()) arm();
    }
    for (const Entry& entry : ready) {
      if (auto item = entry.second.lock()) due_(std::move(item));
    }
  }

  std::mutex mutex_;
  boost::asio::steady_timer timer_;
  const std::chrono::milliseconds delay_;
  const Due due_;
  std::deque<Entry> waiting_;
  bool stopped_ = false;
};

}  // namespace interline::engine

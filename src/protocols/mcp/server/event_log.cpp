#include "protocols/mcp/server/event_log.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

namespace interline::protocols::mcp::server {

void EventLog::append(std::string message) {
  bytes_ += message.size();
  events_.push_back(Event{next_++, std::move(message)});
  while (events_.size() > 1 && (events_.size() > most_events_ || bytes_ > kMostBytes)) {
    bytes_ -= events_.front().message.size();
    events_.pop_front();
  }
  if (wake_) wake_();
}

bool EventLog::tell(std::string message) {
  const std::lock_guard lock(mutex_);
  if (closed_ || finished_) return false;
  append(std::move(message));
  return true;
}

void EventLog::finish(std::string message) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (!closed_ && !message.empty()) {
    append(std::move(message));
  } else if (wake_) {
    wake_();
  }
}

void EventLog::close() {
  std::function<void()> then;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || finished_) return;
    closed_ = true;
    then = std::exchange(on_closed_, nullptr);
    if (wake_) wake_();
  }
  if (then) boost::asio::post(executor_, std::move(then));
}

bool EventLog::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

bool EventLog::ended() const {
  const std::lock_guard lock(mutex_);
  return closed_ || finished_;
}

void EventLog::on_closed(std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    on_closed_ = nullptr;
    if (!closed_) {
      on_closed_ = std::move(then);
      return;
    }
  }
  if (then) then();
}

void EventLog::let_go(std::chrono::milliseconds retry) {
  const std::lock_guard lock(mutex_);
  retry_ = retry;
  if (wake_) wake_();
}

std::optional<std::chrono::milliseconds> EventLog::take_retry() {
  const std::lock_guard lock(mutex_);
  return std::exchange(retry_, std::nullopt);
}

bool EventLog::wants_retry() const {
  const std::lock_guard lock(mutex_);
  return retry_.has_value();
}

std::optional<std::string> EventLog::lone_answer() const {
  const std::lock_guard lock(mutex_);
  if (!finished_ || next_ != 2 || events_.size() != 1) return std::nullopt;
  return events_.front().message;
}

std::optional<EventLog::Event> EventLog::after(Sequence sequence) const {
  const std::lock_guard lock(mutex_);
  const auto next = std::ranges::upper_bound(events_, sequence, {}, &Event::sequence);
  if (next == events_.end()) return std::nullopt;
  return *next;
}

EventLog::ReaderNumber EventLog::attach(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  reader_ = ++readers_;
  const auto before = std::exchange(wake_, std::move(wake));
  if (before) before();
  return reader_;
}

void EventLog::detach(ReaderNumber reader) {
  const std::lock_guard lock(mutex_);
  if (reader != reader_) return;
  reader_ = 0;
  wake_ = nullptr;
}

bool EventLog::reads(ReaderNumber reader) const {
  const std::lock_guard lock(mutex_);
  return reader_ == reader;
}

bool EventLog::has_reader() const {
  const std::lock_guard lock(mutex_);
  return reader_ != 0;
}

}  // namespace interline::protocols::mcp::server

#include "bindings/mcp/line_outbox.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

namespace interline::mcp {

void LineOutbox::append(Owner owner, std::string line) {
  // What an agent wrote may be of several lines. In JSON a raw line break is white space.
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  line += '\n';
  bytes_ += line.size();
  entries_.push_back(Entry{owner, std::move(line)});
  wake();
}

bool LineOutbox::offer(Owner owner, std::string line) {
  const std::lock_guard lock(mutex_);
  const bool full = entries_.size() >= kMostLines || bytes_ + line.size() > kMostBytes;
  if (closed_ || (full && !entries_.empty())) return false;
  append(owner, std::move(line));
  return true;
}

void LineOutbox::put(Owner owner, std::string line) {
  const std::lock_guard lock(mutex_);
  if (!closed_) append(owner, std::move(line));
}

void LineOutbox::forget(Owner owner) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [this, owner](const Entry& entry) {
    if (entry.owner != owner) return false;
    bytes_ -= entry.line.size();
    return true;
  });
}

std::string LineOutbox::take() {
  std::string text;
  const std::lock_guard lock(mutex_);
  while (!entries_.empty()) {
    std::string& line = entries_.front().line;
    if (!text.empty() && text.size() + line.size() > kWriteBytes) break;
    bytes_ -= line.size();
    text.empty() ? text.swap(line) : static_cast<void>(text += line);
    entries_.pop_front();
  }
  if (!text.empty()) wake();
  return text;
}

std::size_t LineOutbox::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void LineOutbox::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  wake();
}

bool LineOutbox::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void LineOutbox::wake() {
  if (std::exchange(wake_posted_, true)) return;
  boost::asio::post(executor_, [self = shared_from_this()] {
    {
      const std::lock_guard lock(self->mutex_);
      self->wake_posted_ = false;
    }
    self->changed_.notify_all();
  });
}

}  // namespace interline::mcp

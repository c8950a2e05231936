#include "net/line_buffer.hpp"

#include <algorithm>
#include <utility>

namespace interline::net {

void LineBuffer::append(std::string_view bytes) {
  if (begin_ == bytes_.size()) {
    bytes_.clear();
    begin_ = scanned_ = 0;
  } else if (begin_ > bytes_.size() / 2) {  // moves each byte at most once on the average
    bytes_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
  }
  bytes_ += bytes;
}

Line LineBuffer::take(std::size_t end) {
  Line line(bytes_.substr(begin_, std::min(end - begin_, limit_)));
  line.too_long = skipping_ || end - begin_ > limit_;
  line.length = end - begin_ + skipped_;
  skipping_ = false;
  skipped_ = told_ = 0;
  if (line.too_long) {
    keep_tail(std::string_view(bytes_).substr(begin_ + line.text.size(),
                                              end - begin_ - line.text.size()));
    line.tail = std::exchange(tail_, {});
  }
  return line;
}

void LineBuffer::keep_tail(std::string_view bytes) {
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), Line::kTail));
  tail_.erase(0, tail_.size() - std::min(tail_.size(), Line::kTail));
}

std::optional<Line> LineBuffer::next() {
  const std::size_t newline = bytes_.find('\n', scanned_);
  if (newline != std::string::npos) {
    Line line = take(newline);
    begin_ = scanned_ = newline + 1;
    return line;
  }
  // Keep the head of an endless line, and one byte more to know that it is too long.
  if (bytes_.size() - begin_ > limit_) {
    skipping_ = true;
    keep_tail(std::string_view(bytes_).substr(begin_ + limit_));
    skipped_ += bytes_.size() - begin_ - limit_;
    bytes_.resize(begin_ + limit_);
  }
  scanned_ = bytes_.size();
  return std::nullopt;
}

std::optional<Line> LineBuffer::overflow() {
  if (!skipping_ || skipped_ < told_) return std::nullopt;
  told_ = skipped_ + limit_;
  Line line(bytes_.substr(begin_, limit_));
  line.too_long = true;
  line.terminated = line.ended = false;
  line.length = limit_ + skipped_;
  return line;
}

std::optional<Line> LineBuffer::rest() {
  if (begin_ == bytes_.size() && !skipping_) return std::nullopt;
  Line line = take(bytes_.size());
  line.terminated = false;
  bytes_.clear();
  begin_ = scanned_ = 0;
  return line;
}

}  // namespace interline::net

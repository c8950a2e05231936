#include "net/http/sse.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace interline::net::http {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kLineBreaks = "\r\n";
constexpr std::string_view kNotInIds("\r\n\0", 3);  // readers ignore an id with a NUL (9.2.6)

std::unexpected<Error> too_large(std::string message) {
  return fail(ErrorKind::resource_constraint, ErrorReason::too_large, std::move(message));
}

void append_without(std::string& out, std::string_view text, std::string_view left_out) {
  std::ranges::copy_if(text, std::back_inserter(out),
                       [&](char c) { return left_out.find(c) == std::string_view::npos; });
}

}  // namespace

void SseParser::append(std::string_view bytes) {
  compact();
  bytes_ += bytes;
}

void SseParser::compact() {
  if (begin_ <= bytes_.size() / 2) return;
  bytes_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
}

// A line ends with CR LF, LF or CR; a CR at the end of what is there ends its line at once.
bool SseParser::take_line(std::string_view& line) {
  if (skip_feed_ && begin_ < bytes_.size()) {
    skip_feed_ = false;
    if (bytes_[begin_] == '\n') ++begin_;
    scanned_ = std::max(scanned_, begin_);
  }
  const std::size_t end = bytes_.find_first_of("\r\n", scanned_);
  if (end == std::string::npos) {
    scanned_ = bytes_.size();
    return false;
  }
  line = std::string_view(bytes_).substr(begin_, end - begin_);
  skip_feed_ = bytes_[end] == '\r';
  begin_ = scanned_ = end + 1;
  return true;
}

void SseParser::take_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value;
  if (colon != std::string_view::npos) value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    data_ += value;
    data_ += '\n';
  } else if (name == "event") {
    type_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) last_id_ = value;
  } else if (name == "retry") {
    long long milliseconds = 0;
    const bool digits = std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), milliseconds);
    if (digits && !value.empty() && error == std::errc()) {
      retry_ = std::chrono::milliseconds(milliseconds);
    }
  }
}

Result<std::optional<SseEvent>> SseParser::next() {
  if (!started_) {
    const std::string_view have = std::string_view(bytes_).substr(begin_);
    if (have.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(have)) {
      return std::nullopt;
    }
    if (have.starts_with(kByteOrderMark)) begin_ = scanned_ = begin_ + kByteOrderMark.size();
    started_ = true;
  }
  for (std::string_view line; take_line(line);) {
    if (line.size() > limits_.line) return too_large("a line of the event stream is too long");
    if (!line.empty()) {
      if (!line.starts_with(':')) take_field(line);
      if (data_.size() > limits_.data) return too_large("an event's data is too long");
      continue;
    }
    if (data_.empty()) {
      type_.clear();
      continue;
    }
    SseEvent event;
    event.type = std::exchange(type_, std::string());
    event.data = std::exchange(data_, std::string());
    event.data.pop_back();
    event.id = last_id_;
    return event;
  }
  if (bytes_.size() - begin_ > limits_.line) {
    return too_large("a line of the event stream is too long");
  }
  return std::nullopt;
}

std::string encode_event(const SseEvent& event) {
  std::string text;
  text.reserve(event.data.size() + 64);
  if (!event.type.empty()) {
    text += "event: ";
    append_without(text, event.type, kLineBreaks);
    text += '\n';
  }
  if (!event.id.empty()) {
    text += "id: ";
    append_without(text, event.id, kNotInIds);
    text += '\n';
  }
  std::string_view data = event.data;
  for (bool more = true; more;) {
    const std::size_t end = data.find_first_of("\r\n");
    text += "data: ";
    text += data.substr(0, end);
    text += '\n';
    more = end != std::string_view::npos;
    if (more) data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  text += '\n';
  return text;
}

std::string encode_comment(std::string_view text) {
  std::string line = ": ";
  append_without(line, text, kLineBreaks);
  line += "\n\n";
  return line;
}

}  // namespace interline::net::http

// Server-sent events (WHATWG HTML, section 9.2): parsing as bytes arrive, within limits, and
// writing.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline::net::http {

struct SseEvent {
  std::string type;  ///< Empty means "message".
  std::string data;  ///< Lines are joined with LF.
  std::string id;    ///< The last id that the stream gave, by this event or an earlier one.
};

struct SseLimits {
  std::size_t line = std::size_t{8} * 1024 * 1024;  ///< Bytes of a line.
  std::size_t data = std::size_t{8} * 1024 * 1024;  ///< Bytes of an event's data.
};

class SseParser {
 public:
  explicit SseParser(const SseLimits& limits = {}) : limits_(limits) {}

  void append(std::string_view bytes);
  /// The next event, if one is complete. Errors: resource_constraint (too_large); the parser is of
  /// no use afterwards. An event that the stream's end cuts off never comes, as the standard says.
  [[nodiscard]] Result<std::optional<SseEvent>> next();

  /// How long the server asks to wait before reconnecting, where it did.
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }
  [[nodiscard]] const std::string& last_id() const { return last_id_; }

 private:
  [[nodiscard]] bool take_line(std::string_view& line);
  void take_field(std::string_view line);
  void compact();

  SseLimits limits_;
  std::string bytes_;
  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;
  bool started_ = false;    // the byte order mark, if any, is behind us
  bool skip_feed_ = false;  // the line before ended with CR: a LF right after belongs to it

  std::string type_;
  std::string data_;  // each line with its LF
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
};

/// The event's bytes. A type or id with a line break, or an id with a NUL, would be another event:
/// such characters are left out. Line breaks in the data become lines. An empty id is not written.
[[nodiscard]] std::string encode_event(const SseEvent& event);
/// ": text" and an empty line: keeps proxies from closing a silent stream.
[[nodiscard]] std::string encode_comment(std::string_view text);

}  // namespace interline::net::http

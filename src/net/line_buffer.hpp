// Cuts bytes into lines as they come, with a limit on a line's length. No I/O here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace interline::net {

struct Line {
  std::string text;        ///< Without its newline; the first bytes only, when it was too long.
  bool terminated = true;  ///< False: the input ended within it.
  bool too_long = false;   ///< Longer than the limit; the rest of it was thrown away,
  std::string tail;        ///< but for its last bytes, kTail at most. Only when it was too long.
  bool ended = true;       ///< False: overflow() gave it, and it comes again once it has ended.
  std::size_t length = 0;  ///< Bytes of all of it, so far.

  static constexpr std::size_t kTail = 256;

  explicit Line(std::string line_text) : text(std::move(line_text)) {}
};

class LineBuffer {
 public:
  /// `limit`: bytes of a line, without the newline. At most that and one read are held.
  explicit LineBuffer(std::size_t limit) : limit_(limit) {}

  void append(std::string_view bytes);
  /// The next whole line, if there is one. A line beyond the limit comes once its end is there.
  [[nodiscard]] std::optional<Line> next();
  /// After next() had none: the head of a line that is beyond the limit and has not ended. Given
  /// when it passes the limit, and each time that about as much again has come.
  [[nodiscard]] std::optional<Line> overflow();
  /// When the input has ended: the line that was begun, if there is one.
  [[nodiscard]] std::optional<Line> rest();

 private:
  Line take(std::size_t end);
  void keep_tail(std::string_view bytes);

  std::size_t limit_;
  std::string bytes_;
  std::size_t begin_ = 0;    // of the line in bytes_
  std::size_t scanned_ = 0;  // no newline in [begin_, scanned_)
  bool skipping_ = false;    // within the part of a line that is beyond the limit
  std::size_t skipped_ = 0;  // bytes of it that were thrown away
  std::size_t told_ = 0;     // skipped_ at which overflow() has something to say again
  std::string tail_;         // the last bytes of what was skipped
};

}  // namespace interline::net

// Where log records go.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/log_value.hpp"

namespace interline {

/// Thread-safe. A sink outlives every Logger that writes to it by being shared with them.
class LogSink {
 public:
  explicit LogSink(LogLevel threshold) : threshold_(threshold) {}
  virtual ~LogSink() = default;
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  virtual void write(const LogRecord& record) = 0;

  [[nodiscard]] bool takes(LogLevel level) const {
    return level >= threshold_.load(std::memory_order_relaxed);
  }
  /// Holds for every Logger at once; for reloading the configuration.
  void set_threshold(LogLevel threshold) { threshold_.store(threshold, std::memory_order_relaxed); }

 private:
  std::atomic<LogLevel> threshold_;
};

enum class LogFormat : std::uint8_t { text, json };

/// Lines to a file descriptor that somebody else closes, usually 2. Each line is one write, under a
/// lock, so lines never mix. What cannot be written is counted and given up: logging fails nobody.
/// A reader that stops reading a pipe stops the writers; give it a file, a terminal or a journal.
class StreamLogSink final : public LogSink {
 public:
  StreamLogSink(int descriptor, LogFormat format, LogLevel threshold)
      : LogSink(threshold), descriptor_(descriptor), format_(format) {}

  void write(const LogRecord& record) override;
  [[nodiscard]] std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  const int descriptor_;
  const LogFormat format_;
  std::mutex mutex_;  // one line at a time
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace interline

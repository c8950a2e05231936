// A log that tests read.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log_format.hpp"
#include "base/log_sink.hpp"

namespace interline {

/// Keeps every record, by default from debug up. Thread-safe.
class MemoryLogSink final : public LogSink {
 public:
  struct Entry {
    SystemTime time;
    LogLevel level;
    std::string message;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string line;  ///< as format_text writes it

    /// The value under the key; "" if there is none.
    [[nodiscard]] std::string_view field(std::string_view key) const {
      for (const auto& [name, value] : fields) {
        if (name == key) return value;
      }
      return {};
    }
  };

  explicit MemoryLogSink(LogLevel threshold = LogLevel::debug) : LogSink(threshold) {}

  void write(const LogRecord& record) override {
    Entry entry{record.time, record.level, std::string(record.message), {}, format_text(record)};
    for (const LogField& field : record.fields) {
      entry.fields.emplace_back(field.key(), format_value(field.value()));
    }
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }

  [[nodiscard]] std::vector<Entry> entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  /// Every line, each ended by a line feed.
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const Entry& entry : entries_) text += entry.line + '\n';
    return text;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace interline

// The log, as a value that is passed in and carries what its lines have in common.
//
//   const Logger log(std::make_shared<StreamLogSink>(2, LogFormat::text, LogLevel::info), clock);
//   const Logger session_log = log.with({{"peer", peer}});
//   session_log.info("task admitted", {{"task", id}, {"queued", 12}});
//
// Never a payload, never a secret: see log_value.hpp for what keeps them out.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "base/log_sink.hpp"
#include "base/log_value.hpp"

namespace interline {

/// Cheap to copy. Thread-safe. A default one writes nothing. The clock outlives it.
class Logger {
 public:
  using Fields = std::initializer_list<LogField>;

  Logger() = default;
  Logger(std::shared_ptr<LogSink> sink, const Clock& clock);

  /// A logger whose lines begin with these fields too. A key that is bound already is replaced.
  [[nodiscard]] Logger with(Fields fields) const;

  void debug(LogMessage message, Fields fields = {}) const {
    log(LogLevel::debug, message, fields);
  }
  void info(LogMessage message, Fields fields = {}) const { log(LogLevel::info, message, fields); }
  void warning(LogMessage message, Fields fields = {}) const {
    log(LogLevel::warning, message, fields);
  }
  void error(LogMessage message, Fields fields = {}) const {
    log(LogLevel::error, message, fields);
  }
  /// Of several fields of one key the last is written.
  void log(LogLevel level, LogMessage message, Fields fields = {}) const;

  /// Whether lines of this level go anywhere: before work that is only for them.
  [[nodiscard]] bool takes(LogLevel level) const { return sink_ && sink_->takes(level); }

 private:
  std::shared_ptr<LogSink> sink_;
  const Clock* clock_ = nullptr;
  std::shared_ptr<const std::vector<LogField>> bound_;
};

}  // namespace interline

// Progress and log lines of one request, as its client opted in to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocols/mcp/notifications.hpp"
#include "protocols/mcp/server/server.hpp"

namespace interline::protocols::mcp::server {

class Telling {
 public:
  explicit Telling(const Asked& asked);

  /// Whether the client wants to hear anything at all.
  [[nodiscard]] bool wanted() const { return progress_.has_value() || level_.has_value(); }
  void progress(std::optional<double> percent, std::string_view message);
  void log(std::string_view level, std::string_view data);
  /// An entry of a task's log; others than the two kinds say nothing here.
  void entry(const tasks::LogEntry& entry);

 private:
  Sink& sink_;
  std::optional<ProgressTeller> progress_;
  std::optional<LogLevel> level_;
};

}  // namespace interline::protocols::mcp::server

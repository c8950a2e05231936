// What a server tells without being asked: the params of its notifications, and when there are any
// (2026-07-28, basic/patterns/progress, server/utilities/logging, basic/patterns/subscriptions).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "protocols/mcp/methods.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/request_meta.hpp"

namespace interline::protocols::mcp {

namespace notification {
inline constexpr std::string_view kProgress = "notifications/progress";
inline constexpr std::string_view kMessage = "notifications/message";
inline constexpr std::string_view kAcknowledged = "notifications/subscriptions/acknowledged";
inline constexpr std::string_view kToolsChanged = "notifications/tools/list_changed";
inline constexpr std::string_view kPromptsChanged = "notifications/prompts/list_changed";
inline constexpr std::string_view kResourcesChanged = "notifications/resources/list_changed";
inline constexpr std::string_view kResourceUpdated = "notifications/resources/updated";
inline constexpr std::string_view kTasks = "notifications/tasks";
inline constexpr std::string_view kCancelled = "notifications/cancelled";
}  // namespace notification

/// The progress of one request, which only ever rises: a number that stands still or falls is left
/// out. A message without a number is told with a little more than the number before.
class ProgressTeller {
 public:
  /// `token`: JSON text of the request's progress token, not "".
  explicit ProgressTeller(std::string token) : token_(std::move(token)) {}

  /// `percent` 0 to 100. The notification's params; nothing if there is nothing new in it.
  [[nodiscard]] std::optional<std::string> tell(std::optional<double> percent,
                                                std::string_view message);

 private:
  std::string token_;
  double last_ = 0;
  bool told_ = false;
  bool of_hundred_ = false;
  std::string message_;
};

/// A line of a task's log for one request; nothing unless the request wants lines of that level.
/// `data`: JSON text; `logger` "": none. An unknown level is info.
[[nodiscard]] std::optional<std::string> log_params(std::optional<LogLevel> wanted,
                                                    std::string_view level, std::string_view logger,
                                                    std::string_view data);

/// What of a filter the server will report: kinds that its features have, and those URIs and task
/// ids that the caller left in.
[[nodiscard]] ListenFilter honoured(const ListenFilter& asked, const Features& features);

/// The first message of a subscription; `subscription`: the listen request's id, JSON text.
[[nodiscard]] std::string acknowledged_params(const ListenFilter& honoured,
                                              std::string_view subscription);
/// `subscription` "": a legacy client's, which has none. Then "" may be left out as params.
[[nodiscard]] std::string changed_params(std::string_view subscription);
[[nodiscard]] std::string updated_params(std::string_view uri, std::string_view subscription);

}  // namespace interline::protocols::mcp

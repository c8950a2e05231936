// What the one who calls a server reads of its results and notifications, and the words of both
// sides. What it writes is client_request.hpp; what a server asks, client_questions.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::protocols::mcp {

namespace method {
inline constexpr std::string_view kDiscover = "server/discover";
inline constexpr std::string_view kInitialize = "initialize";
inline constexpr std::string_view kInitialized = "notifications/initialized";
inline constexpr std::string_view kPing = "ping";
inline constexpr std::string_view kSetLevel = "logging/setLevel";
inline constexpr std::string_view kToolsList = "tools/list";
inline constexpr std::string_view kToolsCall = "tools/call";
inline constexpr std::string_view kPromptsList = "prompts/list";
inline constexpr std::string_view kPromptsGet = "prompts/get";
inline constexpr std::string_view kResourcesList = "resources/list";
inline constexpr std::string_view kTemplatesList = "resources/templates/list";
inline constexpr std::string_view kResourcesRead = "resources/read";
inline constexpr std::string_view kSubscribe = "resources/subscribe";
inline constexpr std::string_view kUnsubscribe = "resources/unsubscribe";
inline constexpr std::string_view kComplete = "completion/complete";
inline constexpr std::string_view kListen = "subscriptions/listen";
inline constexpr std::string_view kTasksGet = "tasks/get";
inline constexpr std::string_view kTasksUpdate = "tasks/update";
inline constexpr std::string_view kTasksCancel = "tasks/cancel";
}  // namespace method

// --- what is read ------------------------------------------------------------------------------
// malformed where a member is missing or of another type. Views live as long as what was read.

struct ListPage {
  std::vector<json::Value> items;  ///< objects
  std::optional<std::string> next_cursor;
};
/// `member`: tools, prompts, resources or resourceTemplates.
[[nodiscard]] Result<ListPage> read_list_page(const json::Value& result, std::string_view member);
/// Tool.execution.taskSupport is "required" (2025-11-25): it cannot be called without a task of
/// the server's.
[[nodiscard]] bool needs_server_task(const json::Value& tool);

/// What a result is (2026-07-28, basic/index, "Result"). Without the member it is complete.
enum class ResultType : std::uint8_t { complete, input_required, task };
/// malformed: none of these.
[[nodiscard]] Result<ResultType> result_type(const json::Value& result);

struct Progress {
  std::string_view token;         ///< as written
  std::optional<double> percent;  ///< where the total is known; 0 to 100
  std::string message;            ///< the server's, or without a total how far it is
};
[[nodiscard]] Result<Progress> read_progress(const json::Value& params);

struct LogLine {
  std::string_view level;  ///< of RFC 5424; "info" if unknown
  std::string_view data;   ///< JSON text
};
[[nodiscard]] Result<LogLine> read_log(const json::Value& params);

}  // namespace interline::protocols::mcp

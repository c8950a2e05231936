// What the one who calls a server's tools writes and reads: the client side of the revisions that
// are opened by `initialize`. Structs to JSON text and back; nothing is remembered.
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
inline constexpr std::string_view kInitialize = "initialize";
inline constexpr std::string_view kInitialized = "notifications/initialized";
inline constexpr std::string_view kPing = "ping";
inline constexpr std::string_view kToolsList = "tools/list";
inline constexpr std::string_view kToolsCall = "tools/call";
inline constexpr std::string_view kElicit = "elicitation/create";
inline constexpr std::string_view kCancelled = "notifications/cancelled";
inline constexpr std::string_view kProgress = "notifications/progress";
inline constexpr std::string_view kMessage = "notifications/message";
inline constexpr std::string_view kToolsChanged = "notifications/tools/list_changed";
}  // namespace method

// --- what is written: the params of requests, the results of answers ---------------------------

/// `answers_forms`: elicitation in form mode is offered.
[[nodiscard]] std::string initialize_params(std::string_view client_version, bool answers_forms);
/// `cursor` "": the first page.
[[nodiscard]] std::string list_params(std::string_view cursor);
/// `token`: a JSON text, what progress about this call will name.
[[nodiscard]] std::string call_params(std::string_view tool, std::string_view arguments,
                                      std::string_view token);
[[nodiscard]] std::string cancelled_params(std::string_view id, std::string_view reason);
/// `action` accept, decline or cancel; `content` "" unless accepted.
[[nodiscard]] std::string elicit_result(std::string_view action, std::string_view content);

// --- what is read ------------------------------------------------------------------------------
// malformed where a member is missing or of another type. Views live as long as what was read.

struct ServerHello {
  std::string version;  ///< one of kInitializedVersions
  std::string name;
  std::string implementation_version;
  bool has_tools = false;
};
/// not_acceptable: a version that is not spoken here.
[[nodiscard]] Result<ServerHello> read_initialize_result(const json::Value& result);

struct ToolsPage {
  std::vector<std::string_view> definitions;  ///< JSON object texts
  std::optional<std::string_view> next_cursor;
};
[[nodiscard]] Result<ToolsPage> read_tools_page(const json::Value& result);
/// Tool.execution.taskSupport is "required": it cannot be called without a task of the server's.
[[nodiscard]] bool needs_server_task(const json::Value& tool);

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

struct Elicitation {
  std::string_view message;
  std::string_view schema;  ///< JSON object text
};
/// not_acceptable: another mode than form.
[[nodiscard]] Result<Elicitation> read_elicitation(const json::Value& params);

}  // namespace interline::protocols::mcp

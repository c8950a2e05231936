// The exec protocol: one JSON object a line between the gateway and an agent's process. Bytes to
// structs and back; no I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "engine/runtime.hpp"

namespace interline::runtimes::exec {

// --- gateway to process
// -----------------------------------------------------------------------------

[[nodiscard]] std::string list_line();
/// With `state` and `answers` where the work comes again.
[[nodiscard]] std::string call_line(const engine::JobInput& input);
[[nodiscard]] std::string input_line(std::string_view handle, const tasks::Answer& answer);
/// A question that was refused is answered as cancelled, so that the agent can go on.
[[nodiscard]] std::string refused_line(std::string_view handle, std::string_view key,
                                       std::string_view reason);
[[nodiscard]] std::string cancel_line(std::string_view handle);

// --- process to gateway
// -----------------------------------------------------------------------------

struct ToolsMessage {
  std::vector<std::string> definitions;  ///< JSON object texts
};
struct ProgressMessage {
  engine::ProgressReport report;
};
struct LogMessage {
  std::string level;  ///< of RFC 5424's words; "info" if absent or unknown
  std::string data;   ///< JSON text
};
struct OutputMessage {
  tasks::ArtifactChunk chunk;
};
struct AskMessage {
  engine::AskedQuestion question;  ///< key "" if the process gave no id
  std::optional<std::string> state;
};
struct ResultMessage {
  std::string result;  ///< CallToolResult text
};
struct ErrorMessage {
  tasks::Failure failure;
};
struct CancelledMessage {};

using Body = std::variant<ToolsMessage, ProgressMessage, LogMessage, OutputMessage, AskMessage,
                          ResultMessage, ErrorMessage, CancelledMessage>;

struct Message {
  std::string task;  ///< the handle; "" for tools
  Body body;
};

/// malformed: no JSON object, no known type, or a member of another type than it should have; the
/// message says which, without repeating the line.
[[nodiscard]] Result<Message> read_line(std::string_view line);

}  // namespace interline::runtimes::exec

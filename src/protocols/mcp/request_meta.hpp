// `params._meta` of a modern request: its revision, what its client can do, and what it opts in to
// (2026-07-28, basic/index, "_meta"). Read for each request and remembered for none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"
#include "protocols/mcp/capabilities.hpp"

namespace interline::protocols::mcp {

namespace meta_key {
inline constexpr std::string_view kProtocolVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kClientCapabilities =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionId = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kProgressToken = "progressToken";
/// Ours: the caller's own identity for the call, as of an XMPP request ID.
inline constexpr std::string_view kRequestId = "interline/requestId";
}  // namespace meta_key

/// RFC 5424, rising (server/utilities/logging).
enum class LogLevel : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency,
};
inline constexpr std::array<std::string_view, 8> kLogLevels = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};
[[nodiscard]] std::optional<LogLevel> log_level_named(std::string_view name);
[[nodiscard]] constexpr std::string_view to_string(LogLevel level) {
  return kLogLevels[static_cast<std::size_t>(level)];
}

/// Views of the request's document.
struct RequestMeta {
  std::string_view version;
  ClientCapabilities capabilities;
  std::string_view client_name;  ///< unverified, for logs; "" if it said none
  std::string_view client_version;
  std::optional<LogLevel> log_level;  ///< none: no log messages at all
  std::string_view progress_token;    ///< JSON text as written; "": no progress
  std::string_view request_key;       ///< interline/requestId; "" if there is none
  json::Value whole;                  ///< the object, or null
};

/// Bytes of a request key and of a progress token.
inline constexpr std::size_t kMaxRequestKey = 128;
inline constexpr std::size_t kMaxProgressToken = 256;

/// The `_meta` object of params; nullptr if there is none or it is no object.
[[nodiscard]] const json::Value* meta_of(const json::Value& params);
/// Whether the request stamps itself as modern: its revision is named in `_meta`, with whatever
/// value.
[[nodiscard]] bool is_stamped(const json::Value& params);

/// malformed: no `_meta`, no version, no capabilities, or one of the members of another type. The
/// version may be any text.
[[nodiscard]] Result<RequestMeta> read_modern_meta(const json::Value& params);
/// What a legacy request may opt in to: its progress token and request key. Wrong types are as if
/// absent.
[[nodiscard]] RequestMeta read_legacy_meta(const json::Value& params);

}  // namespace interline::protocols::mcp

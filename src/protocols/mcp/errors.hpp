// The errors of MCP: code, HTTP status and data of each, and what the engine's errors become. One
// table each (2026-07-28, basic/index, "Error Codes"; basic/transports/streamable-http).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

namespace error_code {
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingRequiredClientCapability = -32021;
inline constexpr std::int64_t kUnsupportedProtocolVersion = -32022;
/// Up to 2025-11-25; accepted from older servers, written to older clients alone.
inline constexpr std::int64_t kLegacyResourceNotFound = -32002;
}  // namespace error_code

/// Ordinary JSON-RPC errors travel in an HTTP 200 ("in-band").
inline constexpr int kInBand = 200;

/// An error answer, whatever the transport: the HTTP status is for HTTP alone.
struct ErrorAnswer {
  std::int64_t code = 0;
  int status = kInBand;
  std::string message;  ///< fixed or bounded; repeats nothing of the request
  std::string data;     ///< JSON text; "": none

  ErrorAnswer() = default;
  ErrorAnswer(std::int64_t error_code, int http_status, std::string text, std::string more = {})
      : code(error_code), status(http_status), message(std::move(text)), data(std::move(more)) {}
  friend bool operator==(const ErrorAnswer&, const ErrorAnswer&) = default;
};

/// The word for logs and metrics: "HeaderMismatch"; "" for a code that is none of ours.
[[nodiscard]] std::string_view name_of(std::int64_t code);

/// `id` "": it could not be read, and is left out. One JSON-RPC line.
[[nodiscard]] std::string error_line(std::string_view id, const ErrorAnswer& answer);

// --- what a server says by itself --------------------------------------------------------------

/// Text that is no JSON, or JSON beyond the limits; both are the parser's (-32700, 400).
[[nodiscard]] ErrorAnswer parse_error(const json::ParseError& error);
[[nodiscard]] ErrorAnswer invalid_request(std::string why, int status = 400);
/// 404, as the HTTP binding wants it.
[[nodiscard]] ErrorAnswer method_not_found();
[[nodiscard]] ErrorAnswer invalid_params(std::string why);
/// `_meta` is missing or incomplete: the same code, and 400.
[[nodiscard]] ErrorAnswer incomplete_meta(std::string why);
[[nodiscard]] ErrorAnswer header_mismatch(std::string why);
[[nodiscard]] ErrorAnswer missing_capability(ClientCapabilities required);
/// `requested` as the client sent it.
[[nodiscard]] ErrorAnswer unsupported_version(std::string_view requested,
                                              std::span<const Revision> supported);
/// -32602 with `data.uri`; -32002 for legacy clients.
[[nodiscard]] ErrorAnswer resource_not_found(std::string_view uri, Revision revision);
[[nodiscard]] ErrorAnswer internal_error();

// --- what the engine says ----------------------------------------------------------------------

/// `data` names kind and reason under "interline", and when to try again where that is known.
[[nodiscard]] ErrorAnswer to_answer(const Error& error);

/// The code under which an error of another server's is told on: those that the specification keeps
/// for itself, or has given up, say nothing true about us and become an internal error; "resource
/// not found" changes with the revision.
[[nodiscard]] std::int64_t relayed_code(std::int64_t code, Revision revision);

/// Whether a model can mend it: a tool call is then answered by a result with `isError`, so that it
/// sees the text (server/tools, "Error Handling").
[[nodiscard]] bool is_repairable(const Error& error);

}  // namespace interline::protocols::mcp

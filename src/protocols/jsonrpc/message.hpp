// JSON-RPC 2.0 messages as they are on the wire, with the stricter ids of MCP: a string or an
// integer, never null, never fractional.
//
// Everything that passes through stays as it was written: an id, params or a result is a view of
// the text it was read from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"

namespace interline::protocols::jsonrpc {

/// JSON-RPC 2.0, section 5.1.
namespace error_code {
inline constexpr std::int64_t kParseError = -32700;
inline constexpr std::int64_t kInvalidRequest = -32600;
inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternalError = -32603;
}  // namespace error_code

enum class Kind : std::uint8_t { request, notification, result, error };

/// One message; views of a Document that the caller keeps.
struct Message {
  Kind kind = Kind::notification;
  /// As written: `7`, `"a"`. Two ids are the same if their texts are. "" for notifications, and for
  /// an error whose id could not be read by the peer.
  std::string_view id;
  std::string_view method;   ///< requests and notifications; unescaped
  json::Value params;        ///< object, array, or null if there are none
  json::Value result;        ///< results
  std::int64_t code = 0;     ///< errors
  std::string_view message;  ///< errors; unescaped
  json::Value data;          ///< errors; null if there is none
};

/// Limits for a message of at most so many bytes: any string may be as long, and the content is
/// as deep as the engine keeps, with a few levels more for what is around it.
[[nodiscard]] json::Limits limits_for(std::size_t bytes);

/// One message. malformed: it is none; the text says why and repeats nothing of it.
[[nodiscard]] Result<Message> read_message(const json::Value& root);

// `id` and every other JSON text go in as they are. One line each, without its end.

/// `params` "": none.
[[nodiscard]] std::string request(std::string_view id, std::string_view method,
                                  std::string_view params);
[[nodiscard]] std::string notification(std::string_view method, std::string_view params);
[[nodiscard]] std::string result(std::string_view id, std::string_view result);
/// `id` "": it could not be read, and is left out.
[[nodiscard]] std::string error(std::string_view id, std::int64_t code, std::string_view message,
                                std::string_view data = {});

}  // namespace interline::protocols::jsonrpc

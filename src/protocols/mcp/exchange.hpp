// Which revision an exchange speaks: the one decision, for whatever comes in over HTTP or standard
// input, from its body, its headers, its transport and its session. The order in which things are
// checked is part of the answer: the earliest fault is what the client hears (2026-07-28,
// basic/versioning, basic/transports).
//
// The other direction, what a client concludes from a server's answer, is probe.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "json/value.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/errors.hpp"
#include "protocols/mcp/methods.hpp"
#include "protocols/mcp/request_meta.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

enum class Transport : std::uint8_t { http, stdio };

/// Values as received, nothing where there is no such header. A repeated header is one value,
/// joined by commas: it then equals nothing.
struct RequestHeaders {
  std::optional<std::string_view> protocol_version;  ///< MCP-Protocol-Version
  std::optional<std::string_view> method;            ///< Mcp-Method
  std::optional<std::string_view> name;              ///< Mcp-Name
};

/// What the transport knows of earlier legacy exchanges. Modern ones have nothing of the kind.
struct LegacyState {
  /// HTTP: a session header was sent. Looked at for legacy requests alone.
  bool session_named = false;
  /// What `initialize` agreed upon, in that session (HTTP; nothing if it is unknown or ended) or in
  /// this process (standard input and output).
  std::optional<Revision> negotiated;
};

/// What one endpoint serves.
struct Served {
  Features features;
  /// Revisions before 2026-07-28 are served.
  bool legacy = true;
  /// HTTP: what a legacy request needs that is no `initialize`.
  enum class Sessions : std::uint8_t { none, optional, required };
  Sessions sessions = Sessions::optional;

  /// The oldest revision that `initialize` agrees to: over HTTP the first with this transport.
  [[nodiscard]] static Revision oldest(Transport transport);
};

/// A message of a modern revision, checked as far as no engine is needed: its params are the
/// method's matter (params.hpp).
struct ModernExchange {
  Revision revision = kFirstModern;
  jsonrpc::Message message;        ///< a request or a notification
  const Method* method = nullptr;  ///< nullptr: a notification that we do not know, to be ignored
  RequestMeta meta;
};

/// A message of a legacy revision. What is no method of the revision has been refused.
struct LegacyExchange {
  /// Of the session or the process; of `initialize`, what is agreed upon.
  Revision revision = kNewestLegacy;
  jsonrpc::Message message;        ///< also a result or an error: the answer to a server's request
  const Method* method = nullptr;  ///< nullptr: an answer, or a notification that we do not know
  RequestMeta meta;

  [[nodiscard]] bool opens() const { return method != nullptr && method->name == "initialize"; }
};

/// Several messages of 2025-03-26 in an array: each is decided upon by its own, see decide().
struct LegacyBatch {
  Revision revision = kUnnamedOverHttp;
  json::Value messages;  ///< an array, not empty
};

struct Refusal {
  std::string_view id;  ///< of the request, JSON text; "" if it has none or it cannot be read
  ErrorAnswer answer;
  /// Over standard output nothing is said: it was a notification or an answer.
  bool silent = false;
};

using Decision = std::variant<ModernExchange, LegacyExchange, LegacyBatch, Refusal>;

/// `root`: the parsed body or line, which outlives the decision.
[[nodiscard]] Decision decide(const json::Value& root, Transport transport,
                              const RequestHeaders& headers, const LegacyState& state,
                              const Served& served);

/// One element of a LegacyBatch.
[[nodiscard]] Decision decide_in_batch(const json::Value& element, Revision revision,
                                       const Served& served);

/// What `initialize` is answered with: the revision asked for if it is served over the transport,
/// else the newest legacy one; never a modern one.
[[nodiscard]] Revision negotiate(std::string_view requested, Transport transport);

}  // namespace interline::protocols::mcp

// The params of what a client asks, in the words of the server's revision: a modern request says in
// `_meta` what it speaks, who asks and what it can answer (2026-07-28, basic/index, "_meta"); a
// legacy one says what it opts in to, and `initialize` the rest, once.
#pragma once

#include <string>
#include <string_view>

#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

struct RequestStamp {
  Revision revision = kFirstModern;
  std::string_view client_version;
  ClientCapabilities capabilities;  ///< Of modern requests.
  std::string_view progress_token;  ///< JSON text; "": no progress is wanted.
  std::string_view log_level;       ///< Of modern requests; "": no log lines are wanted.
  std::string_view request_key;     ///< interline/requestId; "": none.
  std::string_view trace;           ///< Members, as trace_members() has them; "" if none.
};

/// `members`: those of the params beside `_meta`, without braces: `"name":"a","arguments":{}`.
[[nodiscard]] std::string stamped_params(const RequestStamp& stamp, std::string_view members);

/// Of a caller's metadata, what is the trace's context (W3C) and nothing else: members of `_meta`,
/// without braces. "" where there is none, or the text is no JSON object.
[[nodiscard]] std::string trace_members(std::string_view metadata);

[[nodiscard]] std::string initialize_params(std::string_view client_version,
                                            ClientCapabilities capabilities);

/// `cursor` nullptr: the first page. Any text is a cursor, the empty one too.
[[nodiscard]] std::string list_members(const std::string* cursor);
/// `arguments`: JSON object text.
[[nodiscard]] std::string call_members(std::string_view tool, std::string_view arguments);
[[nodiscard]] std::string task_members(std::string_view task);
/// Params of notifications/cancelled; `id`: JSON text.
[[nodiscard]] std::string cancelled_params(std::string_view id, std::string_view reason);

}  // namespace interline::protocols::mcp

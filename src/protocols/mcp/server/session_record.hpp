// What of a session a restart may not lose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/request_meta.hpp"
#include "protocols/mcp/server/server.hpp"

namespace interline::protocols::mcp::server {

struct SessionRecord {
  Principal who;
  std::string endpoint;
  Revision revision = kNewestLegacy;
  ClientCapabilities capabilities;
  std::optional<LogLevel> level;
  std::vector<std::string> resources;

  SessionRecord() = default;
};

/// The principal is the record's owner.
[[nodiscard]] engine::RecordKey session_key(std::string_view id);
[[nodiscard]] engine::RecordChange keep_session(std::string_view id, const SessionRecord& session,
                                                SystemTime expires);
[[nodiscard]] engine::RecordChange drop_session(std::string_view id);
/// Nothing: written by another version of this gateway.
[[nodiscard]] std::optional<SessionRecord> read_session(const engine::Record& record);

}  // namespace interline::protocols::mcp::server

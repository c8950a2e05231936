// `initialize`: what it agrees upon, and its answer.
#pragma once

#include <expected>
#include <string>

#include "protocols/mcp/server/core.hpp"
#include "protocols/mcp/server/session_record.hpp"

namespace interline::protocols::mcp::server {

/// -32602: params that are none.
[[nodiscard]] std::expected<SessionRecord, ErrorAnswer> agree(const LegacyExchange& opening,
                                                              Principal who, std::string endpoint);
/// The result's JSON text.
[[nodiscard]] std::string opened_result(const Core& core, Revision revision,
                                        const Features& features);

}  // namespace interline::protocols::mcp::server

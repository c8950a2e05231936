// What is sealed in a requestState: JSON, ours alone to read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocols/mcp/server/rounds.hpp"

namespace interline::protocols::mcp::server {

[[nodiscard]] std::string write_payload(const Round& round);
/// Nothing: written by another version of this gateway.
[[nodiscard]] std::optional<Round> read_payload(std::string_view text);

}  // namespace interline::protocols::mcp::server

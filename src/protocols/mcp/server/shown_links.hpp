// Resources that an agent names in what it answers, under the URIs of the view: what a client is
// shown in a result it can read, and follow, as what it is shown in a list. Links (`resource_link`)
// and embedded resources (`resource`) alike; nothing else is touched, not a byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocols/mcp/server/view.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::mcp::server {

/// Of a CallToolResult (`content`) or a GetPromptResult (`messages`), JSON text. Nothing: it stays
/// as it is.
[[nodiscard]] std::optional<std::string> with_shown_links(const Asked& asked,
                                                          std::string_view endpoint,
                                                          std::string_view result);

/// Of the result that a task has come to, if it has.
void show_links(const Asked& asked, tasks::Task& task);

}  // namespace interline::protocols::mcp::server

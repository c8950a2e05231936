// Parts of tools/call.
#pragma once

#include <optional>

#include "json/writer.hpp"
#include "protocols/mcp/server/view.hpp"

namespace interline::protocols::mcp::server {

/// Against the tool's schema, before anybody is asked anything. not_acceptable: what a model can
/// mend; `arguments` may be null for {}.
[[nodiscard]] std::optional<Error> check_arguments(const catalog::Tool& tool,
                                                   const json::Value& arguments);

/// A call of an endpoint that is not durable: no task, no question; a reader that leaves ends it.
[[nodiscard]] awaitable<Answer> run_transient(Core& core, const Asked& asked,
                                              engine::Invocation invocation);

}  // namespace interline::protocols::mcp::server

// A requestState counts once: what it was first answered with stands. Repeating that, after a lost
// answer for example, leads where it led; anything else under the same state is refused.
//
// There is a record only of a state that was answered, for as long as one of its descent may come;
// giving one out, and asking again for what is missing, write nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "protocols/mcp/server/core.hpp"

namespace interline::protocols::mcp::server {

/// How a state is used: the answers, and the caller's own key, if it has one.
[[nodiscard]] Digest use_of(const Asked& asked, const std::vector<tasks::Answer>& answers);
/// `answers` as the client wrote them.
[[nodiscard]] Digest use_of(const Asked& asked, const json::Value& answers);

/// What makes a commit the state's first use: conflict where it is not.
[[nodiscard]] engine::RecordChange first_use(const Core& core, const Asked& asked,
                                             std::string_view token, const Digest& use);

/// Uses the state. An error: it was used otherwise, or the record could not be written.
[[nodiscard]] awaitable<Result<void>> use_state(Core& core, const Asked& asked, std::string token,
                                                Digest use);
/// Whether it was used, in this way: conflict where it was in another.
[[nodiscard]] awaitable<Result<bool>> was_used(Core& core, std::string token, Digest use);

}  // namespace interline::protocols::mcp::server

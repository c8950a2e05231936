// What an answer that did not come, or was a refusal, means for a call.
#pragma once

#include <string>
#include <string_view>

#include "protocols/xmpp/agent_calls.hpp"

namespace interline::runtimes::xmpp {

/// Whether the same request may be sent again, later: the agent's gateway, or a server on the way,
/// is not there, or has too much to do.
[[nodiscard]] bool passes(const protocols::xmpp::Fault& fault);

[[nodiscard]] bool is_refusal(const protocols::xmpp::Fault& fault, std::string_view condition);

/// A sentence for people.
[[nodiscard]] std::string said_of(const protocols::xmpp::Fault& fault);

/// How a call fails by it.
[[nodiscard]] tasks::Failure failure_of(const protocols::xmpp::Fault& fault);

/// What the agent says of its failure, as ours: codes that are its gateway's own are not ours.
[[nodiscard]] tasks::Failure relayed(tasks::Failure failure);

namespace condition {
inline constexpr std::string_view kConflict = "conflict";
inline constexpr std::string_view kNotFound = "item-not-found";
inline constexpr std::string_view kTooEarly = "unexpected-request";
inline constexpr std::string_view kBusy = "resource-constraint";
}  // namespace condition

}  // namespace interline::runtimes::xmpp

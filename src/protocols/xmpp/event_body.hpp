// The bodies of a remote task's events (event.schema.json of the ProtoXEP), read. Whatever is not
// as the schema has it is refused whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.hpp"
#include "protocols/xmpp/agent_calls.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::xmpp {

struct StatusBody {
  tasks::State state = tasks::State::running;  ///< running or cancelling
};
struct ProgressBody {
  std::optional<double> percent;
  std::optional<std::string> stage;
  std::optional<std::string> message;
};
struct CompletedBody {
  std::string result;  ///< CallToolResult, byte for byte
};
struct FailedBody {
  tasks::Failure failure;
};
struct CancelledBody {
  std::optional<std::string> reason;
};
using EventBody = std::variant<StatusBody, ProgressBody, RemoteQuestion, CompletedBody, FailedBody,
                               CancelledBody>;

/// Errors: malformed.
[[nodiscard]] Result<EventBody> read_event_body(tasks::EntryType type, std::string_view json);

/// The body's canonical text, to compare it with a repetition; "" if it is no I-JSON.
[[nodiscard]] std::string canonical_body(std::string_view json);

}  // namespace interline::protocols::xmpp

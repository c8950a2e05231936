// What an agent of another gateway is asked, what it answers, and what it tells of a task: the
// operations of the ProtoXEP XMPP Agent Gateway as a caller needs them, as values.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::xmpp {

/// Which manifest a call is pinned to.
struct Pins {
  std::string version;
  std::string hash;  ///< SHA-256 of the manifest's bytes, in Base64

  friend bool operator==(const Pins&, const Pins&) = default;
};

// --- asked --------------------------------------------------------------------------------------

/// "Endpoint Service Discovery Information".
struct AskEndpoint {};
/// "Manifest Retrieval", of that version.
struct AskManifest {
  std::string version;
};
/// "Task Invocation". The same values once more are the same invocation.
struct Invoke {
  std::string request;  ///< request-id
  std::string tool;
  Pins pins;
  std::string arguments;  ///< JSON text
  std::string deadline;   ///< XEP-0082, "" for none
};
/// "Task Recovery".
struct AskState {
  std::string task;
};
struct AskResult {
  std::string task;
};
struct ProvideInput {
  std::string task;
  std::string request;
  tasks::Revision expected = 0;
  std::string value;  ///< JSON text
};
struct CancelTask {
  std::string task;
  tasks::Revision expected = 0;
  std::optional<std::string> reason;
};
using AgentRequest =
    std::variant<AskEndpoint, AskManifest, Invoke, AskState, AskResult, ProvideInput, CancelTask>;

// --- answered -----------------------------------------------------------------------------------

struct EndpointInfo {
  Pins pins;  ///< of the active version
  std::string title;
  std::chrono::seconds replay{};  ///< how long an invocation is recognised again
  bool tasks = false;             ///< features, as all below
  bool manifests = false;
  bool progress = false;
  bool cancel = false;
  bool input = false;
};
/// The hash is that of the text.
struct ManifestText {
  Pins pins;
  std::string text;
};
struct Accepted {
  std::string request;
  std::string task;
};
/// The pending request for input.
struct RemoteQuestion {
  std::string request;
  std::string text;
  std::string schema;  ///< JSON text

  friend bool operator==(const RemoteQuestion&, const RemoteQuestion&) = default;
};
struct RemoteState {
  std::string task;
  tasks::State state = tasks::State::accepted;
  tasks::Revision revision = 0;
  bool result_available = false;
  std::string pending;  ///< JSON text of an input_required event's body, "" for none
};
struct RemoteResult {
  std::string task;
  tasks::State state = tasks::State::completed;
  tasks::Revision revision = 0;
  std::string body;  ///< JSON text of the terminal event's body
};
/// Of ProvideInput and CancelTask.
struct Taken {
  std::string task;
  tasks::Revision revision = 0;
};
using AgentAnswer =
    std::variant<EndpointInfo, ManifestText, Accepted, RemoteState, RemoteResult, Taken>;

/// Why there is no answer.
struct Fault {
  enum class Kind : std::uint8_t {
    refused,     ///< a stanza error, of `condition`: from the agent, or from a server on the way
    unanswered,  ///< nobody knows whether it arrived
    unsent,      ///< it did not leave this gateway: no connection, or too much waits
    too_large,   ///< nor will it: servers pass no such stanza on
    unreadable,  ///< an answer that is none
  };
  Kind kind = Kind::unanswered;
  std::string condition;  ///< RFC 6120 section 8.3.3; of `refused`

  explicit Fault(Kind what, std::string why = {}) : kind(what), condition(std::move(why)) {}
};
template <class T>
using Answered = std::expected<T, Fault>;

// --- told ---------------------------------------------------------------------------------------

/// A lifecycle event whose attributes are as the specification has them; its body was not read.
struct Event {
  std::string task;
  std::string id;
  tasks::Revision revision = 0;
  tasks::EntryType type = tasks::EntryType::status;
  std::string body;  ///< JSON text
};

}  // namespace interline::protocols::xmpp

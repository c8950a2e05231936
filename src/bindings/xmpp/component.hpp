// A component's connection to its XMPP server, for as long as the gateway runs: connecting,
// authenticating, reading and writing stanzas, keeping alive, coming back.
//
// The rules are ComponentFsm's; this carries bytes, waits, and tells whom it concerns.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "bindings/xmpp/component_fsm.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/send_queue.hpp"
#include "net/deadline.hpp"
#include "net/event.hpp"
#include "net/stream.hpp"

namespace interline::xmpp {

struct ComponentConfig {
  StreamConfig stream;
  SendQueueConfig queue;
  /// Bytes of a stanza that is sent, counted as OutgoingStanza::wire_size does.
  std::size_t stanza_out = OutgoingStanza::kMostBytes;
  /// For what is still to be written when a stream ends.
  std::chrono::milliseconds flush_timeout{2'000};
};

/// Why no connection came about, and what to do about it; "" where nobody knows.
struct ConnectError : Error {
  std::string remedy;

  ConnectError(Error error) : Error(std::move(error)) {}  // NOLINT: an Error without a remedy
  ConnectError(Error error, std::string_view mend) : Error(std::move(error)), remedy(mend) {}
};
using ConnectResult = std::expected<std::unique_ptr<net::Stream>, ConnectError>;

/// Opens one connection; see connector.hpp. Called again for every attempt.
using Connector = std::function<net::awaitable<ConnectResult>()>;

/// Called on the component's executor. They return soon and do not throw: work goes elsewhere.
struct ComponentHandlers {
  std::function<void(Stanza)> on_stanza;  ///< everything but answers to requests of ours
  std::function<void()> on_ready;         ///< authenticated: presence and unsent events may go
  std::function<void()> on_lost;          ///< after on_ready, when that stream is over
};

/// An IQ request of ours, open for its payload. Made by Component::request.
struct OutgoingRequest {
  OutgoingRequest(OutgoingStanza out, std::string request_id, Jid addressee)
      : stanza(std::move(out)), id(std::move(request_id)), to(std::move(addressee)) {}

  OutgoingStanza stanza;
  std::string id;
  Jid to;
  std::optional<std::chrono::milliseconds> timeout;  ///< of the answer; the configured one if none
};

/// All members are called on `executor` (a strand), run() included; it outlives run().
class Component {
 public:
  Component(net::Executor executor, OwnDomain domain, Secret secret, ComponentConfig config,
            Connector connector, ComponentHandlers handlers, const Clock& clock, Logger log,
            StreamRandom random = {});
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  /// Stays connected until stop() has ended the stream in good order.
  net::awaitable<void> run();
  void stop();

  [[nodiscard]] bool ready() const { return fsm_.ready(); }
  [[nodiscard]] const OwnDomain& domain() const { return fsm_.domain(); }

  /// Queues a finished stanza. Errors: resource_constraint, reason too_large beyond what servers
  /// accept, reason too_many where the queue is full; unavailable where there is no stream (a
  /// reply is then kept for the next one).
  Result<void> send(SendKind kind, OutgoingStanza stanza);
  /// Until the queue has room again: what can wait with sending waits here.
  net::awaitable<void> room();

  /// `type` is "get" or "set".
  [[nodiscard]] OutgoingRequest request(std::string_view type, const Sender& from, Jid to) const;
  /// The answer, a stanza of type result or error. Errors: those of send; unavailable, reason
  /// expired, without an answer in time; unavailable ("stream-lost: …") when the stream broke: then
  /// nobody knows whether the request arrived.
  net::awaitable<Result<Stanza>> send_request(OutgoingRequest request);

  /// For the next stream.
  void set_secret(Secret secret) { fsm_.set_secret(std::move(secret)); }

 private:
  struct Connection;
  struct Attempt;
  struct Waiter;

  void resume(const StreamHappening& happening);
  void perform(StreamTask& task);
  void do_task(todo::Connect&);
  void do_task(todo::Write& write);
  void do_task(todo::Ready&);
  void do_task(todo::Deliver& deliver);
  void do_task(todo::Answer& answer);
  void do_task(todo::Close&);
  void do_task(todo::Stopped&);
  void arm_deadline();
  Result<void> queue(SendKind kind, std::string bytes);
  void wake_writer();

  net::awaitable<void> connect();
  net::awaitable<void> serve(std::unique_ptr<net::Stream> stream);
  net::awaitable<void> read(std::shared_ptr<Connection> connection);
  net::awaitable<void> write(std::shared_ptr<Connection> connection);

  net::Executor executor_;
  ComponentConfig config_;
  Connector connector_;
  ComponentHandlers handlers_;
  const Clock& clock_;
  Logger log_;
  ComponentFsm fsm_;
  SendQueue queue_;
  net::Deadline deadline_;
  net::Event changed_;  // for run(): a connection is wanted, or it is time to go
  net::Event room_;     // the queue shrank, or the stream is over
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Attempt> attempt_;
  std::unordered_map<std::string, std::shared_ptr<Waiter>> waiters_;
  bool connect_wanted_ = false;
  bool announced_ = false;  // on_ready was called and on_lost was not
  bool stopped_ = false;
};

}  // namespace interline::xmpp

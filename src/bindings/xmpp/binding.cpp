#include "bindings/xmpp/binding.hpp"

#include <atomic>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "bindings/xmpp/agent_stanzas.hpp"
#include "bindings/xmpp/dispatch.hpp"
#include "bindings/xmpp/event_projection.hpp"
#include "bindings/xmpp/event_sender.hpp"
#include "bindings/xmpp/incoming_iq.hpp"
#include "bindings/xmpp/message_gate.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/presence_desk.hpp"
#include "engine/suspend.hpp"
#include "net/deadline.hpp"
#include "net/event.hpp"

namespace interline::xmpp {
namespace {

// Brief, section 2: requests in work, altogether and of one principal.
constexpr std::size_t kInWork = 4'096;
constexpr std::size_t kInWorkOfOne = 512;
// The resource that endpoints of ours call others from.
constexpr std::string_view kNode = "interline";

}  // namespace

/// A request of an endpoint of ours, on its way to the strand.
struct Binding::Outbound {
  using Answer = protocols::xmpp::Answered<protocols::xmpp::AgentAnswer>;

  std::string endpoint;
  Jid to;
  protocols::xmpp::AgentRequest request;
  std::move_only_function<void(Answer)> resume;
};

struct Binding::State : std::enable_shared_from_this<State> {
  State(const net::Executor& executor, engine::Engine& engine, OwnDomain domain, Secret secret,
        ComponentConfig component_config, BindingConfig a_config, Connector connector,
        const Clock& clock, Logger a_log)
      : strand(net::new_strand(executor)),
        config(std::move(a_config)),
        log(std::move(a_log)),
        own_domain(domain),
        component(strand, std::move(domain), std::move(secret), component_config,
                  std::move(connector), handlers(), clock, log),
        events(engine, component, log),
        fits(config.stanza_out),
        services{engine, own_domain, config, events, fits},
        messages(own_domain, events, clock, log),
        presence(PresenceDeskParts{strand, clock,
                                   [this](net::awaitable<void> work) { spawn(std::move(work)); },
                                   [this] { return ready.load(); }},
                 services, [this](OutgoingStanza out) { return send_own(std::move(out)); }),
        idle(strand) {}

  ComponentHandlers handlers() {
    ComponentHandlers made;
    made.on_stanza = [this](Stanza stanza) { take(std::move(stanza)); };
    made.on_ready = [this] {
      ready = true;
      ++sessions;
      presence.announce();
      send_events();
      if (ears.on_ready) ears.on_ready();
    };
    made.on_lost = [this] { ready = false; };
    return made;
  }

  /// Keeps this alive until the work has ended, which no peer can make throw.
  void spawn(net::awaitable<void> work) {
    boost::asio::co_spawn(strand, std::move(work),
                          [self = shared_from_this()](std::exception_ptr failure) {
                            if (failure)
                              self->log.error("work for the XMPP server ended with an exception");
                          });
  }

  void take(Stanza stanza);
  void take_iq(std::shared_ptr<const Stanza> stanza);
  void take_presence(std::shared_ptr<const Stanza> stanza);
  net::awaitable<void> serve(Call call);
  net::awaitable<OutgoingStanza> answered(Call call);

  net::awaitable<void> send_own(OutgoingStanza stanza);
  net::awaitable<void> ask(Outbound out);

  void send_events() {
    if (events.has_work()) spawn(events.send_waiting());
  }
  net::awaitable<void> run();
  net::awaitable<void> drain(std::chrono::milliseconds grace);

  const net::Executor strand;
  const BindingConfig config;
  const Logger log;
  const OwnDomain own_domain;
  Component component;
  EventSender events;
  const ManifestFits fits;
  Services services;
  MessageGate messages;
  PresenceDesk presence;
  AgentEars ears;

  // On the strand:
  std::unordered_map<std::string, std::size_t> in_work;  // by principal
  std::size_t in_work_total = 0;
  net::Event idle;

  std::atomic<bool> ready{false};
  std::atomic<std::uint64_t> sessions{0};
};

// --- requests -----------------------------------------------------------------------------------

void Binding::State::take(Stanza stanza) {
  auto kept = std::make_shared<const Stanza>(std::move(stanza));
  const std::string_view name = kept->root().name();
  if (name == element::kIq) {
    take_iq(std::move(kept));
  } else if (name == element::kMessage) {
    if (has_event(kept->root()) && ears.on_event && ears.on_event(*kept)) return;
    if (auto said = messages.take(*kept)) (void)component.send(SendKind::own, *std::move(said));
  } else if (name == element::kPresence && kept->complete()) {
    take_presence(std::move(kept));
  }
}

void Binding::State::take_iq(std::shared_ptr<const Stanza> stanza) {
  IqVerdict verdict = read_iq(*stanza, own_domain);
  if (const auto* dropped = std::get_if<DroppedStanza>(&verdict)) {
    log.debug("a stanza was dropped", {{"why", dropped->why}});
    return;
  }
  const auto refuse = [this](const ReplyRoute& route, const Error& error) {
    (void)component.send(SendKind::reply, OutgoingStanza::error(route, error));
  };
  if (const auto* refused = std::get_if<RefusedIq>(&verdict)) {
    refuse(refused->route, refused->error);
    return;
  }
  auto& request = std::get<IqRequest>(verdict);
  Principal who = principal_of(request.from);
  const auto mine = in_work.find(who.text());
  if (in_work_total >= kInWork || (mine != in_work.end() && mine->second >= kInWorkOfOne)) {
    refuse(request.route, Error(ErrorKind::resource_constraint, ErrorReason::too_many,
                                "too many requests are in work"));
    return;
  }
  ++in_work[who.text()];
  ++in_work_total;
  spawn(serve(Call(std::move(stanza), std::move(request), std::move(who))));
}

/// A broken environment (no memory, a store that throws) ends the request, not the binding.
net::awaitable<OutgoingStanza> Binding::State::answered(Call call) {
  const ReplyRoute route = call.request.route;
  std::string what;
  try {
    co_return co_await answer(services, std::move(call));
  } catch (const std::exception& failure) {
    what = failure.what();
  }
  log.error("a request ended with an exception", {{"error", what}});
  co_return OutgoingStanza::error(route, Error(ErrorKind::internal, "the request failed"));
}

net::awaitable<void> Binding::State::serve(Call call) {
  const std::string who = call.who.text();
  std::string invocation;
  if (call.payload().is(ns::kAgentTask, element::kInvoke)) {
    invocation = EventSender::invocation_key(
        who, call.endpoint(), call.payload().attribute(attribute::kRequestId).value_or(""));
    events.begin_invocation(invocation);
  }
  OutgoingStanza stanza = co_await answered(std::move(call));
  (void)component.send(SendKind::reply, std::move(stanza));
  if (!invocation.empty()) {
    events.end_invocation(invocation);
    send_events();
  }
  --in_work_total;
  const auto mine = in_work.find(who);
  if (--mine->second == 0) in_work.erase(mine);
  if (in_work_total == 0) idle.notify_all();
}

// --- presence -----------------------------------------------------------------------------------

void Binding::State::take_presence(std::shared_ptr<const Stanza> stanza) {
  const auto from = Jid::parse(stanza->root().attribute(attribute::kFrom).value_or(""));
  if (!from) return;
  if (stanza->root().attribute(attribute::kType) == "unavailable") {
    if (!from->is_bare()) events.lose_route(from->text());  // a hint that it is gone
    return;
  }
  presence.take(std::move(stanza));
}

net::awaitable<void> Binding::State::send_own(OutgoingStanza stanza) {
  co_await component.room();
  (void)component.send(SendKind::own, std::move(stanza));
}

// --- calls of ours ------------------------------------------------------------------------------

/// Only what a ready component refused is sure not to have left.
net::awaitable<void> Binding::State::ask(Outbound out) {
  using protocols::xmpp::Fault;
  const auto sender = own_domain.endpoint(out.endpoint, kNode);
  const bool sendable = sender && component.ready();
  if (!sendable) {
    out.resume(std::unexpected(Fault(Fault::Kind::unsent)));
    co_return;
  }
  OutgoingRequest request = component.request(iq_type(out.request), *sender, std::move(out.to));
  write_request(request.stanza.xml(), out.request);
  const Result<Stanza> answer = co_await component.send_request(std::move(request));
  if (answer) {
    out.resume(read_answer(out.request, *answer));
  } else if (answer.error().kind == ErrorKind::resource_constraint) {
    const bool large = answer.error().reason == ErrorReason::too_large;
    out.resume(std::unexpected(Fault(large ? Fault::Kind::too_large : Fault::Kind::unsent)));
  } else {
    out.resume(std::unexpected(Fault(Fault::Kind::unanswered)));
  }
}

// --- life ---------------------------------------------------------------------------------------

net::awaitable<void> Binding::State::run() {
  spawn(presence.watch(config.presence_interval));
  co_await component.run();
  presence.stop();
}

net::awaitable<void> Binding::State::drain(std::chrono::milliseconds grace) {
  bool over = grace <= std::chrono::milliseconds(0);
  net::Deadline limit(strand, [this, &over] {
    over = true;
    idle.notify_all();
    presence.wake();
  });
  limit.expires_after(std::max(grace, std::chrono::milliseconds(1)));
  while (in_work_total > 0 && !over) co_await idle.wait();
  if (ready) presence.say_goodbye();
  while (presence.busy() && !over) co_await presence.changed();
  limit.stop();
  component.stop();
}

Binding::Binding(const net::Executor& executor, engine::Engine& engine, OwnDomain domain,
                 Secret secret, ComponentConfig component, BindingConfig config,
                 Connector connector, const Clock& clock, Logger log)
    : state_(std::make_shared<State>(executor, engine, std::move(domain), std::move(secret),
                                     std::move(component), std::move(config), std::move(connector),
                                     clock, std::move(log))) {
  // What no stanza of ours can carry could never be recovered: brief, section 8.
  engine.on_result(std::string(kBinding), [most = state_->config.stanza_out](
                                              tasks::EntryType type, std::string_view body) {
    return fits_stanza(type == tasks::EntryType::completed, body, most);
  });
  engine.on_commit(
      std::string(kBinding),
      [weak = std::weak_ptr(state_)](const tasks::Task& task, const tasks::LogEntry& entry) {
        const auto state = weak.lock();
        if (!state || !entry.revision) return;  // this wire shows events alone
        boost::asio::post(state->strand, [state, task, entry] {
          state->events.committed(task, entry);
          state->send_events();
        });
      });
}

Binding::~Binding() = default;

net::awaitable<void> Binding::run() {
  const auto state = state_;
  co_await boost::asio::co_spawn(state->strand, state->run(), boost::asio::use_awaitable);
}

net::awaitable<void> Binding::drain(std::chrono::milliseconds grace) {
  const auto state = state_;
  co_await boost::asio::co_spawn(state->strand, state->drain(grace), boost::asio::use_awaitable);
}

bool Binding::ready() const {
  return state_->ready;
}

std::uint64_t Binding::sessions() const {
  return state_->sessions;
}

void Binding::set_secret(Secret secret) {
  boost::asio::post(state_->strand, [state = state_, secret = std::move(secret)]() mutable {
    state->component.set_secret(std::move(secret));
  });
}

net::awaitable<protocols::xmpp::Answered<protocols::xmpp::AgentAnswer>> Binding::ask(
    std::string endpoint, Jid to, protocols::xmpp::AgentRequest request) {
  auto out = std::make_shared<Outbound>(
      Outbound{std::move(endpoint), std::move(to), std::move(request), {}});
  auto start = [state = state_, out](std::move_only_function<void(Outbound::Answer)> resume) {
    out->resume = std::move(resume);
    boost::asio::post(state->strand, [state, out] { state->spawn(state->ask(std::move(*out))); });
  };
  co_return co_await engine::suspend<Outbound::Answer>(std::move(start));
}

void Binding::attend(AgentEars ears) {
  state_->ears = std::move(ears);
}

net::awaitable<void> Binding::refresh_presence() {
  const auto state = state_;
  auto work = [](std::shared_ptr<State> kept) -> net::awaitable<void> {
    kept->presence.look();
    while (kept->presence.busy()) co_await kept->presence.changed();
  };
  net::awaitable<void> started = work(state);
  co_await boost::asio::co_spawn(state->strand, std::move(started), boost::asio::use_awaitable);
}

}  // namespace interline::xmpp

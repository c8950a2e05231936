#include "bindings/xmpp/binding.hpp"

#include <atomic>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "base/id.hpp"
#include "bindings/xmpp/dispatch.hpp"
#include "bindings/xmpp/event_projection.hpp"
#include "bindings/xmpp/incoming_iq.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/presence.hpp"
#include "bindings/xmpp/routes.hpp"
#include "bindings/xmpp/stanza_error.hpp"
#include "net/event.hpp"

namespace interline::xmpp {
namespace {

// Brief, section 2: requests in work, altogether and of one principal.
constexpr std::size_t kInWork = 4'096;
constexpr std::size_t kInWorkOfOne = 512;
constexpr std::size_t kRoutesCached = 65'536;
constexpr std::size_t kRefusedBodies = 10'000;  // senders remembered
constexpr std::chrono::seconds kRefuseBodyEvery{10};

}  // namespace

struct Binding::State : std::enable_shared_from_this<State> {
  State(const net::Executor& an_executor, engine::Engine& an_engine, OwnDomain domain,
        Secret secret, ComponentConfig component_config, BindingConfig a_config,
        Connector connector, const Clock& a_clock, Logger a_log)
      : executor(an_executor),
        strand(net::new_strand(an_executor)),
        config(std::move(a_config)),
        clock(a_clock),
        log(std::move(a_log)),
        own_domain(domain),
        services{an_engine, own_domain, config},
        component(strand, std::move(domain), std::move(secret), component_config,
                  std::move(connector), handlers(), a_clock, log),
        routes(kRoutesCached),
        idle(strand) {}

  ComponentHandlers handlers() {
    ComponentHandlers made;
    made.on_stanza = [this](Stanza stanza) { take(std::move(stanza)); };
    made.on_ready = [this] {
      ready = true;
      spawn(announce(true));
    };
    made.on_lost = [this] { ready = false; };
    return made;
  }

  void spawn(net::awaitable<void> work) {
    boost::asio::co_spawn(strand, std::move(work), boost::asio::detached);
  }

  void take(Stanza stanza);
  void take_iq(std::shared_ptr<const Stanza> stanza);
  void take_message(const Stanza& stanza);
  net::awaitable<void> serve(Call call);
  net::awaitable<void> presence(std::shared_ptr<const Stanza> stanza);
  net::awaitable<void> announce(bool available);
  void committed(const tasks::Task& task, const tasks::LogEntry& entry);
  net::awaitable<void> send_event(tasks::Task task, tasks::LogEntry entry);
  net::awaitable<std::string> route_of(const tasks::Task& task);
  void bounced(const Stanza& stanza);

  const net::Executor executor;
  const net::Executor strand;
  const BindingConfig config;
  const Clock& clock;
  const Logger log;
  const OwnDomain own_domain;
  Services services;
  Component component;

  // On the strand:
  RouteCache routes;
  std::unordered_map<std::string, std::size_t> in_work;  // by principal
  std::size_t in_work_total = 0;
  std::unordered_map<std::string, SteadyTime> refused_bodies;
  bool draining = false;
  net::Event idle;

  std::atomic<bool> ready{false};
};

// --- what comes in ------------------------------------------------------------------------------

void Binding::State::take(Stanza stanza) {
  auto kept = std::make_shared<const Stanza>(std::move(stanza));
  const std::string_view name = kept->root().name();
  if (name == element::kIq) {
    take_iq(std::move(kept));
  } else if (name == element::kMessage) {
    take_message(*kept);
  } else if (name == element::kPresence && kept->complete()) {
    spawn(presence(std::move(kept)));
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
  std::size_t& mine = in_work[who.text()];
  if (in_work_total >= kInWork || mine >= kInWorkOfOne) {
    refuse(request.route, Error(ErrorKind::resource_constraint, ErrorReason::too_many,
                                "too many requests are in work"));
    return;
  }
  ++mine;
  ++in_work_total;
  spawn(serve(Call(std::move(stanza), std::move(request), std::move(who))));
}

net::awaitable<void> Binding::State::serve(Call call) {
  const auto self = shared_from_this();
  const std::string who = call.who.text();
  OutgoingStanza stanza = co_await answer(services, std::move(call));
  (void)component.send(SendKind::reply, std::move(stanza));
  --in_work_total;
  if (--in_work[who] == 0) in_work.erase(who);
  if (in_work_total == 0) idle.notify_all();
}

/// Messages carry no calls: an error of an event of ours is heeded, a text is refused now and then.
void Binding::State::take_message(const Stanza& stanza) {
  const Element root = stanza.root();
  const std::string_view type = root.attribute(attribute::kType).value_or("");
  if (type == "error") {
    bounced(stanza);
    return;
  }
  if (type == "groupchat" || type == "headline" || !stanza.complete()) return;
  if (root.child(ns::kAgentTask, element::kEvent)) return;  // the caller side's business
  bool has_body = false;
  for (const Element child : root.children()) {
    has_body = has_body || (child.name() == element::kBody && is_stanza_namespace(child.ns()));
  }
  if (!has_body) return;
  const std::string_view from_text = root.attribute(attribute::kFrom).value_or("");
  const auto from = Jid::parse(from_text);
  const auto to = Jid::parse(root.attribute(attribute::kTo).value_or(""));
  const auto sender = to ? own_domain.addressed(*to) : std::nullopt;
  if (!from || !sender) return;
  const SteadyTime now = clock.steady();
  if (refused_bodies.size() >= kRefusedBodies) refused_bodies.clear();
  SteadyTime& last = refused_bodies[std::string(from->bare())];
  if (last != SteadyTime() && now - last < kRefuseBodyEvery) return;
  last = now;
  const auto id = root.attribute(attribute::kId);
  const ReplyRoute route{*sender, std::string(from_text),
                         id ? std::optional<std::string>(*id) : std::nullopt};
  OutgoingStanza refusal = OutgoingStanza::message("error", *sender, route.to, id.value_or(""));
  write_error(refusal.xml(), Error(ErrorKind::unavailable, "no conversations here"));
  (void)component.send(SendKind::own, std::move(refusal));
}

void Binding::State::bounced(const Stanza& stanza) {
  // The id of a message of ours is an event's; its task is named inside where servers return it.
  const auto event = stanza.root().child(ns::kAgentTask, element::kEvent);
  const auto task = event ? event->attribute(attribute::kTaskId) : std::nullopt;
  const auto from = Jid::parse(stanza.root().attribute(attribute::kFrom).value_or(""));
  if (!task || !from || !is_foreign_id(*task)) return;
  const auto route = routes.find(std::string(*task));
  if (route && *route == from->text()) routes.put(std::string(*task), std::string(from->bare()));
}

net::awaitable<void> Binding::State::presence(std::shared_ptr<const Stanza> stanza) {
  const auto self = shared_from_this();
  SendOwn send = [this](OutgoingStanza out) {
    (void)component.send(SendKind::own, std::move(out));
  };
  co_await handle_presence(services, std::move(stanza), std::move(send));
}

net::awaitable<void> Binding::State::announce(bool available) {
  const auto self = shared_from_this();
  std::function<net::awaitable<void>(OutgoingStanza)> send =
      [this](OutgoingStanza out) -> net::awaitable<void> {
    co_await component.room();
    (void)component.send(SendKind::own, std::move(out));
  };
  co_await announce_all(services, std::move(send), available);
}

// --- what goes out ------------------------------------------------------------------------------

void Binding::State::committed(const tasks::Task& task, const tasks::LogEntry& entry) {
  if (!entry.revision) return;  // this wire shows events alone
  boost::asio::post(strand, [self = shared_from_this(), task, entry] {
    self->spawn(self->send_event(task, entry));
  });
}

net::awaitable<std::string> Binding::State::route_of(const tasks::Task& task) {
  if (const auto cached = routes.find(task.id())) co_return *cached;
  engine::RecordKey key;
  key.binding = kBinding;
  key.kind = kRouteKind;
  key.key = task.id();
  const auto record = co_await services.engine.record(std::move(key));
  std::string route;
  if (record && *record) {
    route = (*record)->bytes;
  } else {
    route = std::string(Principal(task.admission->owner).name());
  }
  routes.put(task.id(), route);
  co_return route;
}

net::awaitable<void> Binding::State::send_event(tasks::Task task, tasks::LogEntry entry) {
  const auto self = shared_from_this();
  const std::string route = co_await route_of(task);
  const auto sender = own_domain.endpoint(task.admission->endpoint);
  if (!sender) co_return;
  OutgoingStanza stanza = OutgoingStanza::message("normal", *sender, route, entry.event_id);
  XmlWriter& w = stanza.xml();
  w.begin(element::kEvent, ns::kAgentTask);
  w.attribute(attribute::kTaskId, task.id());
  w.attribute(attribute::kEventId, entry.event_id);
  w.attribute(attribute::kRevision, std::to_string(*entry.revision));
  w.attribute(attribute::kType, tasks::to_string(entry.type));
  w.text(project_body(entry.type == tasks::EntryType::completed, entry.body));
  w.end();
  if (tasks::is_terminal(entry.state)) routes.forget(task.id());
  // Best effort by the specification: what is not delivered is found by asking for the state.
  (void)component.send(SendKind::event, std::move(stanza));
}

// --- the binding --------------------------------------------------------------------------------

Binding::Binding(const net::Executor& executor, engine::Engine& engine, OwnDomain domain,
                 Secret secret, ComponentConfig component, BindingConfig config,
                 Connector connector, const Clock& clock, Logger log)
    : state_(std::make_shared<State>(executor, engine, std::move(domain), std::move(secret),
                                     std::move(component), std::move(config), std::move(connector),
                                     clock, std::move(log))) {
  engine.on_commit(
      std::string(kBinding),
      [weak = std::weak_ptr(state_)](const tasks::Task& task, const tasks::LogEntry& entry) {
        if (const auto state = weak.lock()) state->committed(task, entry);
      });
}

Binding::~Binding() = default;

net::awaitable<void> Binding::run() {
  const auto state = state_;
  co_await boost::asio::co_spawn(state->strand, state->component.run(), boost::asio::use_awaitable);
}

net::awaitable<void> Binding::drain(std::chrono::milliseconds grace) {
  const auto state = state_;
  auto work = [state, grace]() -> net::awaitable<void> {
    state->draining = true;
    boost::asio::steady_timer limit(state->strand, grace);
    bool over = false;
    limit.async_wait([state, &over](const boost::system::error_code& error) {
      if (error) return;
      over = true;
      state->idle.notify_all();
    });
    while (state->in_work_total > 0 && !over) co_await state->idle.wait();
    if (!over) limit.cancel();
    if (state->ready) co_await state->announce(false);
    state->component.stop();
  };
  co_await boost::asio::co_spawn(state->strand, work(), boost::asio::use_awaitable);
}

bool Binding::ready() const {
  return state_->ready;
}

void Binding::set_secret(Secret secret) {
  boost::asio::post(state_->strand, [state = state_, secret = std::move(secret)]() mutable {
    state->component.set_secret(std::move(secret));
  });
}

}  // namespace interline::xmpp

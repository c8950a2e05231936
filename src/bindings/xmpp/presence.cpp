#include "bindings/xmpp/presence.hpp"

#include <array>
#include <utility>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/routes.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kSubscriptionKind = "subscription";
constexpr std::size_t kSubscriptionsAtOnce = 500;
constexpr std::string_view kUnavailable = "unavailable";

/// Key of a subscription: endpoint, line feed, subscriber. Neither can have a line feed.
std::string subscription_key(std::string_view endpoint, std::string_view subscriber) {
  return std::string(endpoint).append("\n").append(subscriber);
}

engine::RecordChange subscription(std::string_view endpoint, const Jid& subscriber, bool drop) {
  engine::RecordChange change;
  change.record.binding = kBinding;
  change.record.kind = kSubscriptionKind;
  change.record.key = subscription_key(endpoint, subscriber.bare());
  change.record.owner = principal_of(subscriber).text();
  change.drop = drop;
  return change;
}

struct Presence {
  Jid from;
  Jid to;
  std::string type;
};

std::optional<Presence> read_presence(const Services& services, const Stanza& stanza) {
  const Element root = stanza.root();
  auto from = Jid::parse(root.attribute(attribute::kFrom).value_or(""));
  auto to = Jid::parse(root.attribute(attribute::kTo).value_or(""));
  if (!from || !to || !services.domain.addressed(*to) || !to->is_bare()) return std::nullopt;
  return Presence{*std::move(from), *std::move(to),
                  std::string(root.attribute(attribute::kType).value_or(""))};
}

/// What the subscriber may know of the endpoint: nothing if it is hidden, absent or inactive.
awaitable<std::optional<bool>> availability(Services& services, Principal who,
                                            std::string endpoint) {
  if (endpoint.empty()) {  // the gateway itself: to all but strangers
    const auto policy = services.engine.policy();
    if (policy->is_local(who) || policy->is_known(who)) co_return true;
    co_return std::nullopt;
  }
  auto view = co_await services.engine.describe(std::move(who), std::move(endpoint), std::string());
  if (!view) co_return std::nullopt;
  co_return view->available;
}

OutgoingStanza presence_to(const Services& services, const Jid& from, std::string_view type,
                           std::string_view to) {
  return OutgoingStanza::presence(type, *services.domain.addressed(from), to);
}

}  // namespace

awaitable<void> handle_presence(Services& services, std::shared_ptr<const Stanza> stanza,
                                SendOwn send) {
  const auto presence = read_presence(services, *stanza);
  if (!presence) co_return;
  const Principal who = principal_of(presence->from);
  if (auto charged = services.engine.charge(who, policy::RateClass::presence); !charged) co_return;
  const std::string endpoint(presence->to.localpart());
  const std::string subscriber(presence->from.bare());
  const auto reply = [&services, &presence, &send](std::string_view type, std::string_view to) {
    send(presence_to(services, presence->to, type, to));
  };
  if (presence->type == "subscribe") {
    const auto available = co_await availability(services, who, endpoint);
    if (!available) {
      reply("unsubscribed", subscriber);
      co_return;
    }
    std::vector<engine::RecordChange> changes;
    changes.push_back(subscription(endpoint, presence->from, false));
    const auto kept = co_await services.engine.change_records(std::move(changes));
    if (!kept) {
      reply("unsubscribed", subscriber);
      co_return;
    }
    reply("subscribed", subscriber);
    reply(*available ? std::string_view() : kUnavailable, subscriber);
  } else if (presence->type == "probe") {
    engine::RecordKey key;
    key.binding = kBinding;
    key.kind = kSubscriptionKind;
    key.key = subscription_key(endpoint, subscriber);
    const auto kept = co_await services.engine.record(std::move(key));
    const auto available = co_await availability(services, who, endpoint);
    if (!kept || !*kept || !available) {
      reply("unsubscribed", subscriber);
    } else {
      reply(*available ? std::string_view() : kUnavailable, subscriber);
    }
  } else if (presence->type == "unsubscribe" || presence->type == "error") {
    std::vector<engine::RecordChange> changes;
    changes.push_back(subscription(endpoint, presence->from, true));
    const auto dropped = co_await services.engine.change_records(std::move(changes));
    if (dropped && presence->type == "unsubscribe") reply(kUnavailable, subscriber);
  }
}

awaitable<void> announce_all(Services& services,
                             std::function<awaitable<void>(OutgoingStanza)> send, bool available) {
  std::string after;
  for (;;) {
    auto records = co_await services.engine.records(
        std::string(kBinding), std::string(kSubscriptionKind), after, kSubscriptionsAtOnce);
    if (!records || records->empty()) co_return;
    after = records->back().key;
    for (const engine::Record& record : *records) {
      const auto split = record.key.find('\n');
      const std::string endpoint = record.key.substr(0, split);
      const std::string subscriber = record.key.substr(split + 1);
      const auto now = co_await availability(services, Principal(record.owner), endpoint);
      if (!now) continue;
      auto sender = endpoint.empty() ? Result<Sender>(services.domain.gateway())
                                     : services.domain.endpoint(endpoint);
      if (!sender) continue;
      OutgoingStanza stanza = OutgoingStanza::presence(
          available && *now ? std::string_view() : kUnavailable, *sender, subscriber);
      co_await send(std::move(stanza));
    }
  }
}

}  // namespace interline::xmpp

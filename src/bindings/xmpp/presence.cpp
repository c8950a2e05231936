#include "bindings/xmpp/presence.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/routes.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kSubscriptionKind = "subscription";
constexpr std::size_t kSubscriptionsAtOnce = 500;

// RFC 6121 section 4.7.1; available presence has no type.
namespace type {
constexpr std::string_view kAvailable = "";
constexpr std::string_view kUnavailable = "unavailable";
constexpr std::string_view kSubscribe = "subscribe";
constexpr std::string_view kSubscribed = "subscribed";
constexpr std::string_view kUnsubscribe = "unsubscribe";
constexpr std::string_view kUnsubscribed = "unsubscribed";
constexpr std::string_view kProbe = "probe";
constexpr std::string_view kError = "error";
}  // namespace type

constexpr std::string_view word(bool available) {
  return available ? type::kAvailable : type::kUnavailable;
}

/// Key of a subscription: endpoint, line feed, subscriber. Neither can have a line feed.
std::string subscription_key(std::string_view endpoint, std::string_view subscriber) {
  return std::string(endpoint).append("\n").append(subscriber);
}

engine::RecordKey record_key(std::string key) {
  engine::RecordKey made;
  made.binding = kBinding;
  made.kind = kSubscriptionKind;
  made.key = std::move(key);
  return made;
}

}  // namespace

PresenceBook::PresenceBook(Services& services, Send send, PresenceLimits limits)
    : services_(services),
      send_(std::move(send)),
      limits_(limits),
      policy_(services.engine.policy()) {}

// --- decisions ----------------------------------------------------------------------------------

bool PresenceBook::may_see(const Principal& who, std::string_view endpoint) const {
  const auto policy = services_.engine.policy();
  if (!endpoint.empty()) return policy->visible(who, endpoint);
  return policy->is_local(who) || policy->is_known(who);  // the gateway: to all but strangers
}

awaitable<std::optional<bool>> PresenceBook::availability(Principal who, std::string endpoint) {
  if (endpoint.empty()) {
    if (may_see(who, endpoint)) co_return true;
    co_return std::nullopt;
  }
  const auto view =
      co_await services_.engine.describe(std::move(who), std::move(endpoint), std::string());
  if (!view) co_return std::nullopt;
  co_return view->available;
}

bool PresenceBook::is_full(std::string_view endpoint, const std::string& owner) const {
  const auto subscribers = of_endpoint_.find(endpoint);
  const auto own = of_owner_.find(owner);
  return (subscribers != of_endpoint_.end() && subscribers->second >= limits_.of_endpoint) ||
         (own != of_owner_.end() && own->second >= limits_.of_one);
}

awaitable<bool> PresenceBook::is_subscribed(std::string endpoint, std::string subscriber) {
  engine::RecordKey key = record_key(subscription_key(endpoint, subscriber));
  const auto kept = co_await services_.engine.record(std::move(key));
  co_return kept && kept->has_value();
}

awaitable<bool> PresenceBook::change(Subscription subscription, bool drop) {
  std::vector<engine::RecordChange> changes(1);
  engine::Record& record = changes.front().record;
  record.binding = kBinding;
  record.kind = kSubscriptionKind;
  record.key = subscription_key(subscription.endpoint, subscription.subscriber);
  record.owner = subscription.owner;
  changes.front().drop = drop;
  const auto done = co_await services_.engine.change_records(std::move(changes));
  if (!done) co_return false;
  std::size_t& of_endpoint = of_endpoint_[subscription.endpoint];
  std::size_t& of_owner = of_owner_[subscription.owner];
  if (!drop) {
    ++of_endpoint;
    ++of_owner;
    co_return true;
  }
  if (of_endpoint <= 1) {
    of_endpoint_.erase(subscription.endpoint);
    told_.erase(subscription.endpoint);
  } else {
    --of_endpoint;
  }
  if (of_owner <= 1) {
    of_owner_.erase(subscription.owner);
  } else {
    --of_owner;
  }
  co_return true;
}

awaitable<void> PresenceBook::send(std::string endpoint, std::string_view kind, std::string to) {
  auto sender = endpoint.empty() ? Result<Sender>(services_.domain.gateway())
                                 : services_.domain.endpoint(endpoint);
  if (!sender) co_return;
  OutgoingStanza stanza = OutgoingStanza::presence(kind, *sender, to);
  co_await send_(std::move(stanza));
}

// --- what comes in ------------------------------------------------------------------------------

std::optional<PresenceBook::Request> PresenceBook::read(const Stanza& stanza) const {
  const Element root = stanza.root();
  const std::string_view from_text = root.attribute(attribute::kFrom).value_or("");
  auto from = Jid::parse(from_text);
  auto to = Jid::parse(root.attribute(attribute::kTo).value_or(""));
  if (!from || !to || !services_.domain.addressed(*to) || !to->is_bare()) return std::nullopt;
  return Request{*std::move(from), *std::move(to),
                 std::string(root.attribute(attribute::kType).value_or("")),
                 std::string(from_text)};
}

awaitable<void> PresenceBook::handle(std::shared_ptr<const Stanza> stanza) {
  auto request = read(*stanza);
  if (!request) co_return;
  const std::string kind = request->type;
  const bool known = kind == type::kSubscribe || kind == type::kProbe ||
                     kind == type::kUnsubscribe || kind == type::kError;
  if (!known) co_return;
  const auto charged =
      services_.engine.charge(principal_of(request->from), policy::RateClass::presence);
  if (!charged) co_return;
  if (kind == type::kSubscribe) {
    co_await subscribe(*std::move(request));
  } else if (kind == type::kProbe) {
    co_await probe(*std::move(request));
  } else {
    co_await unsubscribe(*std::move(request), kind == type::kUnsubscribe);
  }
}

awaitable<void> PresenceBook::subscribe(Request request) {
  const Principal who = principal_of(request.from);
  const auto available = co_await availability(who, request.endpoint());
  const bool kept = co_await is_subscribed(request.endpoint(), request.subscriber());
  bool taken = available.has_value();
  if (taken && !kept) {
    taken = !is_full(request.endpoint(), who.text());
    Subscription subscription{request.endpoint(), request.subscriber(), who.text()};
    if (taken) taken = co_await change(std::move(subscription), false);
  }
  if (!taken) {
    co_await send(request.endpoint(), type::kUnsubscribed, request.subscriber());
    co_return;
  }
  // What the others were told stays noted: look() finds out that they are to hear otherwise.
  told_.try_emplace(request.endpoint(), Told{*available, who});
  co_await send(request.endpoint(), type::kSubscribed, request.subscriber());
  co_await send(request.endpoint(), word(*available), request.subscriber());
}

awaitable<void> PresenceBook::probe(Request request) {
  const Principal who = principal_of(request.from);
  const bool kept = co_await is_subscribed(request.endpoint(), request.subscriber());
  const auto available = co_await availability(who, request.endpoint());
  if (!kept || !may_see(who, request.endpoint())) {
    co_await send(request.endpoint(), type::kUnsubscribed, request.subscriber());
    co_return;
  }
  co_await send(request.endpoint(), word(available.value_or(false)), request.reply_to);
}

awaitable<void> PresenceBook::unsubscribe(Request request, bool answer) {
  const bool kept = co_await is_subscribed(request.endpoint(), request.subscriber());
  Subscription subscription{request.endpoint(), request.subscriber(),
                            principal_of(request.from).text()};
  const bool done = !kept || co_await change(std::move(subscription), true);
  if (done && answer) {
    co_await send(request.endpoint(), type::kUnavailable, request.subscriber());
  }
}

// --- what goes out ------------------------------------------------------------------------------

PresenceBook::Subscription PresenceBook::subscription_of(const engine::Record& record) {
  const auto split = record.key.find('\n');
  return {record.key.substr(0, split), record.key.substr(split + 1), record.owner};
}

void PresenceBook::begin_round(Round::Kind kind, std::optional<std::string> endpoint) {
  const auto same = [&](const Round& round) {
    return round.kind == kind && round.endpoint == endpoint;
  };
  const auto under_way = std::ranges::find_if(rounds_, same);
  if (under_way != rounds_.end()) {
    under_way->again = true;  // however often things change, it is one round after the other
  } else {
    rounds_.emplace_back(kind, std::move(endpoint));
  }
}

awaitable<std::optional<PresenceBook::Subscription>> PresenceBook::next_of(Round& round) {
  const std::string prefix = round.endpoint ? subscription_key(*round.endpoint, "") : std::string();
  if (round.next.empty()) {
    const std::string after = round.after.empty() ? prefix : round.after;
    const auto records = co_await services_.engine.records(
        std::string(kBinding), std::string(kSubscriptionKind), after, kSubscriptionsAtOnce);
    if (!records) co_return std::nullopt;
    for (const engine::Record& record : *records) {
      if (!record.key.starts_with(prefix)) break;
      round.next.push_back(subscription_of(record));
      round.after = record.key;
    }
  }
  if (round.next.empty()) co_return std::nullopt;
  Subscription next = std::move(round.next.front());
  round.next.pop_front();
  co_return next;
}

awaitable<std::size_t> PresenceBook::step() {
  Round& round = rounds_.front();
  const Round::Kind kind = round.kind;
  auto next = co_await next_of(round);
  if (!next) {
    const bool again = round.again;
    std::optional<std::string> endpoint = std::move(round.endpoint);
    rounds_.pop_front();
    if (again) rounds_.emplace_back(kind, std::move(endpoint));
    co_return 0;
  }
  if (kind == Round::Kind::inspect) co_return co_await inspect(*std::move(next));
  co_return co_await tell(*std::move(next));
}

awaitable<std::size_t> PresenceBook::tell(Subscription subscription) {
  if (!co_await is_subscribed(subscription.endpoint, subscription.subscriber)) co_return 0;
  const Principal who(subscription.owner);
  if (!may_see(who, subscription.endpoint)) co_return co_await inspect(std::move(subscription));
  const auto found = co_await availability(who, subscription.endpoint);
  const bool available = found.value_or(false);
  told_.try_emplace(subscription.endpoint, Told{available, who});
  co_await send(subscription.endpoint, word(available), subscription.subscriber);
  co_return 1;
}

/// Whether the subscriber may go on seeing; else it is taken leave of.
awaitable<std::size_t> PresenceBook::inspect(Subscription subscription) {
  const Principal who(subscription.owner);
  if (may_see(who, subscription.endpoint)) {
    const auto told = told_.find(subscription.endpoint);
    if (told != told_.end() && !may_see(told->second.witness, subscription.endpoint)) {
      told->second.witness = who;
    }
    co_return 0;
  }
  if (!co_await is_subscribed(subscription.endpoint, subscription.subscriber)) co_return 0;
  co_await take_leave(std::move(subscription));
  co_return 2;
}

awaitable<void> PresenceBook::take_leave(Subscription subscription) {
  Subscription dropped = subscription;
  if (!co_await change(std::move(dropped), true)) co_return;
  co_await send(subscription.endpoint, type::kUnsubscribed, subscription.subscriber);
  co_await send(subscription.endpoint, type::kUnavailable, subscription.subscriber);
}

awaitable<void> PresenceBook::for_each(EachSubscription visit) {
  Round all(Round::Kind::tell, std::nullopt);
  while (auto next = co_await next_of(all)) co_await visit(*std::move(next));
}

awaitable<void> PresenceBook::announce() {
  if (!std::exchange(counted_, true)) {
    EachSubscription count = [this](Subscription each) -> awaitable<void> {
      ++of_endpoint_[each.endpoint];
      ++of_owner_[each.owner];
      co_return;
    };
    co_await for_each(std::move(count));
  }
  rounds_.clear();
  told_.clear();
  policy_ = services_.engine.policy();  // the round takes leave where that wants it
  rounds_.emplace_back(Round::Kind::tell, std::nullopt);
}

awaitable<void> PresenceBook::look() {
  const auto policy = services_.engine.policy();
  if (std::exchange(policy_, policy) != policy) {
    begin_round(Round::Kind::inspect, std::nullopt);
  }
  std::vector<std::string> endpoints;
  for (const auto& [endpoint, told] : told_) endpoints.push_back(endpoint);
  for (std::string& endpoint : endpoints) {
    const auto told = told_.find(endpoint);
    // A witness who may not look any more has seen nothing: the round over all finds another.
    if (told == told_.end() || !may_see(told->second.witness, endpoint)) continue;
    const auto found = co_await availability(told->second.witness, endpoint);
    const bool now = found.value_or(false);
    if (std::exchange(told->second.available, now) == now) continue;
    begin_round(Round::Kind::tell, std::move(endpoint));
  }
}

awaitable<void> PresenceBook::say_goodbye() {
  rounds_.clear();
  told_.clear();
  EachSubscription visit = [this](Subscription each) -> awaitable<void> {
    if (may_see(Principal(each.owner), each.endpoint)) {
      co_await send(each.endpoint, type::kUnavailable, each.subscriber);
    } else {
      co_await take_leave(std::move(each));
    }
  };
  co_await for_each(std::move(visit));
}

}  // namespace interline::xmpp

// Presence of endpoints: subscriptions, probes, and the word when availability changes. Brief 3.5.
// Presence is runtime availability and nothing else; no right follows from it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bindings/xmpp/call.hpp"

namespace interline::xmpp {

struct PresenceLimits {
  std::size_t of_one = 1'000;         ///< subscriptions of a principal
  std::size_t of_endpoint = 100'000;  ///< subscribers of an endpoint
};

/// Who is told how an endpoint is. Subscriptions are records; here are only their numbers and what
/// was said last. All members are called on the component's strand, one at a time.
class PresenceBook {
 public:
  /// Sends a stanza of our own, waiting for room.
  using Send = std::function<awaitable<void>(OutgoingStanza)>;

  PresenceBook(Services& services, Send send, PresenceLimits limits = {});

  /// Takes one presence stanza and sends what is due.
  [[nodiscard]] awaitable<void> handle(std::shared_ptr<const Stanza> stanza);
  /// Tells every subscriber how things are, or that all is over; after a connect and before the
  /// end. Takes leave of those who may not see the endpoint any more.
  [[nodiscard]] awaitable<void> announce(bool available);
  /// Tells the subscribers of those endpoints whose availability changed, and takes leave where a
  /// new policy wants it.
  [[nodiscard]] awaitable<void> refresh();

 private:
  struct Request {
    Jid from;
    Jid to;
    std::string type;
    std::string reply_to;  ///< the sender as written

    [[nodiscard]] std::string endpoint() const { return std::string(to.localpart()); }
    [[nodiscard]] std::string subscriber() const { return std::string(from.bare()); }
  };
  struct Subscription {
    std::string endpoint;
    std::string subscriber;
    std::string owner;
  };
  struct Told {
    bool available;
    Principal witness;  ///< a subscriber, through whose eyes the endpoint is looked at
  };
  using EachSubscription = std::function<awaitable<void>(Subscription)>;

  [[nodiscard]] std::optional<Request> read(const Stanza& stanza) const;
  [[nodiscard]] awaitable<void> subscribe(Request request);
  [[nodiscard]] awaitable<void> probe(Request request);
  [[nodiscard]] awaitable<void> unsubscribe(Request request, bool answer);

  /// Those of one endpoint, or of all.
  [[nodiscard]] awaitable<void> for_each(std::optional<std::string> endpoint,
                                         EachSubscription visit);
  [[nodiscard]] awaitable<void> tell(Subscription subscription, bool available);
  [[nodiscard]] awaitable<void> take_leave(Subscription subscription);
  [[nodiscard]] awaitable<bool> is_subscribed(std::string endpoint, std::string subscriber);
  [[nodiscard]] awaitable<bool> change(Subscription subscription, bool drop);
  [[nodiscard]] bool may_see(const Principal& who, std::string_view endpoint) const;
  [[nodiscard]] bool is_full(std::string_view endpoint, const std::string& owner) const;
  /// Whether it takes work now; nothing where it is absent, inactive or hidden from them.
  [[nodiscard]] awaitable<std::optional<bool>> availability(Principal who, std::string endpoint);
  [[nodiscard]] awaitable<void> send(std::string endpoint, std::string_view type, std::string to);

  Services& services_;
  const Send send_;
  const PresenceLimits limits_;
  std::shared_ptr<const policy::Policy> policy_;
  std::map<std::string, Told, std::less<>> told_;  // endpoints with subscribers
  std::map<std::string, std::size_t, std::less<>> of_endpoint_;
  std::unordered_map<std::string, std::size_t> of_owner_;
  bool counted_ = false;
};

}  // namespace interline::xmpp

// Presence of endpoints: subscriptions, probes, and the word when availability changes. Brief 3.5.
// Presence is runtime availability and nothing else; no right follows from it.
//
// Whoever asks is answered at once. Whoever is to be told, of a connect or of a change, is told in
// rounds over the subscriptions, a step at a time: presence_desk.hpp says when. A step looks at how
// things are when its turn has come, so a round that lasts tells nobody what was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

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
  /// After a connect: begins a round over all, in place of those under way.
  [[nodiscard]] awaitable<void> announce();
  /// Begins a round for each endpoint whose availability changed, and one that takes leave where a
  /// new policy wants it.
  [[nodiscard]] awaitable<void> look();
  [[nodiscard]] bool has_rounds() const { return !rounds_.empty(); }
  /// Goes on with the first round by one subscription; says how many stanzas that sent.
  [[nodiscard]] awaitable<std::size_t> step();
  /// Before the end: tells every subscriber that all is over. Rounds under way end.
  [[nodiscard]] awaitable<void> say_goodbye();

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
  struct Round {
    enum class Kind : std::uint8_t { tell, inspect };

    Round(Kind a_kind, std::optional<std::string> of) : kind(a_kind), endpoint(std::move(of)) {}

    Kind kind;
    std::optional<std::string> endpoint;  ///< its subscribers; nothing: all there are
    std::string after;                    ///< key of the last one read
    std::deque<Subscription> next;
    bool again = false;  ///< things changed since it began
  };

  [[nodiscard]] std::optional<Request> read(const Stanza& stanza) const;
  [[nodiscard]] awaitable<void> subscribe(Request request);
  [[nodiscard]] awaitable<void> probe(Request request);
  [[nodiscard]] awaitable<void> unsubscribe(Request request, bool answer);

  [[nodiscard]] static Subscription subscription_of(const engine::Record& record);
  void begin_round(Round::Kind kind, std::optional<std::string> endpoint);
  /// The round's next subscription, if it still stands; nothing at its end.
  [[nodiscard]] awaitable<std::optional<Subscription>> next_of(Round& round);
  [[nodiscard]] awaitable<void> for_each(EachSubscription visit);
  [[nodiscard]] awaitable<std::size_t> tell(Subscription subscription);
  [[nodiscard]] awaitable<std::size_t> inspect(Subscription subscription);
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
  std::deque<Round> rounds_;
  std::map<std::string, Told, std::less<>> told_;  // endpoints with subscribers
  std::map<std::string, std::size_t, std::less<>> of_endpoint_;
  std::unordered_map<std::string, std::size_t> of_owner_;
  bool counted_ = false;
};

}  // namespace interline::xmpp

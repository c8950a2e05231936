// The order of all that concerns presence: what peers say comes first and is answered at once; in
// between, the rounds that tell subscribers how endpoints are, at a pace that a server bears.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

#include <boost/asio/steady_timer.hpp>

#include "base/clock.hpp"
#include "bindings/xmpp/pace.hpp"
#include "bindings/xmpp/presence.hpp"
#include "net/asio.hpp"
#include "net/event.hpp"

namespace interline::xmpp {

/// What the desk does with the book that it keeps.
struct PresenceDeskParts {
  net::Executor strand;
  const Clock& clock;
  /// Runs work on the strand and keeps everything here alive until it has ended.
  std::function<void(awaitable<void>)> spawn;
  std::function<bool()> connected;
};

/// One piece of work at a time, as the book wants it. All members are called on the strand.
class PresenceDesk {
 public:
  PresenceDesk(PresenceDeskParts parts, Services& services, PresenceBook::Send send);

  /// A presence stanza of a peer. Beyond 10,000 that wait, it is dropped.
  void take(std::shared_ptr<const Stanza> stanza);
  /// After each connect: everybody is to be told.
  void announce();
  /// Looks for what changed now, and tells whom it concerns.
  void look();
  /// Everybody is told that all is over, as fast as the stream takes it: nothing is told after it.
  void say_goodbye();

  /// Looks for changes at every interval, until stop().
  [[nodiscard]] awaitable<void> watch(std::chrono::milliseconds interval);
  void stop();

  /// Whether pieces wait or are being done. Rounds under way are no such piece.
  [[nodiscard]] bool busy() const { return !stopped_ && (doing_ || !pieces_.empty()); }
  /// Until not busy(), or until wake().
  [[nodiscard]] awaitable<void> changed() { co_await changed_.wait(); }
  void wake() { changed_.notify_all(); }

 private:
  using Piece = std::function<awaitable<void>()>;

  void add(Piece piece);
  [[nodiscard]] awaitable<void> work();
  [[nodiscard]] awaitable<void> do_first_piece();
  [[nodiscard]] awaitable<void> go_on_with_rounds();

  const PresenceDeskParts parts_;
  PresenceBook book_;
  Pace pace_;
  std::deque<Piece> pieces_;
  net::Event changed_;
  boost::asio::steady_timer next_step_;
  boost::asio::steady_timer next_look_;
  bool working_ = false;  // work() runs
  bool doing_ = false;    // a piece is being done
  bool looking_ = false;  // a look waits
  bool stopped_ = false;
};

}  // namespace interline::xmpp

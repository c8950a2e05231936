#include "bindings/xmpp/presence_desk.hpp"

#include <utility>

#include <boost/asio/post.hpp>

namespace interline::xmpp {
namespace {

constexpr std::size_t kMostPieces = 10'000;
// Brief, section 3.5: on change, paced 100/s.
constexpr std::size_t kStanzasASecond = 100;
constexpr std::size_t kStanzasAtOnce = 10;

/// True while this lives.
struct Raised {
  explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
};

}  // namespace

PresenceDesk::PresenceDesk(PresenceDeskParts parts, Services& services, PresenceBook::Send send)
    : parts_(std::move(parts)),
      book_(services, std::move(send)),
      pace_(kStanzasASecond, kStanzasAtOnce),
      changed_(parts_.strand),
      next_step_(parts_.strand),
      next_look_(parts_.strand) {}

void PresenceDesk::add(Piece piece) {
  pieces_.push_back(std::move(piece));
  if (working_) {
    next_step_.cancel();  // a round gives way
  } else {
    working_ = true;
    parts_.spawn(work());
  }
}

void PresenceDesk::take(std::shared_ptr<const Stanza> stanza) {
  if (pieces_.size() >= kMostPieces) return;
  add([this, kept = std::move(stanza)] { return book_.handle(kept); });
}

void PresenceDesk::announce() {
  add([this] { return book_.announce(); });
}

void PresenceDesk::look() {
  if (std::exchange(looking_, true)) return;
  add([this] {
    looking_ = false;
    return book_.look();
  });
}

void PresenceDesk::say_goodbye() {
  add([this] { return book_.say_goodbye(); });
}

awaitable<void> PresenceDesk::watch(std::chrono::milliseconds interval) {
  while (!stopped_) {
    next_look_.expires_after(interval);
    co_await next_look_.async_wait(net::use_tuple);
    if (!stopped_ && parts_.connected()) look();
  }
}

void PresenceDesk::stop() {
  stopped_ = true;
  next_look_.cancel();
  next_step_.cancel();
  changed_.notify_all();
}

awaitable<void> PresenceDesk::work() {
  const Raised working(working_);
  while (!stopped_) {
    if (!pieces_.empty()) {
      co_await do_first_piece();
    } else if (book_.has_rounds() && parts_.connected()) {
      co_await go_on_with_rounds();
    } else {
      break;
    }
  }
}

awaitable<void> PresenceDesk::do_first_piece() {
  {
    const Raised doing(doing_);
    const Piece piece = std::move(pieces_.front());
    pieces_.pop_front();
    co_await piece();
  }
  if (pieces_.empty()) changed_.notify_all();
}

awaitable<void> PresenceDesk::go_on_with_rounds() {
  const auto wait = pace_.wait(parts_.clock.steady());
  if (wait > Pace::Duration::zero()) {
    next_step_.expires_after(std::chrono::ceil<std::chrono::milliseconds>(wait));
    co_await next_step_.async_wait(net::use_tuple);
    co_return;
  }
  const std::size_t sent = co_await book_.step();
  pace_.spend(sent, parts_.clock.steady());
  // A long round that has little to say keeps nobody waiting.
  if (sent == 0) co_await boost::asio::post(parts_.strand, boost::asio::use_awaitable);
}

}  // namespace interline::xmpp

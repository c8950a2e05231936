#include "net/deadline.hpp"

#include <utility>

#include <boost/asio/steady_timer.hpp>

namespace interline::net {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Clock::time_point kNever = Clock::time_point::max();
constexpr Duration kLongest = std::chrono::years(10);  // longer is never: no overflow

}  // namespace

struct Deadline::State {
  State(const Executor& executor, std::function<void()> callback)
      : timer(executor), on_expiry(std::move(callback)) {}

  asio::steady_timer timer;
  std::function<void()> on_expiry;
  Clock::time_point deadline = kNever;
  Clock::time_point armed = kNever;  // when the timer will fire
  bool expired = false;
  bool alive = true;

  static void arm(const std::shared_ptr<State>& state) {
    state->armed = state->deadline;
    state->timer.expires_at(state->deadline);  // cancels the wait that was pending
    state->timer.async_wait([state](const boost::system::error_code& error) {
      if (error || !state->alive) return;
      fire(state);
    });
  }

  static void fire(const std::shared_ptr<State>& state) {
    state->armed = kNever;
    if (state->deadline == kNever) return;
    if (Clock::now() < state->deadline) return arm(state);
    state->deadline = kNever;
    state->expired = true;
    state->on_expiry();
  }
};

Deadline::Deadline(const Executor& executor, std::function<void()> on_expiry)
    : state_(std::make_shared<State>(executor, std::move(on_expiry))) {}

Deadline::~Deadline() {
  state_->alive = false;
  state_->on_expiry = nullptr;
  state_->timer.cancel();
}

void Deadline::expires_after(Duration duration) {
  if (duration > kLongest) return expires_never();
  state_->expired = false;
  state_->deadline = Clock::now() + duration;
  if (state_->deadline < state_->armed) State::arm(state_);
}

void Deadline::expires_never() {
  state_->expired = false;
  state_->deadline = kNever;
}

void Deadline::stop() {
  expires_never();
  state_->armed = kNever;
  state_->timer.cancel();
}

bool Deadline::expired() const {
  return state_->expired;
}

}  // namespace interline::net

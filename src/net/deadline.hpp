// One deadline that is moved often and passes rarely: what a connection needs a request or two a
// millisecond. Moving it later costs a clock reading; the timer behind it is re-armed when it
// fires.
#pragma once

#include <functional>
#include <memory>

#include "net/asio.hpp"

namespace interline::net {

/// Used, fired and destroyed on its executor (a strand, or a context run by one thread).
class Deadline {
 public:
  /// `on_expiry` runs on the executor each time the deadline passes, never after destruction.
  Deadline(const Executor& executor, std::function<void()> on_expiry);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void expires_after(Duration duration);
  void expires_never();
  /// As expires_never, and gives the timer back at once.
  void stop();
  /// True from the moment the deadline passed until it is set anew.
  [[nodiscard]] bool expired() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace interline::net

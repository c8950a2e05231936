// Where a request's messages go before its answer. Owned by the transport, which writes them at its
// own pace.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace interline::protocols::mcp::server {

class Sink {
 public:
  virtual ~Sink() = default;

  /// One JSON-RPC line: a notification, or to a legacy client a request. Any thread. False: too
  /// much waits to be written, or nobody reads any more; it was dropped.
  virtual bool tell(std::string message) = 0;

  /// Whether the reader has gone: for a modern request, that is its cancellation.
  [[nodiscard]] virtual bool closed() const = 0;
  /// Called once, on the handler's executor, when the reader goes; at once if it has. One at a
  /// time; nullptr: none any more.
  virtual void on_closed(std::function<void()> then) = 0;

  /// The reader may be let go, to come back for the answer after that time: where the transport's
  /// streams can be taken up again.
  virtual void let_go(std::chrono::milliseconds /*retry*/) {}
};

/// As long as it lives, a reader's leaving is told.
class WhileReading {
 public:
  WhileReading(Sink& sink, std::function<void()> then) : sink_(sink) {
    sink_.on_closed(std::move(then));
  }
  ~WhileReading() { sink_.on_closed(nullptr); }
  WhileReading(const WhileReading&) = delete;
  WhileReading& operator=(const WhileReading&) = delete;

 private:
  Sink& sink_;
};

}  // namespace interline::protocols::mcp::server

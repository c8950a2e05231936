// The answer to one POST: JSON where nothing came before it, else server-sent events, the answer
// last. Messages are queued from any thread and written by the connection at its reader's pace; the
// queue is bounded.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "bindings/mcp/services.hpp"
#include "net/http/responder.hpp"

namespace interline::mcp {

/// How the answer may be written.
struct StreamOptions {
  bool takes_json = true;
  bool takes_events = true;
  std::chrono::milliseconds keep_alive{15'000};
  net::http::Fields fields;  ///< of every response

  StreamOptions() = default;
};

/// Messages that wait to be written.
inline constexpr std::size_t kMostQueued = 256;
inline constexpr std::size_t kMostQueuedBytes = std::size_t{4} * 1024 * 1024;

/// Shared with whoever tells something. Its responder lives as long as write() runs.
class ResponseStream final : public server::Sink,
                             public std::enable_shared_from_this<ResponseStream> {
 public:
  ResponseStream(const net::Executor& executor, net::http::Responder& responder,
                 StreamOptions options);

  // Sink
  bool tell(std::string message) override;
  [[nodiscard]] bool closed() const override;
  void on_closed(std::function<void()> then) override;

  /// The answer: the last message. On the connection's strand.
  void finish(server::Reply reply);
  /// Until the answer is written, or given up because the reader has gone.
  [[nodiscard]] awaitable<void> write();

 private:
  [[nodiscard]] std::optional<std::string> take();
  [[nodiscard]] awaitable<bool> write_event(const std::string& message);
  [[nodiscard]] awaitable<bool> begin();
  [[nodiscard]] awaitable<void> write_answer();
  [[nodiscard]] awaitable<void> wait();
  void reader_left();
  void wake();

  const net::Executor executor_;
  net::http::Responder& responder_;
  const StreamOptions options_;
  boost::asio::steady_timer timer_;
  std::function<void()> on_closed_;
  bool watching_ = false;
  bool begun_ = false;
  std::optional<server::Reply> reply_;

  mutable std::mutex mutex_;
  std::deque<std::string> queue_;  // guarded by mutex_, as below
  std::size_t queued_bytes_ = 0;
  bool closed_ = false;
  bool wake_posted_ = false;
};

}  // namespace interline::mcp

// The messages of one stream of a legacy session, numbered and kept for a while, so that a reader
// who was cut off takes them up again (2025-11-25, basic/transports, "Resumability and
// Redelivery"). A reader that leaves ends nothing here; closing it is the client's cancellation.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "protocols/mcp/server/sink.hpp"

namespace interline::protocols::mcp::server {

class EventLog final : public Sink, public std::enable_shared_from_this<EventLog> {
 public:
  using Sequence = std::uint64_t;
  struct Event {
    Sequence sequence = 0;
    std::string message;
  };
  static constexpr std::size_t kMostEvents = 1'000;
  static constexpr std::size_t kMostBytes = std::size_t{8} * 1024 * 1024;

  /// `executor`: of whoever is told that it was closed. `name`: unique in the session.
  EventLog(boost::asio::any_io_executor executor, std::string name,
           std::size_t most_events = kMostEvents)
      : executor_(std::move(executor)), name_(std::move(name)), most_events_(most_events) {}

  [[nodiscard]] const std::string& name() const { return name_; }

  // Sink. What is too much is forgotten from its beginning.
  bool tell(std::string message) override;
  [[nodiscard]] bool closed() const override;
  void on_closed(std::function<void()> then) override;
  void let_go(std::chrono::milliseconds retry) override;

  /// The last message; none: there is nothing to be said ("").
  void finish(std::string message);
  /// Whoever works for it is to end. From any thread.
  void close();
  /// Finished or closed.
  [[nodiscard]] bool ended() const;

  /// After what time the reader is to come back, if it may be let go; once.
  [[nodiscard]] std::optional<std::chrono::milliseconds> take_retry();
  [[nodiscard]] bool wants_retry() const;
  /// The answer, if it is all there ever was.
  [[nodiscard]] std::optional<std::string> lone_answer() const;

  /// The first event behind that one.
  [[nodiscard]] std::optional<Event> after(Sequence sequence) const;
  /// Called, from any thread, whenever there is something new. One reader at a time: who attaches
  /// takes the place of who was there, which is told so by the same call. Detaching with another's
  /// number does nothing.
  using ReaderNumber = std::uint64_t;
  [[nodiscard]] ReaderNumber attach(std::function<void()> wake);
  void detach(ReaderNumber reader);
  [[nodiscard]] bool reads(ReaderNumber reader) const;
  [[nodiscard]] bool has_reader() const;

 private:
  void append(std::string message);

  const boost::asio::any_io_executor executor_;
  const std::string name_;
  const std::size_t most_events_;
  mutable std::mutex mutex_;
  std::deque<Event> events_;  // guarded by mutex_, as below
  std::size_t bytes_ = 0;
  Sequence next_ = 1;
  bool finished_ = false;
  bool closed_ = false;
  std::optional<std::chrono::milliseconds> retry_;
  std::function<void()> on_closed_;
  std::function<void()> wake_;
  ReaderNumber reader_ = 0;
  ReaderNumber readers_ = 0;
};

}  // namespace interline::protocols::mcp::server

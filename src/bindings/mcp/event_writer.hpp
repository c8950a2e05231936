// The stream of a session, or what is left of it, written to one connection: every event with an id
// that names stream and place, so that whoever is cut off can come back for the rest.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "bindings/mcp/exchange_place.hpp"
#include "protocols/mcp/server/event_log.hpp"

namespace interline::mcp {

class EventWriter {
 public:
  /// `executor`: the connection's strand.
  EventWriter(const Place& place, std::shared_ptr<server::EventLog> log,
              const net::Executor& executor);
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  /// The stream begins with an event that has an id and no data (since 2025-11-25).
  void primed(bool is) { primed_ = is; }

  /// The answer as JSON, if it is all there is to be said and comes soon.
  [[nodiscard]] awaitable<bool> wait_for_lone_answer(std::chrono::milliseconds patience);
  /// As events, those behind `after`, until the stream's end or the reader's.
  [[nodiscard]] awaitable<void> stream(server::EventLog::Sequence after);

 private:
  [[nodiscard]] awaitable<bool> begin();
  [[nodiscard]] awaitable<bool> write(std::string text);
  [[nodiscard]] std::string event_id(server::EventLog::Sequence sequence) const;

  const Place& place_;
  const std::shared_ptr<server::EventLog> log_;
  /// Shared with the log, which may call when this is gone.
  struct Bell {
    explicit Bell(const net::Executor& executor)
        : timer(executor, boost::asio::steady_timer::time_point::max()) {}
    boost::asio::steady_timer timer;
    bool gone = false;  ///< the reader
  };
  const std::shared_ptr<Bell> bell_;
  server::EventLog::ReaderNumber reader_ = 0;
  bool primed_ = false;
};

}  // namespace interline::mcp

// The events of a streaming operation, as server-sent events on the connection that asked (A2A 1.0,
// sections 9.4.2 and 11.7). The work goes no faster than its reader.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/steady_timer.hpp>

#include "net/asio.hpp"
#include "net/event.hpp"
#include "net/http/responder.hpp"
#include "protocols/a2a/server/server.hpp"

namespace interline::a2a {

using engine::awaitable;

/// How an event and an error are written, and what is answered if an error comes first.
struct Framing {
  std::function<std::string(std::string_view stream_response)> event;
  std::function<std::string(const protocols::a2a::ErrorAnswer&)> error;
  std::function<net::http::Response(const protocols::a2a::ErrorAnswer&)> refusal;
};

/// All members on the connection's strand.
class EventStream final : public protocols::a2a::server::Events {
 public:
  EventStream(const net::Executor& executor, net::http::Responder& responder, Framing framing,
              net::http::Fields fields, std::chrono::milliseconds keep_alive);

  [[nodiscard]] awaitable<bool> send(std::string stream_response) override;
  void on_closed(std::function<void()> then) override;

  /// The work has ended.
  void finish(std::expected<void, protocols::a2a::ErrorAnswer> outcome);
  /// Writes until the work has ended, also when the reader has gone.
  [[nodiscard]] awaitable<void> write();

 private:
  [[nodiscard]] awaitable<void> wait();
  [[nodiscard]] awaitable<void> write_next();
  [[nodiscard]] awaitable<void> write_end();
  [[nodiscard]] awaitable<bool> write_data(const std::string& data);
  void reader_left();

  net::http::Responder& responder_;
  const Framing framing_;
  const net::http::Fields fields_;
  const std::chrono::milliseconds keep_alive_;
  boost::asio::steady_timer timer_;  ///< of the writer: something to do
  net::Event written_;               ///< of the work: it may go on
  std::optional<std::string> waiting_;
  std::optional<std::expected<void, protocols::a2a::ErrorAnswer>> outcome_;
  std::function<void()> on_closed_;
  bool begun_ = false;
  bool closed_ = false;
};

}  // namespace interline::a2a

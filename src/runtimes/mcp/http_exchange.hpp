// One HTTP request to an MCP server and what comes back: a JSON answer, or events until it
// (2026-07- 28 and older, basic/transports/streamable-http). On the link's strand.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/cancellation_signal.hpp>

#include "net/http/client.hpp"
#include "net/http/sse.hpp"
#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

/// What an exchange came to.
struct HttpAnswer {
  unsigned status = 0;
  std::optional<Reply> reply;  ///< JSON-RPC, whatever the status
  std::string session;         ///< Mcp-Session-Id
  std::string challenge;       ///< WWW-Authenticate
  std::string last_event;      ///< the last id of the stream; "" if it gave none
  std::optional<std::chrono::milliseconds> retry;
  bool streamed = false;               ///< it was a stream, and ended without the answer
  std::size_t messages = 0;            ///< that have come over the stream
  std::chrono::milliseconds lasted{};  ///< from the request to the end
  std::optional<Error> error;          ///< the connection, or what came over it

  HttpAnswer() = default;
};

/// What is done with messages of a stream that are not the answer.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void take_request(const protocols::jsonrpc::Message& message) = 0;
  /// False: it was too much, and the stream is given up.
  [[nodiscard]] virtual bool take_notification(const protocols::jsonrpc::Message& message,
                                               std::size_t bytes) = 0;
  [[nodiscard]] virtual net::awaitable<void> ready() = 0;
};

struct HttpLimits {
  std::size_t body = std::size_t{8} * 1024 * 1024;  ///< of a JSON answer, and of one event
  std::chrono::milliseconds connect{30'000};        ///< for a refusal or a head, of short requests
  std::chrono::milliseconds silence{std::chrono::hours(1)};  ///< until a head, between its bytes
};

class HttpExchange final : public std::enable_shared_from_this<HttpExchange> {
 public:
  /// `id`: JSON text of the request's id; "": any answer will do, or none (a notification, a GET).
  HttpExchange(net::Executor strand, std::shared_ptr<net::http::Client> client, std::string id,
               std::shared_ptr<StreamListener> listener, HttpLimits limits);

  [[nodiscard]] net::awaitable<HttpAnswer> run(net::http::FetchRequest request);
  /// Ends it, and with it the connection: run() returns soon, with an error.
  void abort();

 private:
  [[nodiscard]] static net::awaitable<void> talk(std::shared_ptr<HttpExchange> self,
                                                 net::http::FetchRequest request);
  [[nodiscard]] net::awaitable<void> read_whole(net::http::ResponseStream& response);
  [[nodiscard]] net::awaitable<void> read_events(net::http::ResponseStream& response);
  /// True: that was the answer, or nothing more is to be read.
  [[nodiscard]] net::awaitable<bool> take_text(std::string text, bool in_stream);
  [[nodiscard]] bool is_answer(const protocols::jsonrpc::Message& message) const;

  const net::Executor strand_;
  const std::shared_ptr<net::http::Client> client_;
  const std::string id_;
  const std::shared_ptr<StreamListener> listener_;
  const HttpLimits limits_;
  boost::asio::cancellation_signal signal_;
  HttpAnswer answer_;
  bool aborted_ = false;
};

}  // namespace interline::runtimes::mcp

// The HTTP/1.1 client: connections kept per origin, every address checked before it is connected
// to, everything that comes back bounded. It follows no redirects and asks for no compression: what
// a URL says is what is spoken to.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "net/http/client_connection.hpp"
#include "net/http/message.hpp"
#include "net/tcp_stream.hpp"
#include "net/tls_context.hpp"

namespace interline::net::http {

struct ClientOptions {
  ConnectOptions connect;                 ///< With the egress guard.
  std::shared_ptr<const TlsContext> tls;  ///< For https; none: https is refused.
  HeadLimits head;
  std::string user_agent = "interline";
  Duration tls_timeout{10'000};   ///< For the handshake.
  Duration idle_timeout{30'000};  ///< How long a connection waits for the next request.
  std::size_t max_idle_per_origin = 8;
  std::size_t max_idle = 256;
  std::size_t max_connections_per_origin = 64;  ///< Beyond: resource_constraint, too_many.
};

struct FetchRequest {
  FetchRequest() = default;
  FetchRequest(Method request_method, std::string address)
      : method(request_method), url(std::move(address)) {}

  Method method = Method::get;
  std::string url;
  Fields fields;
  std::string body;
  /// From now to the end of the response; for open(), to the end of its head.
  Duration timeout{30'000};
  std::size_t body_limit = std::size_t{8} * 1024 * 1024;  ///< For fetch(): too_large beyond.
  /// The server may safely see it twice. GET, HEAD, PUT, DELETE and OPTIONS always may (RFC 9110
  /// section 9.2.2). A kept connection that breaks before an answer began is then replaced once.
  bool repeatable = false;
};

/// A response whose body is read as it comes: an event stream. One call at a time.
class ResponseStream {
 public:
  ResponseStream() = default;
  virtual ~ResponseStream() = default;  ///< Closes the connection unless the body was read.
  ResponseStream(const ResponseStream&) = delete;
  ResponseStream& operator=(const ResponseStream&) = delete;

  [[nodiscard]] virtual unsigned status() const = 0;
  [[nodiscard]] virtual const Fields& fields() const = 0;
  /// The next piece; empty at the end. `timeout` bounds the wait for it.
  virtual awaitable<Result<std::string>> read(Duration timeout) = 0;
};

/// Any number of calls from any strand or thread at a time. Coroutines of the client run on strands
/// over the executor that it was made with.
class Client {
 public:
  Client(const Executor& executor, ClientOptions options);
  ~Client();  ///< Running calls go on.
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Any status is a response. Errors: malformed (URL, request, response); unavailable, with reason
  /// expired after the timeout; resource_constraint; and what the guard said.
  awaitable<Result<Response>> fetch(FetchRequest request);
  awaitable<Result<std::unique_ptr<ResponseStream>>> open(FetchRequest request);

  /// Connections that wait for a next request; for tests and metrics.
  [[nodiscard]] std::size_t idle_connections() const;

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace interline::net::http

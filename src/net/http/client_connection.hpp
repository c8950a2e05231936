// The client's side of one HTTP/1.1 connection, over any stream: one exchange at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/http/chunked.hpp"
#include "net/http/framing.hpp"
#include "net/http/input.hpp"
#include "net/stream.hpp"

namespace interline::net::http {

struct ClientRequest {
  ClientRequest() = default;

  Method method = Method::get;
  std::string target = "/";  ///< Path and query, percent-encoded.
  std::string host;          ///< For the Host field.
  Fields fields;             ///< Beyond Host, Content-Length and Connection, which are made here.
  std::string body;          ///< Sent, with its length, for methods with content or when not empty.
};

/// Belongs to the stream's strand. Deadlines are the stream's.
class ClientConnection {
 public:
  explicit ClientConnection(std::unique_ptr<Stream> stream, const HeadLimits& limits = {});

  /// Sends the request and reads the head of the final response. Errors: malformed for a request
  /// with a field, host or target that cannot be sent, and for a response that cannot be
  /// understood; unavailable otherwise.
  awaitable<Result<ResponseHead>> exchange(const ClientRequest& request);

  /// The next piece of the body, valid until the next call; empty at its end. Errors: malformed;
  /// unavailable, also where the connection ended within the body.
  awaitable<Result<std::string_view>> read_body();
  /// The whole body. Errors: resource_constraint (too_large) beyond the limit.
  awaitable<Result<std::string>> read_whole_body(std::size_t limit);

  /// True when the body was read to its end and another exchange may follow.
  [[nodiscard]] bool reusable();
  /// A byte of the current response has arrived: the server has seen the request.
  [[nodiscard]] bool answered() const { return answered_; }
  [[nodiscard]] Stream& stream() { return *stream_; }

 private:
  awaitable<Result<ResponseHead>> read_head(const ClientRequest& request);
  awaitable<Result<std::size_t>> fill();
  awaitable<Result<std::string_view>> read_chunk();

  std::unique_ptr<Stream> stream_;
  HeadLimits limits_;
  InputBuffer input_;
  bool answered_ = false;
  bool persistent_ = false;
  bool ended_ = true;  // the body of the last response was read
  Framing framing_;
  std::uint64_t left_ = 0;  // Framing::Kind::length
  ChunkDecoder decoder_;
  std::size_t handed_out_ = 0;  // bytes of input_ that the last piece lent
};

}  // namespace interline::net::http

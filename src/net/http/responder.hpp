// What a handler answers with. A handler sends one response, whole or as a stream, and may be told
// when nobody waits for it any more.
#pragma once

#include <functional>
#include <string_view>

#include "net/http/message.hpp"
#include "net/stream.hpp"

namespace interline::net::http {

/// Belongs to the connection's strand, where the handler runs too. Every error means that the peer
/// is gone or too slow, and the connection is about to end; the handler has nothing to report.
class Responder {
 public:
  Responder() = default;
  virtual ~Responder() = default;
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

  /// The whole response. For HEAD its body is left out, its length is not.
  virtual awaitable<Result<void>> send(Response response) = 0;

  /// Sends the head of a response whose body comes in pieces; its own body is ignored.
  virtual awaitable<Result<void>> begin(Response head) = 0;
  /// A piece, in the peer's hands or the system's when it returns: a slow reader slows its writer,
  /// and is cut off after the write timeout.
  virtual awaitable<Result<void>> write(std::string_view bytes) = 0;
  /// The end of the body. A handler that returns without it ends the connection instead, so that
  /// the peer can tell that the body is not whole.
  virtual awaitable<Result<void>> end() = 0;

  /// Leaves HTTP (RFC 9110 section 7.8): 101, and from then on the connection is the handler's, as
  /// a stream that lives until the handler returns; then it is closed. No deadline is set on it.
  /// Errors: the request does not ask for that protocol by HTTP/1.1: it has been answered with 426;
  /// or the peer is gone. Not after on_disconnect.
  virtual awaitable<Result<Stream*>> upgrade(std::string_view protocol) = 0;

  /// Called once, on the strand, when the peer closes the connection or it breaks while the handler
  /// runs: at once if that has happened already. Dropped when the handler returns. A peer that ends
  /// its side only and goes on reading counts as gone here; it can still be answered.
  virtual void on_disconnect(std::function<void()> callback) = 0;
  /// Known only once on_disconnect was set, a streaming body begun, or a write failed.
  [[nodiscard]] virtual bool disconnected() const = 0;
};

}  // namespace interline::net::http

// The HTTP/1.1 server (RFC 9110, RFC 9112). Every connection has a strand; requests on one
// connection are served in their order, one at a time. Everything a peer can spend is bounded here:
// bytes, fields, time, connections.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "net/http/head.hpp"
#include "net/http/proxy.hpp"
#include "net/http/router.hpp"
#include "net/listener.hpp"
#include "net/tls_context.hpp"

namespace interline::net::http {

/// One answered request, for the log and for metrics. The views end with the call.
struct AccessRecord {
  const Request* request = nullptr;  ///< None where the request could not be understood.
  const Peer* peer = nullptr;
  unsigned status = 0;
  std::uint64_t body_bytes = 0;  ///< Of the response.
  std::chrono::nanoseconds duration{};
  std::string_view note;  ///< Why the server refused, what a handler threw; empty otherwise.
};

struct ServerOptions {
  HeadLimits head;
  std::size_t max_connections = 4096;  ///< Beyond: 503, or just closed under TLS.
  std::size_t max_per_address = 256;   ///< The same; IPv6 by /64; trusted proxies exempt. Of a Unix
                                       ///< socket: a user's.
  std::vector<uid_t> favoured_users;   ///< Of a Unix socket: no such limit of theirs, and
  std::size_t reserved = 0;            ///< so many of max_connections are theirs alone.
  std::size_t max_body_bytes = std::size_t{256} * 1024 * 1024;  ///< Of all bodies: 503 beyond.

  Duration handshake_timeout{10'000};  ///< TLS.
  Duration header_timeout{10'000};     ///< From a request's first byte to the end of its head.
  Duration body_timeout{60'000};       ///< For the whole body.
  Duration idle_timeout{75'000};       ///< Between requests.
  Duration write_timeout{30'000};      ///< For each 64 KiB of a response.
  Duration linger_timeout{2'000};      ///< For the peer to close after we said we would.

  Networks trusted_proxies;

  /// Bodies for the server's own answers (400, 404, 405, 413, ...). `request` is none where it
  /// could not be understood. Default: plain_response. The status is kept, also if this changes it.
  std::function<Response(unsigned status, const Request* request)> refusal;
  /// Called on connections' strands: from several threads.
  std::function<void(const AccessRecord&)> on_response;
};

/// Counts since the start; read from any thread.
struct ServerStats {
  std::atomic<std::uint64_t> connections_accepted = 0;
  std::atomic<std::uint64_t> connections_refused = 0;
  std::atomic<std::uint64_t> connections_open = 0;
  std::atomic<std::uint64_t> requests = 0;
  std::atomic<std::uint64_t> responses[6] = {};    ///< By the first digit of the status.
  std::atomic<std::uint64_t> timeouts = 0;         ///< Of requests, bodies and writes.
  std::atomic<std::uint64_t> body_bytes_held = 0;  ///< Reserved now; see max_body_bytes.
};

/// Asked once a connection, on one thread at a time: certificates may change while the server runs.
/// None, as function or as answer: no TLS.
using TlsSource = std::function<std::shared_ptr<const TlsContext>()>;

/// All members may be called from any thread.
class Server {
 public:
  /// The executor's threads run connections; the router is complete and outlives them through its
  /// pointer.
  Server(const Executor& executor, std::shared_ptr<const Router> router, ServerOptions options);
  /// Closes everything at once; see drain.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Accepts from this listener until the server ends.
  void serve(std::unique_ptr<Listener> listener, TlsSource tls = {});

  /// Stops accepting, closes idle connections, lets running requests finish with
  /// "Connection: close", and after `grace` closes what is left. Returns when nothing is left.
  awaitable<void> drain(Duration grace);

  [[nodiscard]] const ServerStats& stats() const;

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace interline::net::http

#include "net/tcp_stream.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/this_coro.hpp>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "net/deadline.hpp"
#include "net/errors.hpp"
#include "net/socket_stream.hpp"

namespace interline::net {
namespace {

using asio::ip::tcp;
using boost::system::error_code;

void set_option(int socket, int level, int name, int value) {
  ::setsockopt(socket, level, name, &value, sizeof value);  // best effort: a tuning, not a need
}

void apply(const TcpOptions& options, int socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  if (options.keepalive_idle.count() > 0) {
    set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(options.keepalive_idle.count()));
    set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL,
               static_cast<int>(options.keepalive_interval.count()));
    set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, options.keepalive_probes);
  }
  if (options.user_timeout.count() > 0) {
    set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT,
               static_cast<int>(options.user_timeout.count()));
  }
}

// A dual-stack listener sees IPv4 peers as ::ffff:a.b.c.d; policies are written for a.b.c.d.
asio::ip::address unmapped(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  }
  return address;
}

Peer describe(const tcp::endpoint& endpoint) {
  Peer peer;
  const asio::ip::address address = unmapped(endpoint.address());
  peer.description = to_string(HostPort(address.to_string(), endpoint.port()));
  peer.address = address;
  peer.port = endpoint.port();
  return peer;
}

std::unique_ptr<Stream> wrap(tcp::socket socket, const tcp::endpoint& endpoint,
                             const TcpOptions& options) {
  apply(options, socket.native_handle());
  return make_socket_stream(AnySocket(std::move(socket)), describe(endpoint));
}

awaitable<Result<std::vector<asio::ip::address>>> resolve(std::string host, Duration timeout,
                                                          ConnectFault& fault) {
  std::vector<asio::ip::address> addresses;
  error_code not_literal;
  const asio::ip::address literal = asio::ip::make_address(host, not_literal);
  if (!not_literal) {
    addresses.push_back(literal);
    co_return addresses;
  }
  const Executor executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  Deadline deadline(executor, [&resolver] { resolver.cancel(); });
  deadline.expires_after(timeout);
  fault = ConnectFault::name;
  auto [error, results] = co_await resolver.async_resolve(host, "", use_tuple);
  if (deadline.expired()) co_return std::unexpected(timed_out("resolving the host name"));
  if (error) co_return std::unexpected(to_error("resolving the host name", error));
  for (const auto& entry : results) {
    const asio::ip::address address = entry.endpoint().address();
    if (std::ranges::find(addresses, address) == addresses.end()) addresses.push_back(address);
  }
  fault = ConnectFault::other;
  co_return addresses;
}

ConnectFault fault_of(const error_code& code) {
  namespace error = asio::error;
  if (code == error::connection_refused) return ConnectFault::refused;
  const bool unreachable = code == error::host_unreachable || code == error::network_unreachable ||
                           code == error::timed_out;
  return unreachable ? ConnectFault::unreachable : ConnectFault::other;
}

awaitable<Result<std::unique_ptr<Stream>>> connect_one(tcp::endpoint endpoint, Duration timeout,
                                                       TcpOptions options, ConnectFault& fault) {
  const Executor executor = co_await asio::this_coro::executor;
  tcp::socket socket(executor);
  Deadline deadline(executor, [&socket] {
    error_code ignored;
    socket.close(ignored);
  });
  deadline.expires_after(timeout);
  auto [error] = co_await socket.async_connect(endpoint, use_tuple);
  fault = deadline.expired() ? ConnectFault::unreachable : fault_of(error);
  if (deadline.expired()) co_return std::unexpected(timed_out("connect"));
  if (error) co_return std::unexpected(to_error("connect", error));
  co_return wrap(std::move(socket), endpoint, options);
}

class TcpListener final : public Listener {
 public:
  TcpListener(Executor executor, tcp::acceptor acceptor, TcpOptions options)
      : executor_(std::move(executor)), acceptor_(std::move(acceptor)), options_(options) {
    error_code ignored;
    const tcp::endpoint local = acceptor_.local_endpoint(ignored);
    port_ = local.port();
    description_ = to_string(HostPort(local.address().to_string(), port_));
  }
  ~TcpListener() override = default;

  awaitable<Result<std::unique_ptr<Stream>>> accept() override {
    for (;;) {
      tcp::endpoint peer;
      Executor strand = new_strand(executor_);
      auto [error, socket] = co_await acceptor_.async_accept(strand, peer, use_tuple);
      if (!error) co_return wrap(std::move(socket), peer, options_);
      if (!acceptor_.is_open()) co_return std::unexpected(connection_closed());
      if (error == boost::system::errc::connection_aborted) continue;
      Error failure = to_error("accept", error);
      if (error != asio::error::operation_aborted) failure.kind = ErrorKind::resource_constraint;
      co_return std::unexpected(std::move(failure));
    }
  }

  void close() override {
    error_code ignored;
    acceptor_.close(ignored);
  }

  const std::string& description() const override { return description_; }
  std::uint16_t port() const override { return port_; }

 private:
  Executor executor_;
  tcp::acceptor acceptor_;
  TcpOptions options_;
  std::string description_;
  std::uint16_t port_ = 0;
};

}  // namespace

awaitable<Result<std::unique_ptr<Stream>>> connect_tcp(HostPort target, ConnectOptions options) {
  const auto started = std::chrono::steady_clock::now();
  const auto at_most = [&](Duration step) {
    const auto passed = std::chrono::steady_clock::now() - started;
    const auto left = options.total_timeout - std::chrono::floor<Duration>(passed);
    return std::clamp(left, Duration(0), step);
  };
  ConnectFault unused = ConnectFault::other;
  ConnectFault& fault = options.fault == nullptr ? unused : *options.fault;
  fault = ConnectFault::other;
  const Duration resolve_timeout = at_most(options.resolve_timeout);
  auto addresses = co_await resolve(target.host, resolve_timeout, fault);
  if (!addresses) co_return std::unexpected(std::move(addresses.error()));
  if (addresses->size() > options.max_addresses) addresses->resize(options.max_addresses);
  Error last(ErrorKind::unavailable, "the host name has no addresses");
  for (const asio::ip::address& address : *addresses) {
    if (options.guard) {
      auto allowed = options.guard(target.host, unmapped(address));
      if (!allowed) {
        last = std::move(allowed.error());
        continue;
      }
    }
    const tcp::endpoint endpoint(address, target.port);
    const Duration timeout = at_most(options.connect_timeout);
    if (timeout == Duration(0)) co_return std::unexpected(timed_out("connect"));
    auto stream = co_await connect_one(endpoint, timeout, options.tcp, fault);
    if (stream) co_return stream;
    last = std::move(stream.error());
  }
  co_return std::unexpected(std::move(last));
}

Result<std::unique_ptr<Listener>> listen_tcp(const Executor& executor, const HostPort& address,
                                             const ListenOptions& options) {
  error_code error;
  const bool any = address.host == "*";
  const asio::ip::address ip = any ? asio::ip::address(asio::ip::address_v6::any())
                                   : asio::ip::make_address(address.host, error);
  if (error) return fail(ErrorKind::malformed, "listen wants an IP address, or * for all");
  const std::string what = "listen on " + to_string(address);
  tcp::endpoint endpoint(ip, address.port);
  tcp::acceptor acceptor(executor);
  acceptor.open(endpoint.protocol(), error);
  if (error && any) {  // a machine without IPv6
    endpoint = tcp::endpoint(asio::ip::address_v4::any(), address.port);
    acceptor.open(endpoint.protocol(), error);
  }
  if (error) return std::unexpected(to_error(what, error));
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only(!any), error);
  acceptor.bind(endpoint, error);
  if (error) return std::unexpected(to_error(what, error));
  acceptor.listen(options.backlog, error);
  if (error) return std::unexpected(to_error(what, error));
  return std::make_unique<TcpListener>(executor, std::move(acceptor), options.tcp);
}

}  // namespace interline::net

#include "bindings/xmpp/connector.hpp"

#include <string_view>
#include <utility>

#include <boost/asio/ip/address.hpp>

#include "bindings/xmpp/tables.hpp"
#include "net/host_port.hpp"
#include "net/tcp_stream.hpp"
#include "net/tls_stream.hpp"
#include "net/unix_stream.hpp"

namespace interline::xmpp {
namespace {

using net::awaitable;

constexpr std::string_view kUnix = "unix:";

bool is_loopback(const net::asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return net::asio::ip::make_address_v4(net::asio::ip::v4_mapped, address.to_v6()).is_loopback();
  }
  return address.is_loopback();
}

Result<void> only_loopback(std::string_view, const net::asio::ip::address& address) {
  if (is_loopback(address)) return {};
  return fail(ErrorKind::forbidden,
              "the component's secret and all stanzas would cross the network in plain text: "
              "use TLS, or a server on this machine");
}

ConnectResult with_remedy(Result<std::unique_ptr<net::Stream>> outcome, net::ConnectFault fault) {
  if (outcome) return *std::move(outcome);
  return std::unexpected(ConnectError(std::move(outcome.error()), connect_remedy(fault)));
}

awaitable<ConnectResult> connect_plain(net::HostPort target, net::ConnectOptions options) {
  net::ConnectFault fault = net::ConnectFault::other;
  options.guard = only_loopback;
  options.fault = &fault;
  auto outcome = co_await net::connect_tcp(std::move(target), std::move(options));
  co_return with_remedy(std::move(outcome), fault);
}

awaitable<ConnectResult> connect_local(std::string path, net::Duration timeout) {
  auto outcome = co_await net::connect_unix(std::move(path), timeout);
  co_return with_remedy(std::move(outcome), net::ConnectFault::other);
}

awaitable<ConnectResult> connect_tls(net::HostPort target, net::ConnectOptions options,
                                     std::shared_ptr<const net::TlsContext> context) {
  std::string host = target.host;
  const net::Duration timeout = options.connect_timeout;
  net::ConnectFault fault = net::ConnectFault::other;
  options.fault = &fault;
  auto plain = co_await net::connect_tcp(std::move(target), std::move(options));
  if (!plain) co_return with_remedy(std::move(plain), fault);
  (*plain)->expires_after(timeout);
  auto secure =
      co_await net::tls_connect(*std::move(plain), std::move(context), std::move(host), &fault);
  if (secure) (*secure)->expires_never();
  co_return with_remedy(std::move(secure), fault);
}

}  // namespace

Result<Connector> make_connector(const ConnectorConfig& config) {
  const auto timeout = std::chrono::duration_cast<net::Duration>(config.timeout);
  if (config.server.starts_with(kUnix)) {
    return Connector([path = config.server.substr(kUnix.size()), timeout] {
      return connect_local(path, timeout);
    });
  }
  auto target = net::parse_host_port(config.server);
  if (!target) return std::unexpected(std::move(target.error()));
  net::ConnectOptions options;
  options.resolve_timeout = timeout;
  options.connect_timeout = timeout;
  if (config.tls) {
    return Connector([target = *target, options, tls = config.tls] {
      return connect_tls(target, options, tls);
    });
  }
  boost::system::error_code not_an_address;
  const auto address = net::asio::ip::make_address(target->host, not_an_address);
  if (!not_an_address && !is_loopback(address)) {
    auto refused = only_loopback(target->host, address);
    return fail(ErrorKind::malformed, refused.error().message);
  }
  return Connector([target = *target, options] { return connect_plain(target, options); });
}

}  // namespace interline::xmpp

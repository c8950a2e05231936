// TCP: connecting, with every address checked before a packet goes to it, and listening.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/connect_fault.hpp"
#include "net/host_port.hpp"
#include "net/listener.hpp"
#include "net/stream.hpp"

namespace interline::net {

struct TcpOptions {
  /// First keepalive probe after this much silence; 0 turns probes off. Whole seconds.
  std::chrono::seconds keepalive_idle{60};
  std::chrono::seconds keepalive_interval{15};
  int keepalive_probes = 4;
  /// TCP_USER_TIMEOUT: sent data that stays unacknowledged this long ends the connection; 0: the
  /// system's default, about 15 minutes.
  Duration user_timeout{60'000};
};

/// Decides whether a connection to this resolved address may be made, for the egress policy. It
/// sees the very address that is then connected to, so a name that resolves differently the second
/// time changes nothing. An error refuses the address; its message reaches the caller.
using AddressGuard =
    std::function<Result<void>(std::string_view host, const asio::ip::address& address)>;

struct ConnectOptions {
  ConnectOptions() = default;

  TcpOptions tcp;
  Duration resolve_timeout{10'000};
  Duration connect_timeout{10'000};  ///< For each address in turn.
  Duration total_timeout{30'000};    ///< For all of it.
  std::size_t max_addresses = 8;     ///< How many addresses of a name are tried.
  AddressGuard guard;                ///< None: every address is allowed.
  ConnectFault* fault = nullptr;     ///< Set where connecting failed; outlives it.
};

/// Resolves the host and connects to the first address that is allowed and answers; the stream
/// belongs to the calling coroutine's executor. Errors: unavailable (reason expired after a
/// timeout), or the guard's error when it refused every address.
awaitable<Result<std::unique_ptr<Stream>>> connect_tcp(HostPort target, ConnectOptions options);

struct ListenOptions {
  TcpOptions tcp;
  int backlog = 1024;
};

/// Binds an address ("*" is every address, IPv4 and IPv6; names are refused) and listens.
/// Connections get strands over `executor`. Errors: malformed address; unavailable with the
/// system's reason.
[[nodiscard]] Result<std::unique_ptr<Listener>> listen_tcp(const Executor& executor,
                                                           const HostPort& address,
                                                           const ListenOptions& options = {});

}  // namespace interline::net

// Where connections to addresses that somebody else chose may go: to the public Internet alone.
#pragma once

#include "net/tcp_stream.hpp"

namespace interline::net {

/// Whether packets to it leave for the public Internet: nothing of the special-purpose registries
/// (RFC 6890 and IANA's lists), no multicast, no IPv4 address of those in an IPv6 one.
[[nodiscard]] bool is_public(const asio::ip::address& address);

/// Refuses everything that is not public as `forbidden`, before a packet is sent. The message does
/// not tell the address.
[[nodiscard]] AddressGuard public_addresses_only();

}  // namespace interline::net

// Who is asking when a reverse proxy stands in between. Only a proxy that the operator trusts is
// believed, and what a client wrote into the field itself never counts.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "net/http/fields.hpp"
#include "net/stream.hpp"

namespace interline::net::http {

/// A range of addresses: "10.0.0.0/8", "fd00::/8", or a single one.
class Network {
 public:
  /// Errors: malformed, also where bits after the prefix are set.
  [[nodiscard]] static Result<Network> parse(std::string_view text);
  [[nodiscard]] bool contains(const asio::ip::address& address) const;

 private:
  Network(const asio::ip::address& address, unsigned prefix) : address_(address), prefix_(prefix) {}
  asio::ip::address address_;
  unsigned prefix_;
};

using Networks = std::vector<Network>;
[[nodiscard]] bool contains(const Networks& networks, const asio::ip::address& address);

struct Origin {
  std::optional<asio::ip::address> client;
  bool secure = false;
};

/// X-Forwarded-For is read from its end: each trusted proxy vouches for the one before it, and the
/// first that is not trusted is the client. At an element that is no address the last known one
/// stays. X-Forwarded-Proto counts when the connection comes from a trusted proxy.
[[nodiscard]] Origin find_origin(const Peer& peer, const Fields& fields, const Networks& trusted);

}  // namespace interline::net::http

// "host:port" as people write it in configurations: "example.org:5222", "[::1]:8080", "*:80".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace interline::net {

struct HostPort {
  std::string host;  ///< A name or an address; without the brackets of an IPv6 address.
  std::uint16_t port = 0;

  HostPort(std::string host_name, std::uint16_t port_number)
      : host(std::move(host_name)), port(port_number) {}

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

/// Errors: malformed. `default_port` serves where there is none; 0 means that one is needed.
[[nodiscard]] Result<HostPort> parse_host_port(std::string_view text,
                                               std::uint16_t default_port = 0);

/// With the brackets that an IPv6 address needs: "[::1]:8080".
[[nodiscard]] std::string to_string(const HostPort& address);

}  // namespace interline::net

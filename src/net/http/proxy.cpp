#include "net/http/proxy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "net/host_port.hpp"
#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

using asio::ip::address;
using boost::system::error_code;

// The address's bytes, IPv4 as IPv4.
std::vector<std::uint8_t> bytes_of(const address& value) {
  if (value.is_v4()) {
    const auto bytes = value.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = value.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

// Proxies write bare addresses, some with a port, IPv6 in brackets then.
std::optional<address> parse_hop(std::string_view text) {
  error_code error;
  address value = asio::ip::make_address(text, error);
  if (error) {
    const auto with_port = parse_host_port(text, 1);
    if (!with_port) return std::nullopt;
    value = asio::ip::make_address(with_port->host, error);
    if (error) return std::nullopt;
  }
  if (value.is_v6() && value.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, value.to_v6());
  }
  return value;
}

}  // namespace

Result<Network> Network::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  error_code error;
  const address base = asio::ip::make_address(text.substr(0, slash), error);
  if (error) return fail(ErrorKind::malformed, "not an IP address or network");
  const unsigned width = base.is_v4() ? 32 : 128;
  unsigned prefix = width;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
    if (wrong != std::errc() || end != digits.data() + digits.size() || prefix > width) {
      return fail(ErrorKind::malformed, "a network's prefix is not a number of bits");
    }
  }
  const auto bytes = bytes_of(base);
  for (unsigned bit = prefix; bit < width; ++bit) {
    if ((bytes[bit / 8] >> (7 - bit % 8) & 1) != 0) {
      return fail(ErrorKind::malformed, "a network has bits set after its prefix");
    }
  }
  return Network(base, prefix);
}

bool Network::contains(const address& candidate) const {
  if (candidate.is_v4() != address_.is_v4()) return false;
  const auto mine = bytes_of(address_);
  const auto theirs = bytes_of(candidate);
  for (unsigned bit = 0; bit < prefix_; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80U >> bit % 8);
    if (((mine[bit / 8] ^ theirs[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

bool contains(const Networks& networks, const address& candidate) {
  return std::ranges::any_of(networks,
                             [&](const Network& network) { return network.contains(candidate); });
}

Origin find_origin(const Peer& peer, const Fields& fields, const Networks& trusted) {
  Origin origin;
  origin.client = peer.address;
  origin.secure = peer.encrypted;
  if (!peer.address || !contains(trusted, *peer.address)) return origin;
  const std::string hops = fields.joined("X-Forwarded-For");
  for (std::string_view rest = hops; !rest.empty() && contains(trusted, *origin.client);) {
    const std::size_t comma = rest.rfind(',');
    const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
    const auto hop = parse_hop(trim(rest.substr(begin)));
    if (!hop) break;
    origin.client = *hop;
    rest = rest.substr(0, comma == std::string_view::npos ? 0 : comma);
  }
  const std::string schemes = fields.joined("X-Forwarded-Proto");
  const std::size_t last = schemes.rfind(',');
  const std::string_view scheme =
      trim(std::string_view(schemes).substr(last == std::string::npos ? 0 : last + 1));
  if (!scheme.empty()) origin.secure = equals_without_case(scheme, "https");
  return origin;
}

}  // namespace interline::net::http

#include "net/egress.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace interline::net {
namespace {

using asio::ip::address;
using asio::ip::address_v4;
using asio::ip::address_v6;

struct Range4 {
  std::uint32_t network;
  unsigned bits;
};
constexpr std::uint32_t v4(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24U | b << 16U | c << 8U | d;
}

/// IANA IPv4 Special-Purpose Address Registry, what is not globally reachable, and multicast.
constexpr std::array kNotPublic4 = {
    Range4{v4(0, 0, 0, 0), 8},        // this network
    Range4{v4(10, 0, 0, 0), 8},       // private use
    Range4{v4(100, 64, 0, 0), 10},    // shared address space of carriers
    Range4{v4(127, 0, 0, 0), 8},      // loopback
    Range4{v4(169, 254, 0, 0), 16},   // link local: metadata services of clouds
    Range4{v4(172, 16, 0, 0), 12},    // private use
    Range4{v4(192, 0, 0, 0), 24},     // protocol assignments
    Range4{v4(192, 0, 2, 0), 24},     // documentation
    Range4{v4(192, 88, 99, 0), 24},   // 6to4 relays, deprecated
    Range4{v4(192, 168, 0, 0), 16},   // private use
    Range4{v4(198, 18, 0, 0), 15},    // benchmarking
    Range4{v4(198, 51, 100, 0), 24},  // documentation
    Range4{v4(203, 0, 113, 0), 24},   // documentation
    Range4{v4(224, 0, 0, 0), 4},      // multicast
    Range4{v4(240, 0, 0, 0), 4},      // reserved, and the broadcast address
};

struct Range6 {
  std::array<std::uint8_t, 16> network;
  unsigned bits;
};

/// Of what is left after 2000::/3, the only block that is given out.
constexpr std::array kNotPublic6 = {
    Range6{{0x20, 0x01, 0x00, 0x00}, 23},  // protocol assignments, Teredo among them
    Range6{{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    Range6{{0x20, 0x02}, 16},              // 6to4: an IPv4 address in it
    Range6{{0x3f, 0xff, 0x00, 0x00}, 20},  // documentation
};
constexpr Range6 kGlobalUnicast{{0x20}, 3};
/// RFC 6052: an IPv4 address in its last four bytes, reached through a translator.
constexpr Range6 kTranslated{{0x00, 0x64, 0xff, 0x9b}, 96};

bool holds(const Range4& range, std::uint32_t value) {
  return (value ^ range.network) >> (32U - range.bits) == 0;
}

bool holds(const Range6& range, const address_v6::bytes_type& bytes) {
  for (unsigned bit = 0; bit < range.bits; ++bit) {
    const unsigned differs = (bytes[bit / 8U] ^ range.network[bit / 8U]) >> (7U - bit % 8U);
    if ((differs & 1U) != 0) return false;
  }
  return true;
}

bool is_public4(std::uint32_t value) {
  return std::ranges::none_of(kNotPublic4,
                              [&](const Range4& range) { return holds(range, value); });
}

std::uint32_t last_four(const address_v6::bytes_type& bytes) {
  return v4(bytes[12], bytes[13], bytes[14], bytes[15]);
}

}  // namespace

bool is_public(const address& where) {
  if (where.is_v4()) return is_public4(where.to_v4().to_uint());
  const address_v6& six = where.to_v6();
  const auto bytes = six.to_bytes();
  if (six.is_v4_mapped() || holds(kTranslated, bytes)) return is_public4(last_four(bytes));
  return holds(kGlobalUnicast, bytes) &&
         std::ranges::none_of(kNotPublic6,
                              [&](const Range6& range) { return holds(range, bytes); });
}

AddressGuard public_addresses_only() {
  return [](std::string_view, const address& where) -> Result<void> {
    if (is_public(where)) return {};
    return fail(ErrorKind::forbidden,
                "the host is not on the public Internet; [egress] allow_private would allow it");
  };
}

}  // namespace interline::net

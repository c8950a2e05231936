#include "net/egress.hpp"

#include <gtest/gtest.h>

namespace interline::net {
namespace {

bool goes_out(const char* text) {
  return is_public(asio::ip::make_address(text));
}

TEST(Egress, PublicAddressesAreReached) {
  for (const char* text :
       {"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "172.15.255.255", "172.32.0.0", "192.0.1.0", "198.17.0.0", "198.20.0.0", "223.255.255.255",
        "2606:4700::1111", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"}) {
    EXPECT_TRUE(goes_out(text)) << text;
  }
}

TEST(Egress, SpecialPurposeAddressesAreNot) {
  for (const char* text :
       {"0.0.0.0",        "0.1.2.3",         "10.0.0.1",        "10.255.255.255", "100.64.0.1",
        "127.0.0.1",      "127.255.255.254", "169.254.169.254", "172.16.0.1",     "172.31.255.255",
        "192.0.0.8",      "192.0.2.1",       "192.88.99.1",     "192.168.1.1",    "198.18.0.1",
        "198.19.255.255", "198.51.100.1",    "203.0.113.1",     "224.0.0.1",      "239.255.255.255",
        "240.0.0.1",      "255.255.255.255"}) {
    EXPECT_FALSE(goes_out(text)) << text;
  }
}

TEST(Egress, NorAreThoseOfIpv6) {
  for (const char* text :
       {"::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "100::1", "2001::1",
        "2001:db8::1", "2002:7f00:1::", "3fff::1", "4000::1", "::127.0.0.1", "64:ff9b:1::1"}) {
    EXPECT_FALSE(goes_out(text)) << text;
  }
}

TEST(Egress, AnIpv4AddressInAnIpv6OneIsLookedAt) {
  for (const char* text : {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
                           "64:ff9b::127.0.0.1", "64:ff9b::192.168.0.1"}) {
    EXPECT_FALSE(goes_out(text)) << text;
  }
}

TEST(Egress, TheGuardSaysHowToAllowIt) {
  const AddressGuard guard = public_addresses_only();
  EXPECT_TRUE(guard("example.org", asio::ip::make_address("1.1.1.1")));
  const auto refused = guard("localhost", asio::ip::make_address("127.0.0.1"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::forbidden);
  EXPECT_NE(refused.error().message.find("allow_private"), std::string::npos);
}

}  // namespace
}  // namespace interline::net

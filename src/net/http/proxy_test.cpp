#include "net/http/proxy.hpp"

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

using asio::ip::make_address;

TEST(Network, RangesOfBothFamilies) {
  const auto holds = [](const char* network, const char* address) {
    return Network::parse(network).value().contains(make_address(address));
  };
  EXPECT_TRUE(holds("10.0.0.0/8", "10.255.1.2"));
  EXPECT_FALSE(holds("10.0.0.0/8", "11.0.0.0"));
  EXPECT_TRUE(holds("192.0.2.128/25", "192.0.2.200"));
  EXPECT_FALSE(holds("192.0.2.128/25", "192.0.2.127"));
  EXPECT_TRUE(holds("127.0.0.1", "127.0.0.1"));
  EXPECT_TRUE(holds("0.0.0.0/0", "1.2.3.4"));
  EXPECT_FALSE(holds("0.0.0.0/0", "::1"));
  EXPECT_TRUE(holds("fd00::/8", "fdff::1"));
  EXPECT_FALSE(holds("fd00::/8", "fe00::1"));
}

TEST(Network, WhatIsNone) {
  for (const char* text : {"", "a", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "10.0.0.1/8",
                           "::/129", "10.0.0/8", "10.0.0.0/-1", "/8"}) {
    EXPECT_FALSE(Network::parse(text)) << text;
  }
}

class OriginTest : public ::testing::Test {
 protected:
  OriginTest() {
    trusted_.push_back(Network::parse("10.0.0.0/8").value());
    trusted_.push_back(Network::parse("fd00::/8").value());
    peer_.address = make_address("10.0.0.1");
  }
  std::string client(const char* forwarded) {
    fields_.set("X-Forwarded-For", forwarded);
    return find_origin(peer_, fields_, trusted_).client->to_string();
  }
  bool secure(const char* scheme) {
    fields_.set("X-Forwarded-Proto", scheme);
    return find_origin(peer_, fields_, trusted_).secure;
  }

  Networks trusted_;
  Peer peer_;
  Fields fields_;
};

TEST_F(OriginTest, TheLastUntrustedHopIsTheClient) {
  EXPECT_EQ(client("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client("192.0.2.7, 10.0.0.2"), "192.0.2.7");
  EXPECT_EQ(client("6.6.6.6, 192.0.2.7,10.0.0.2"), "192.0.2.7")
      << "what the client wrote is ignored";
  EXPECT_EQ(client("[2001:db8::1]:4711, fd00::2"), "2001:db8::1");
  EXPECT_EQ(client("192.0.2.7:1234"), "192.0.2.7");
  EXPECT_EQ(client("::ffff:192.0.2.7"), "192.0.2.7");
}

TEST_F(OriginTest, SeveralFieldsAreOneList) {
  fields_.add("X-Forwarded-For", "6.6.6.6");
  fields_.add("x-forwarded-for", "192.0.2.7, 10.0.0.3");
  EXPECT_EQ(find_origin(peer_, fields_, trusted_).client->to_string(), "192.0.2.7");
}

TEST_F(OriginTest, AtGarbageTheLastKnownHopStays) {
  EXPECT_EQ(client("192.0.2.7, unknown"), "10.0.0.1");
  EXPECT_EQ(client("192.0.2.7, _hidden, 10.0.0.2"), "10.0.0.2");
  EXPECT_EQ(client(""), "10.0.0.1");
  EXPECT_EQ(client(","), "10.0.0.1");
}

TEST_F(OriginTest, AllTrustedIsTheFirst) {
  EXPECT_EQ(client("10.0.0.9, 10.0.0.2"), "10.0.0.9");
}

TEST_F(OriginTest, AnUntrustedPeerIsNotBelieved) {
  peer_.address = make_address("192.0.2.99");
  EXPECT_EQ(client("1.2.3.4"), "192.0.2.99");
  EXPECT_FALSE(secure("https"));
}

TEST_F(OriginTest, TheSchemeOfATrustedProxyCounts) {
  EXPECT_TRUE(secure("https"));
  EXPECT_TRUE(secure("http, HTTPS"));
  EXPECT_FALSE(secure("https, http"));
  peer_.encrypted = true;
  EXPECT_FALSE(secure("http"));
  EXPECT_TRUE(secure(""));
}

TEST_F(OriginTest, UnixSocketsHaveNoAddress) {
  peer_.address.reset();
  fields_.set("X-Forwarded-For", "1.2.3.4");
  EXPECT_FALSE(find_origin(peer_, fields_, trusted_).client);
}

}  // namespace
}  // namespace interline::net::http

#include "net/host_port.hpp"

#include <gtest/gtest.h>

namespace interline::net {
namespace {

TEST(HostPort, NamesAddressesAndBrackets) {
  EXPECT_EQ(parse_host_port("example.org:5222"), HostPort("example.org", 5222));
  EXPECT_EQ(parse_host_port("127.0.0.1:0"), HostPort("127.0.0.1", 0));
  EXPECT_EQ(parse_host_port("[::1]:8080"), HostPort("::1", 8080));
  EXPECT_EQ(parse_host_port("[fe80::1%eth0]:1"), HostPort("fe80::1%eth0", 1));
  EXPECT_EQ(parse_host_port("*:80"), HostPort("*", 80));
}

TEST(HostPort, DefaultPortWhereNoneIsWritten) {
  EXPECT_EQ(parse_host_port("example.org", 443), HostPort("example.org", 443));
  EXPECT_EQ(parse_host_port("[::1]", 443), HostPort("::1", 443));
  EXPECT_FALSE(parse_host_port("example.org"));
}

TEST(HostPort, EverythingElseIsMalformed) {
  for (const char* text : {"",
                           ":",
                           ":80",
                           "example.org:",
                           "example.org:65536",
                           "example.org:-1",
                           "example.org:+1",
                           "example.org: 1",
                           "example.org:1 ",
                           "a b:1",
                           "a/b:1",
                           "user@host:1",
                           "::1:80",
                           "[::1",
                           "[]:1",
                           "[::1]8080",
                           "[::1]:",
                           "[example.org]:1",
                           "host:1:2",
                           "host:0x10",
                           "host:000001"}) {
    const auto result = parse_host_port(text, 1);
    if (std::string_view(text) == "") {
      EXPECT_FALSE(result) << text;
      continue;
    }
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().kind, ErrorKind::malformed);
  }
}

TEST(HostPort, WritingIsTheReverse) {
  for (const char* text : {"example.org:5222", "[::1]:8080", "*:80"}) {
    EXPECT_EQ(to_string(parse_host_port(text).value()), text);
  }
}

}  // namespace
}  // namespace interline::net

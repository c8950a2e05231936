#include "app/host_guard.hpp"

#include <gtest/gtest.h>

namespace interline::app {
namespace {

TEST(HostGuard, AddressesAndNamesOfThisMachineAreIts) {
  for (const auto* const host : {"", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "localhost:8080",
                                 "LocalHost", "192.0.2.7:9"}) {
    EXPECT_TRUE(is_own_host(host)) << host;
  }
}

TEST(HostGuard, ANameThatOnlyResolvesToThisMachineIsAnothers) {
  for (const auto* const host : {"evil.example", "evil.example:8080", "localhost.evil.example",
                                 "127.0.0.1.evil.example", "[::1", ":80", "a b"}) {
    EXPECT_FALSE(is_own_host(host)) << host;
  }
}

}  // namespace
}  // namespace interline::app

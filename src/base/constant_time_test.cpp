#include "base/constant_time.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline {
namespace {

using namespace std::string_literals;

TEST(ConstantTime, EqualsExactlyTheSecret) {
  EXPECT_TRUE(equal_constant_time("", ""));
  EXPECT_TRUE(equal_constant_time("secret", "secret"s));
  EXPECT_FALSE(equal_constant_time("", "secret"));
  EXPECT_FALSE(equal_constant_time("secret", ""));
  EXPECT_FALSE(equal_constant_time("secre", "secret"));
  EXPECT_FALSE(equal_constant_time("secret", "secre"));
  EXPECT_FALSE(equal_constant_time("secret\0"s, "secret"));
}

TEST(ConstantTime, EveryBitCounts) {
  const std::string secret(40, 's');
  for (std::size_t at = 0; at < secret.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string presented = secret;
      presented[at] = static_cast<char>(presented[at] ^ (1 << bit));
      EXPECT_FALSE(equal_constant_time(presented, secret));
    }
  }
}

}  // namespace
}  // namespace interline

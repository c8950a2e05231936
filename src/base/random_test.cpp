#include "base/random.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace interline {
namespace {

TEST(Random, FillsEveryByteOfALargeBuffer) {
  // More than one getrandom call may return at once. A byte that stays 0 in 16 fills is a gap.
  std::vector<std::uint8_t> seen(70'000, 0);
  std::vector<std::uint8_t> bytes(seen.size());
  for (int i = 0; i < 16; ++i) {
    random_bytes(bytes);
    for (std::size_t at = 0; at < seen.size(); ++at) seen[at] |= bytes[at];
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), std::uint8_t{0}), 0);
}

TEST(Random, AnEmptySpanIsAllowed) {
  random_bytes({});
}

TEST(Random, NumbersDoNotRepeat) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random_uint64());
  EXPECT_EQ(seen.size(), 1000U);
}

}  // namespace
}  // namespace interline

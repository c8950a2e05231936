#include "runtimes/backoff.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace interline::runtimes {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, DoublesUpToTheCap) {
  Backoff backoff(milliseconds(100), milliseconds(450));
  EXPECT_EQ(backoff.next(0), milliseconds(100));
  EXPECT_EQ(backoff.next(0), milliseconds(200));
  EXPECT_EQ(backoff.next(0), milliseconds(400));
  EXPECT_EQ(backoff.next(0), milliseconds(450));
  EXPECT_EQ(backoff.next(0), milliseconds(450));
}

TEST(Backoff, IsSpreadOverTheUpperHalf) {
  for (std::uint64_t random = 0; random <= 50; ++random) {
    Backoff backoff(milliseconds(100), milliseconds(1'000));
    EXPECT_EQ(backoff.next(random), milliseconds(100) - milliseconds(random));
  }
  Backoff backoff(milliseconds(100), milliseconds(1'000));
  const milliseconds pause = backoff.next(std::numeric_limits<std::uint64_t>::max());
  EXPECT_GE(pause, milliseconds(50));
  EXPECT_LE(pause, milliseconds(100));
}

TEST(Backoff, SuccessBeginsAnew) {
  Backoff backoff(milliseconds(100), milliseconds(1'000));
  (void)backoff.next(0);
  (void)backoff.next(0);
  backoff.reset();
  EXPECT_EQ(backoff.next(0), milliseconds(100));
}

TEST(Backoff, OddConfigurationsStillPause) {
  Backoff backoff(milliseconds(0), milliseconds(0));
  EXPECT_EQ(backoff.next(7), milliseconds(1));
}

}  // namespace
}  // namespace interline::runtimes

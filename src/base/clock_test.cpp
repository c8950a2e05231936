#include "base/clock.hpp"

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"

namespace interline {
namespace {

using namespace std::chrono_literals;

TEST(ManualClock, StandsStillUntilTicked) {
  ManualClock clock;
  const SteadyTime start = clock.steady();
  EXPECT_EQ(Instant(clock.now()).text(), "2026-01-01T00:00:00Z");
  clock.tick(1500ms);
  EXPECT_EQ(Instant(clock.now()).text(), "2026-01-01T00:00:01.5Z");
  EXPECT_EQ(clock.steady() - start, 1500ms);
}

TEST(ManualClock, SettingTheWallClockLeavesTheSteadyOne) {
  ManualClock clock;
  const SteadyTime start = clock.steady();
  clock.set(clock.now() - 1h);
  EXPECT_EQ(Instant(clock.now()).text(), "2025-12-31T23:00:00Z");
  EXPECT_EQ(clock.steady(), start);
}

TEST(SystemClock, IsTheSystemsClocks) {
  const SystemClock clock;
  EXPECT_LT(std::chrono::abs(clock.now() - std::chrono::system_clock::now()), 1h);
  const SteadyTime before = std::chrono::steady_clock::now();
  EXPECT_LE(before, clock.steady());
}

}  // namespace
}  // namespace interline

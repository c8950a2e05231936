#include "engine/retention_clock.hpp"

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

/// How much later than the clock says what is kept ends.
std::chrono::nanoseconds behind(RetentionClock& retention) {
  const store::CommitTime time = retention.read();
  return time.now - time.kept;
}

TEST(Retention_Clock, FollowsAClockThatGoesAsTimeDoes) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  clock.tick(10'000h);
  EXPECT_EQ(retention.read().now, clock.now());
  EXPECT_EQ(retention.read().kept, clock.now());
  EXPECT_FALSE(retention.hold());
}

TEST(Retention_Clock, GoesOnAsBeforeWhenTheClockIsSetForward) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  const SystemTime right = clock.now();
  clock.set(right + 9'000h);
  EXPECT_EQ(retention.read().now, right + 9'000h);
  EXPECT_EQ(retention.read().kept, right);
  clock.tick(23h);
  EXPECT_EQ(retention.read().kept, right + 23h);
  const auto hold = retention.hold();
  ASSERT_TRUE(hold);
  EXPECT_EQ(hold->since, right);
  EXPECT_EQ(hold->behind, 9'000h);
  EXPECT_EQ(hold->left, 1h);
}

TEST(Retention_Clock, AgreesWhenAllThatWasKeptThenHasHadItsTime) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  clock.set(clock.now() + 1h);
  EXPECT_EQ(behind(retention), 1h);
  clock.tick(24h - 1ns);
  EXPECT_EQ(behind(retention), 1h);
  clock.tick(1ns);
  EXPECT_EQ(behind(retention), 0h);
  EXPECT_FALSE(retention.hold());
}

TEST(Retention_Clock, EachStepForwardHasItsOwnTime) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  for (int night = 0; night < 20; ++night) {  // a machine that sleeps each night
    clock.set(clock.now() + 8h);
    EXPECT_LE(behind(retention), 16h);
    clock.tick(16h);
  }
  clock.tick(24h);
  EXPECT_EQ(behind(retention), 0h);
}

TEST(Retention_Clock, FollowsSmallCorrectionsAndEveryStepBack) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  for (int i = 0; i < 10; ++i) {
    clock.set(clock.now() + 4min);
    EXPECT_EQ(behind(retention), 0h);
  }
  clock.set(clock.now() - 5h);
  EXPECT_EQ(behind(retention), 0h);
  clock.set(clock.now() + 5h);
  EXPECT_EQ(behind(retention), 5h);
}

TEST(Retention_Clock, AStepBackTakesTheNewestStepsForwardBackFirst) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  clock.set(clock.now() + 1h);
  (void)retention.read();
  clock.tick(12h);
  clock.set(clock.now() + 2h);
  EXPECT_EQ(behind(retention), 3h);
  const SystemTime kept = retention.read().kept;
  clock.set(clock.now() - 1s);  // a correction moves what the clock says, not what is kept
  EXPECT_EQ(retention.read().kept, kept);
  clock.set(clock.now() - 2h + 1s);
  EXPECT_EQ(behind(retention), 1h);
  clock.tick(12h);
  EXPECT_EQ(behind(retention), 0h);
}

TEST(Retention_Clock, ARestThatIsNoJumpHoldsNothing) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  clock.set(clock.now() + 10h);
  (void)retention.read();
  clock.set(clock.now() - 10h + 3s);
  EXPECT_EQ(behind(retention), 0h);
  EXPECT_FALSE(retention.hold());
}

TEST(Retention_Clock, BelievesAnOperator) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  clock.set(clock.now() + 10h);
  EXPECT_EQ(behind(retention), 10h);
  retention.trust();
  EXPECT_EQ(behind(retention), 0h);
  clock.set(clock.now() + 10h);
  EXPECT_EQ(behind(retention), 10h);
}

TEST(Retention_Clock, ManyStepsAreBounded) {
  ManualClock clock;
  RetentionClock retention(clock, 24h);
  for (int i = 0; i < 1'000; ++i) {
    clock.set(clock.now() + 6min);
    (void)retention.read();
  }
  EXPECT_EQ(behind(retention), 1'000 * 6min);
  clock.tick(24h);
  EXPECT_EQ(behind(retention), 0h);
}

TEST(Retention_Clock, IsResumedAsAnEarlierProcessLeftIt) {
  ManualClock clock;
  const SystemTime right = clock.now();
  RetentionHold hold;
  hold.since = right;
  hold.behind = 48h;
  hold.left = 20h;
  clock.set(right + 48h + 1min);
  RetentionClock still_ahead(clock, 24h);
  still_ahead.resume(hold, right + 48h);
  EXPECT_EQ(behind(still_ahead), 48h);
  EXPECT_EQ(still_ahead.hold()->left, 20h);
  clock.set(right + 1min);
  RetentionClock set_back(clock, 24h);
  set_back.resume(hold, right + 48h);
  EXPECT_EQ(behind(set_back), 0h);
  EXPECT_FALSE(set_back.hold());
}

}  // namespace
}  // namespace interline::engine

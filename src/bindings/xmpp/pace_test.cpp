#include "bindings/xmpp/pace.hpp"

#include <gtest/gtest.h>

namespace interline::xmpp {
namespace {

using namespace std::chrono_literals;

std::size_t sent_by(Pace& pace, SteadyTime now) {
  std::size_t sent = 0;
  while (pace.wait(now) <= 0ns) {
    pace.spend(1, now);
    ++sent;
  }
  return sent;
}

TEST(BriefSection3_Pace, IsSoManyASecondAndAFewAtOnce) {
  Pace pace(100, 10);
  const SteadyTime start{1h};
  EXPECT_EQ(sent_by(pace, start), 10U);
  EXPECT_EQ(pace.wait(start), 10ms);
  EXPECT_EQ(sent_by(pace, start + 9ms), 0U);
  EXPECT_EQ(sent_by(pace, start + 10ms), 1U);
  std::size_t sent = 0;
  for (auto now = start + 10ms; now < start + 10s; now += 1ms) sent += sent_by(pace, now);
  EXPECT_EQ(sent, 998U);
}

TEST(BriefSection3_Pace, APauseIsNotSavedUp) {
  Pace pace(100, 10);
  EXPECT_EQ(sent_by(pace, SteadyTime(1h)), 10U);
  EXPECT_EQ(sent_by(pace, SteadyTime(2h)), 10U);
}

TEST(BriefSection3_Pace, WhatWentTogetherIsWaitedForTogether) {
  Pace pace(10, 1);
  pace.spend(3, SteadyTime(1h));
  EXPECT_EQ(pace.wait(SteadyTime(1h)), 300ms);
}

}  // namespace
}  // namespace interline::xmpp

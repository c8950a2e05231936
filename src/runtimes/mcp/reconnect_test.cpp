#include "runtimes/mcp/reconnect.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtimes/mcp/exchanges.hpp"

namespace interline::runtimes::mcp {
namespace {

using namespace std::chrono_literals;
using Duration = Reconnect::Duration;

TEST(M115_Reconnect, AServerThatEndsEachStreamAtOnceIsAskedEverMoreSeldom) {
  Reconnect pauses(500ms, 30s);
  std::vector<Duration> waited;
  for (int end = 0; end < 8; ++end) waited.push_back(pauses.next(0ms, false, 1ms));
  EXPECT_EQ(waited, (std::vector<Duration>{500ms, 1s, 2s, 4s, 8s, 16s, 30s, 30s}));
}

TEST(M115_Reconnect, RetryMakesAPauseLongerAndNeverShorter) {
  Reconnect pauses(500ms, 30s);
  EXPECT_EQ(pauses.next(3s, false, 1ms), 3s);
  EXPECT_EQ(pauses.next(3s, true, 1ms), 3s);
  EXPECT_EQ(pauses.next(1ms, true, 1ms), 500ms);
  EXPECT_EQ(pauses.next(Duration::max(), true, 1ms), 1h) << "and not for ever";
}

TEST(M115_Reconnect, AStreamThatWasOfUseOrLastedBeginsWithTheShortestPauseAgain) {
  Reconnect pauses(500ms, 30s);
  EXPECT_EQ(pauses.next({}, false, 1ms), 500ms);
  EXPECT_EQ(pauses.next({}, false, 1ms), 1s);
  EXPECT_EQ(pauses.next({}, true, 1ms), 500ms);
  EXPECT_EQ(pauses.next({}, false, 499ms), 1s);
  EXPECT_EQ(pauses.next({}, false, 999ms), 2s);
  EXPECT_EQ(pauses.next({}, false, 2s), 500ms);
}

struct Counted {
  explicit Counted(int& ends) : ends_(ends) {}
  void abort() { ++ends_; }

 private:
  int& ends_;
};

TEST(Exchanges, WhatHasEndedIsNotKept) {
  Exchanges<Counted> list;
  int ends = 0;
  const auto lasting = std::make_shared<Counted>(ends);
  list.add(lasting);
  for (int one = 0; one < 1'000; ++one) list.add(std::make_shared<Counted>(ends));
  EXPECT_LE(list.size(), 2U);
  list.abort_all();
  EXPECT_EQ(ends, 1);
}

}  // namespace
}  // namespace interline::runtimes::mcp

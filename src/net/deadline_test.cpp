#include "net/deadline.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <gtest/gtest.h>

namespace interline::net {
namespace {

TEST(Deadline, FiresOnceAndStaysExpiredUntilSetAnew) {
  asio::io_context context;
  int fired = 0;
  Deadline deadline(context.get_executor(), [&] { ++fired; });
  deadline.expires_after(Duration(1));
  EXPECT_FALSE(deadline.expired());
  context.run();
  EXPECT_EQ(fired, 1);
  EXPECT_TRUE(deadline.expired());
  deadline.expires_after(Duration(60'000));
  EXPECT_FALSE(deadline.expired());
}

TEST(Deadline, MovedLaterItFiresOnlyThen) {
  asio::io_context context;
  int fired = 0;
  Deadline deadline(context.get_executor(), [&] { ++fired; });
  deadline.expires_after(Duration(1));
  deadline.expires_after(Duration(30));
  asio::steady_timer between(context, Duration(10));
  int fired_between = -1;
  between.async_wait([&](auto) { fired_between = fired; });
  context.run();
  EXPECT_EQ(fired_between, 0);
  EXPECT_EQ(fired, 1);
}

TEST(Deadline, MovedEarlierItFiresThen) {
  asio::io_context context;
  int fired = 0;
  Deadline deadline(context.get_executor(), [&] { ++fired; });
  deadline.expires_after(Duration(600'000));
  deadline.expires_after(Duration(1));
  context.run_one();
  while (fired == 0) context.run_one();
  EXPECT_TRUE(deadline.expired());
}

TEST(Deadline, NeverAndStopAndTheLongestDurationDoNotFire) {
  asio::io_context context;
  int fired = 0;
  Deadline deadline(context.get_executor(), [&] { ++fired; });
  deadline.expires_after(Duration(1));
  deadline.expires_never();
  context.run();
  deadline.expires_after(Duration::max());
  context.restart();
  context.run();
  deadline.expires_after(Duration(600'000));
  deadline.stop();
  context.restart();
  context.run();  // returns at once: the timer was given back
  EXPECT_EQ(fired, 0);
}

TEST(Deadline, DestroyedWhilePendingItNeverFires) {
  asio::io_context context;
  int fired = 0;
  {
    Deadline deadline(context.get_executor(), [&] { ++fired; });
    deadline.expires_after(Duration(0));
  }
  context.run();
  EXPECT_EQ(fired, 0);
}

}  // namespace
}  // namespace interline::net

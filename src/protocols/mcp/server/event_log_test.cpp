#include "protocols/mcp/server/event_log.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

namespace interline::protocols::mcp::server {
namespace {

class EventLogs : public ::testing::Test {
 protected:
  boost::asio::io_context io_;
  std::shared_ptr<EventLog> log_ = std::make_shared<EventLog>(io_.get_executor(), "1", 3);
};

TEST_F(EventLogs, WhatWasToldIsThereInOrderForWhoeverComesBack) {
  EXPECT_TRUE(log_->tell("a"));
  EXPECT_TRUE(log_->tell("b"));
  log_->finish("c");
  EXPECT_EQ(log_->after(0)->message, "a");
  EXPECT_EQ(log_->after(1)->message, "b");
  EXPECT_EQ(log_->after(2)->message, "c");
  EXPECT_FALSE(log_->after(3).has_value());
  EXPECT_TRUE(log_->ended());
  EXPECT_FALSE(log_->tell("d"));
}

TEST_F(EventLogs, TheOldestIsForgottenFirst) {
  for (const auto* const message : {"a", "b", "c", "d"}) EXPECT_TRUE(log_->tell(message));
  EXPECT_EQ(log_->after(0)->message, "b");
  EXPECT_EQ(log_->after(0)->sequence, 2U);
}

TEST_F(EventLogs, AnAnswerWithNothingBeforeItIsAlone) {
  EXPECT_FALSE(log_->lone_answer().has_value());
  log_->finish("answer");
  EXPECT_EQ(log_->lone_answer(), "answer");
  const auto other = std::make_shared<EventLog>(io_.get_executor(), "2");
  EXPECT_TRUE(other->tell("first"));
  other->finish("answer");
  EXPECT_FALSE(other->lone_answer().has_value());
}

TEST_F(EventLogs, ClosingIsToldOnceAndToWhoComesLate) {
  int told = 0;
  log_->on_closed([&told] { ++told; });
  log_->close();
  log_->close();
  io_.run();
  EXPECT_EQ(told, 1);
  log_->on_closed([&told] { ++told; });
  EXPECT_EQ(told, 2);
  EXPECT_FALSE(log_->tell("too late"));
  log_->finish("too late");
  EXPECT_FALSE(log_->after(0).has_value());
}

TEST_F(EventLogs, WhoeverAttachesLastReads) {
  int first = 0;
  int second = 0;
  const auto one = log_->attach([&first] { ++first; });
  EXPECT_TRUE(log_->tell("a"));
  EXPECT_EQ(first, 1);
  const auto two = log_->attach([&second] { ++second; });
  EXPECT_EQ(first, 2) << "it is told that another reads";
  EXPECT_FALSE(log_->reads(one));
  EXPECT_TRUE(log_->reads(two));
  log_->detach(one);
  EXPECT_TRUE(log_->has_reader());
  EXPECT_TRUE(log_->tell("b"));
  EXPECT_EQ(second, 1);
  log_->detach(two);
  EXPECT_FALSE(log_->has_reader());
}

}  // namespace
}  // namespace interline::protocols::mcp::server

// What waits to be written on a connection of lines.
#include "bindings/mcp/line_outbox.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include "bindings/mcp/line_request.hpp"

namespace interline::mcp {
namespace {

class McpLineOutbox : public ::testing::Test {
 protected:
  boost::asio::io_context context_{1};
  const std::shared_ptr<LineOutbox> outbox_ = std::make_shared<LineOutbox>(context_.get_executor());
};

TEST_F(McpLineOutbox, M028_LineBreaksOfWhatOthersWroteAreSpaces) {
  outbox_->put(1, "{\n \"a\":\r\n1}");
  outbox_->put(2, "{}");
  EXPECT_EQ(outbox_->take(), "{  \"a\":  1}\n{}\n");
  EXPECT_EQ(outbox_->take(), "");
  EXPECT_EQ(outbox_->bytes(), 0U);
}

TEST_F(McpLineOutbox, NotificationsAreBoundedAndAnswersAreNot) {
  const std::string quarter(LineOutbox::kMostBytes / 4, 'x');
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(outbox_->offer(1, quarter));
  EXPECT_FALSE(outbox_->offer(1, quarter));
  outbox_->put(1, quarter);
  EXPECT_EQ(outbox_->bytes(), 4 * (quarter.size() + 1));
  std::size_t taken = 0;
  for (std::string text = outbox_->take(); !text.empty(); text = outbox_->take()) ++taken;
  EXPECT_EQ(taken, 4U);  // none shares a write with a line so long
  for (std::size_t i = 0; i < LineOutbox::kMostLines; ++i) ASSERT_TRUE(outbox_->offer(1, "{}"));
  EXPECT_FALSE(outbox_->offer(1, "{}"));
}

TEST_F(McpLineOutbox, WhatIsTakenBackIsNeverWritten) {
  outbox_->put(1, "one");
  outbox_->put(2, "two");
  outbox_->put(1, "three");
  outbox_->forget(1);
  EXPECT_EQ(outbox_->take(), "two\n");
}

TEST_F(McpLineOutbox, ClosedItTakesNothingInAndGivesOutTheRest) {
  outbox_->put(1, "one");
  outbox_->close();
  outbox_->put(1, "two");
  EXPECT_FALSE(outbox_->offer(1, "three"));
  EXPECT_EQ(outbox_->take(), "one\n");
}

TEST_F(McpLineOutbox, M030_ACancelledRequestSaysNothingAndWhoWorksForItIsTold) {
  LineRequest request(outbox_, 1, nullptr, "7", nullptr);
  int told = 0;
  request.on_closed([&told] { ++told; });
  EXPECT_TRUE(request.tell("progress"));
  request.cancel();
  request.cancel();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(request.closed());
  EXPECT_FALSE(request.tell("more"));
  EXPECT_FALSE(request.finish("answer"));
  EXPECT_EQ(outbox_->take(), "");
  request.on_closed([&told] { ++told; });  // it has gone: at once
  EXPECT_EQ(told, 2);
}

TEST_F(McpLineOutbox, M061_NothingIsToldAfterTheAnswer) {
  LineRequest request(outbox_, 1, nullptr, "7", nullptr);
  EXPECT_TRUE(request.finish("answer"));
  EXPECT_FALSE(request.tell("progress"));
  request.cancel();  // crossed it
  EXPECT_FALSE(request.closed());
  EXPECT_EQ(outbox_->take(), "answer\n");
}

}  // namespace
}  // namespace interline::mcp

#include "bindings/xmpp/send_queue.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::xmpp {
namespace {

using std::chrono::seconds;
using Verdict = SendQueue::Verdict;

SteadyTime at(int second) {
  return SteadyTime(seconds(second));
}

std::string next(SendQueue& queue) {
  std::string out;
  for (const std::string_view piece : queue.begin_batch()) out.append(piece).append(" ");
  queue.written();
  return out;
}

TEST(BriefSection2_SendQueue, KeepsOrder) {
  SendQueue queue({});
  queue.open(at(0));
  EXPECT_EQ(queue.push(SendKind::reply, "r1", at(0)), Verdict::queued);
  EXPECT_EQ(queue.push(SendKind::event, "e1", at(0)), Verdict::queued);
  EXPECT_EQ(queue.push(SendKind::stream, "ping", at(0)), Verdict::queued);
  EXPECT_EQ(queue.push(SendKind::own, "o1", at(0)), Verdict::queued);
  EXPECT_EQ(next(queue), "r1 e1 ping o1 ");
  EXPECT_EQ(next(queue), "");
  EXPECT_EQ(queue.bytes(), 0U);
}

TEST(BriefSection2_SendQueue, OnlyTheStreamsOwnBytesBeforeTheHandshake) {
  SendQueue queue({});
  EXPECT_EQ(queue.push(SendKind::reply, "r1", at(0)), Verdict::queued);
  EXPECT_EQ(queue.push(SendKind::event, "e1", at(0)), Verdict::refused);
  EXPECT_EQ(queue.push(SendKind::own, "o1", at(0)), Verdict::refused);
  EXPECT_EQ(queue.push(SendKind::stream, "header", at(0)), Verdict::queued);
  EXPECT_EQ(next(queue), "header ");
  EXPECT_EQ(next(queue), "");
  queue.open(at(1));
  EXPECT_EQ(next(queue), "r1 ");
}

TEST(BriefSection2_SendQueue, BatchesAreBounded) {
  SendQueue queue({.most = 1'000, .batch = 10, .reply_life = seconds(30)});
  queue.open(at(0));
  for (const char* bytes : {"aaaa", "bbbb", "cccc", "a longer one than ten", "d"}) {
    EXPECT_EQ(queue.push(SendKind::reply, bytes, at(0)), Verdict::queued);
  }
  EXPECT_EQ(next(queue), "aaaa bbbb ");
  EXPECT_EQ(next(queue), "cccc ");
  EXPECT_EQ(next(queue), "a longer one than ten ");
  EXPECT_EQ(next(queue), "d ");
}

TEST(BriefSection2_SendQueue, RepliesGoOutOnTheNextStreamForThirtySeconds) {
  SendQueue queue({});
  queue.open(at(0));
  (void)queue.push(SendKind::reply, "old", at(0));
  (void)queue.push(SendKind::event, "event", at(20));
  (void)queue.push(SendKind::own, "own", at(20));
  (void)queue.push(SendKind::stream, "ping", at(20));
  (void)queue.push(SendKind::reply, "new", at(20));
  queue.lost(at(25));
  EXPECT_EQ(queue.push(SendKind::reply, "later", at(26)), Verdict::queued);
  queue.open(at(30));
  EXPECT_EQ(next(queue), "event new later ");
}

TEST(BriefSection2_SendQueue, EventsGoOutOnTheNextStreamInTheirOrderAndHoweverLate) {
  SendQueue queue({});
  queue.open(at(0));
  (void)queue.push(SendKind::event, "e1", at(0));
  EXPECT_EQ(queue.begin_batch().size(), 1U);
  (void)queue.push(SendKind::event, "e2", at(0));
  (void)queue.push(SendKind::reply, "r", at(0));
  (void)queue.push(SendKind::event, "e3", at(0));
  queue.lost(at(1));
  EXPECT_EQ(queue.push(SendKind::event, "e4", at(2)), Verdict::refused);
  queue.open(at(3'600));
  EXPECT_EQ(next(queue), "e1 e2 e3 ");
}

TEST(BriefSection2_SendQueue, WhatIsBeingWrittenIsWrittenAgain) {
  SendQueue queue({.most = 1'000, .batch = 4, .reply_life = seconds(30)});
  queue.open(at(0));
  (void)queue.push(SendKind::reply, "r1", at(0));
  (void)queue.push(SendKind::event, "e1", at(0));
  (void)queue.push(SendKind::reply, "r2", at(0));
  EXPECT_EQ(queue.begin_batch().size(), 2U);
  queue.lost(at(1));
  EXPECT_EQ(queue.bytes(), 6U);
  queue.open(at(2));
  EXPECT_EQ(next(queue), "r1 e1 ");
  EXPECT_EQ(next(queue), "r2 ");
}

TEST(BriefSection2_SendQueue, ReadingPausesFromHalfUntilAQuarter) {
  SendQueue queue({.most = 16, .batch = 4, .reply_life = seconds(30)});
  queue.open(at(0));
  (void)queue.push(SendKind::reply, "1234567", at(0));
  EXPECT_FALSE(queue.congested());
  (void)queue.push(SendKind::reply, "8", at(0));
  EXPECT_TRUE(queue.congested());
  (void)next(queue);
  EXPECT_FALSE(queue.congested());
}

TEST(BriefSection2_SendQueue, AFullQueueRefusesTheRecoverableThenDropsEventsThenOverflows) {
  SendQueue queue({.most = 16, .batch = 100, .reply_life = seconds(30)});
  queue.open(at(0));
  (void)queue.push(SendKind::event, "eeeeeeee", at(0));
  (void)queue.push(SendKind::reply, "rrrrrrrr", at(0));
  EXPECT_EQ(queue.push(SendKind::event, "x", at(0)), Verdict::refused);
  EXPECT_EQ(queue.push(SendKind::own, "x", at(0)), Verdict::refused);
  EXPECT_EQ(queue.push(SendKind::reply, "yyyyyyyy", at(0)), Verdict::queued);
  EXPECT_EQ(queue.dropped_events(), 1U);
  EXPECT_EQ(queue.push(SendKind::reply, "z", at(0)), Verdict::overflow);
  queue.lost(at(1));
  EXPECT_EQ(queue.push(SendKind::stream, "header", at(1)), Verdict::queued);
  EXPECT_FALSE(queue.congested()) << "the next handshake must be read";
  EXPECT_EQ(next(queue), "header ");
  queue.open(at(2));
  EXPECT_TRUE(queue.congested());
  EXPECT_EQ(next(queue), "rrrrrrrr yyyyyyyy ");
}

TEST(BriefSection2_SendQueue, AClosingStreamWritesOnlyItsOwnBytes) {
  SendQueue queue({});
  queue.open(at(0));
  (void)queue.push(SendKind::reply, "r1", at(0));
  (void)queue.push(SendKind::stream, "error", at(0));
  queue.close();
  (void)queue.push(SendKind::reply, "r2", at(0));
  EXPECT_EQ(next(queue), "error ");
  queue.lost(at(0));
  queue.open(at(0));
  EXPECT_EQ(next(queue), "r1 r2 ");
}

}  // namespace
}  // namespace interline::xmpp

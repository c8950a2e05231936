#include "protocols/xmpp/history.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::xmpp {
namespace {

using tasks::EntryType;
using tasks::State;
using Verdict = History::Verdict;

Event event(tasks::Revision revision, EntryType type, std::string body, std::string id = "ev-") {
  Event made;
  made.task = "t";
  made.id = id + std::to_string(revision);
  made.revision = revision;
  made.type = type;
  made.body = std::move(body);
  return made;
}
Event status(tasks::Revision revision, std::string state) {
  return event(revision, EntryType::status,
               R"({"state":")" + state + R"(","updatedAt":"2026-01-01T00:00:00Z"})");
}
Event progress(tasks::Revision revision, std::string message = "m") {
  return event(revision, EntryType::progress, R"({"message":")" + message + R"("})");
}
Verdict judge(const History& history, const Event& event) {
  return history.judge(event, *read_event_body(event.type, event.body));
}
void take(History& history, const Event& event) {
  ASSERT_EQ(judge(history, event), Verdict::next);
  history.take(event, *read_event_body(event.type, event.body));
}

TEST(Checklist98_Events, TheNextRevisionIsApplied) {
  History history;
  take(history, status(1, "running"));
  take(history, progress(2));
  EXPECT_EQ(history.revision(), 2U);
  EXPECT_EQ(history.state(), State::running);
}

TEST(Checklist98_Events, ARepetitionIsIgnored) {
  History history;
  take(history, status(1, "running"));
  EXPECT_EQ(judge(history, status(1, "running")), Verdict::repeated);
  Event spaced = status(1, "running");
  spaced.body.insert(1, "  ");  // the same value in another spelling
  EXPECT_EQ(judge(history, spaced), Verdict::repeated);
}

TEST(Checklist98_Events, AConflictingRepetitionIsIgnoredAndNoted) {
  History history;
  take(history, status(1, "running"));
  EXPECT_EQ(judge(history, status(1, "cancelling")), Verdict::other);
  Event other_id = status(1, "running");
  other_id.id = "another";
  EXPECT_EQ(judge(history, other_id), Verdict::other);
}

TEST(Checklist98_Events, AGapIsNotStridden) {
  History history;
  EXPECT_EQ(judge(history, progress(2)), Verdict::gap);
}

TEST(Checklist98_Events, WhatTheTableOfTransitionsDoesNotHaveIsNoStep) {
  History history;
  EXPECT_EQ(judge(history, progress(1)), Verdict::illegal);  // nothing runs yet
  take(history, status(1, "cancelling"));
  EXPECT_EQ(judge(history, status(2, "running")), Verdict::illegal);
  EXPECT_EQ(judge(history, status(2, "cancelling")), Verdict::illegal);
  take(history, event(2, EntryType::cancelled, "{}"));
  EXPECT_TRUE(history.ended());
  EXPECT_EQ(judge(history, progress(3)), Verdict::illegal);
}

TEST(Recovery, AStateMovesWhatIsKnownForwardOnly) {
  History history;
  EXPECT_TRUE(history.jump(State::running, 5));
  EXPECT_EQ(judge(history, status(3, "running")), Verdict::repeated);
  take(history, progress(6));
  EXPECT_FALSE(history.jump(State::running, 5));
  EXPECT_EQ(history.revision(), 6U);
}

}  // namespace
}  // namespace interline::protocols::xmpp

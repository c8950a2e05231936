// What admission keeps, and when it is refused.
#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

const Admit::Admitted* admitted(const Admit& work) {
  return work.answer ? std::get_if<Admit::Admitted>(&*work.answer) : nullptr;
}
const Replay* replayed(const Admit& work) {
  return work.answer ? std::get_if<Replay>(&*work.answer) : nullptr;
}
ErrorKind kind(const Admit& work) {
  EXPECT_FALSE(work.answer.has_value());
  return work.answer ? ErrorKind::internal : work.answer.error().kind;
}

tasks::Admission whole_admission() {
  tasks::Admission made = admission(1);
  made.tenant = "acme";
  made.network = "a2a";
  made.request_key = "key";
  made.context = "conversation";
  made.metadata = R"({"traceparent":"00-1"})";
  made.deadline.emplace(Instant::parse_rfc3339("2026-12-31t23:59:60.5000z").value(),
                        tasks::DeadlineSource::caller);
  made.retention = 90min;
  made.answerable = 0x1F;
  made.cancellable = false;
  made.asks = false;
  made.reports_progress = false;
  made.rerun_on_restart = true;
  return made;
}

TEST(Admission, IsReadBackAsItWas) {
  TestStore t;
  Admit work = admit(whole_admission());
  work.attached = true;
  work.dispatch_boot = 7;
  const Admit done = t.commit_one(std::move(work));
  ASSERT_NE(admitted(done), nullptr);
  const tasks::Task& told = admitted(done)->task;
  EXPECT_EQ(told.dispatched_boot, 7U);
  EXPECT_TRUE(told.attached);
  EXPECT_EQ(describe(t.task(1)), describe(told));
  t.reopen();
  EXPECT_EQ(describe(t.task(1)), describe(told));
  EXPECT_EQ(t.task(1).admission->deadline->at.text(), "2026-12-31t23:59:60.5000z");
}

TEST(Admission, ANewBootIsCountedAtEachStart) {
  TestStore t;
  EXPECT_EQ(t.store->boot(), 1U);
  t.reopen();
  EXPECT_EQ(t.store->boot(), 2U);
}

TEST(Admission, NeedsTheVersionItPins) {
  TestStore t;
  tasks::Admission other = admission(1);
  other.version = "2";
  EXPECT_EQ(kind(t.commit_one(admit(other))), ErrorKind::not_found);
  tasks::Admission nowhere = admission(2);
  nowhere.endpoint = "nowhere";
  EXPECT_EQ(kind(t.commit_one(admit(nowhere))), ErrorKind::not_found);
}

TEST(Admission, NeedsTheContentItPins) {
  TestStore t;
  tasks::Admission other = admission(1);
  other.manifest_hash = sha256("other");
  EXPECT_EQ(kind(t.commit_one(admit(other))), ErrorKind::not_found);
}

TEST(Admission, AVersionRemovedInTheSameGroupIsGone) {
  TestStore t;
  t.commit_one(activate("weather", ""));
  const std::vector<Work> group = t.commit_all(remove("weather", "1"), admit(1));
  EXPECT_EQ(describe_answer(group[0]), "ok");
  EXPECT_EQ(kind(std::get<Admit>(group[1])), ErrorKind::not_found);
  EXPECT_FALSE(t.has_task(1));
}

TEST(Admission, ADeadlineIsComparedExactlyAtTheCommit) {
  TestStore t;
  const auto due = [&t](std::uint64_t number, std::string_view text) {
    tasks::Admission made = admission(number);
    made.deadline.emplace(Instant::parse_xep0082(text).value(), tasks::DeadlineSource::caller);
    return t.commit_one(admit(made));
  };
  t.now = Instant::parse_xep0082("2027-01-01T00:00:00.123456789Z").value().floor();
  EXPECT_EQ(kind(due(1, "2027-01-01T00:00:00.123456789Z")), ErrorKind::not_acceptable);
  EXPECT_EQ(kind(due(2, "2027-01-01T00:00:00.1234567889Z")), ErrorKind::not_acceptable);
  EXPECT_NE(admitted(due(3, "2027-01-01T00:00:00.1234567891Z")), nullptr);
}

TEST(ReplayClaim, TheSameRequestFindsTheFirstTask) {
  TestStore t;
  ASSERT_NE(admitted(t.commit_one(claimed(1, "key"))), nullptr);
  const Admit again = t.commit_one(claimed(2, "key"));
  ASSERT_NE(replayed(again), nullptr);
  EXPECT_EQ(replayed(again)->task, numbered("task", 1));
  EXPECT_EQ(replayed(again)->answer, "answer of " + numbered("task", 1));
  EXPECT_FALSE(t.has_task(2));
}

TEST(ReplayClaim, AnotherContentUnderTheSameKeyIsAConflict) {
  TestStore t;
  t.commit_one(claimed(1, "key"));
  const Admit other = t.commit_one(claimed(2, "key", "other"));
  ASSERT_FALSE(other.answer);
  EXPECT_EQ(other.answer.error().kind, ErrorKind::conflict);
  EXPECT_EQ(other.answer.error().reason, ErrorReason::different_request);
}

TEST(ReplayClaim, IsUniqueWithinAGroup) {
  TestStore t;
  const std::vector<Work> group =
      t.commit_all(claimed(1, "key"), claimed(2, "key"), claimed(3, "key", "other"));
  EXPECT_NE(admitted(std::get<Admit>(group[0])), nullptr);
  ASSERT_NE(replayed(std::get<Admit>(group[1])), nullptr);
  EXPECT_EQ(replayed(std::get<Admit>(group[1]))->task, numbered("task", 1));
  EXPECT_EQ(kind(std::get<Admit>(group[2])), ErrorKind::conflict);
}

TEST(ReplayClaim, ScopesDoNotRunIntoKeys) {
  TestStore t;
  Admit a = claimed(1, "bc");
  a.claim->scope = "a";
  Admit b = claimed(2, "c");
  b.claim->scope = "ab";
  EXPECT_NE(admitted(t.commit_one(std::move(a))), nullptr);
  EXPECT_NE(admitted(t.commit_one(std::move(b))), nullptr);
}

TEST(ReplayClaim, IsRecognisedBeforeAnythingThatChangedSince) {
  TestStore t;
  Admit first = claimed(1, "key");
  t.commit_one(first);
  t.commit_one(tell(1, complete()));
  t.now += 30min;
  Admit again = claimed(2, "key");
  tasks::Admission late = admission(2);
  late.deadline.emplace(Instant(kStart), tasks::DeadlineSource::caller);
  late.version = "removed";
  again.admission = std::make_shared<const tasks::Admission>(late);
  again.records.push_back(put("r", "x", Expect::present));
  EXPECT_NE(replayed(t.commit_one(std::move(again))), nullptr);
}

TEST(ReplayClaim, ARefusedAdmissionLeavesNone) {
  TestStore t;
  Admit refused = claimed(1, "key");
  refused.records.push_back(put("r", "x", Expect::present));
  EXPECT_EQ(kind(t.commit_one(std::move(refused))), ErrorKind::conflict);
  EXPECT_NE(admitted(t.commit_one(claimed(2, "key"))), nullptr);
}

TEST(ReplayClaim, LivesAsLongAsItsTaskIsKept) {
  TestStore t;
  t.commit_one(claimed(1, "key"));  // window of an hour, retention of a day
  t.now = kStart + 20h;
  t.commit_one(Purge{});
  EXPECT_NE(replayed(t.commit_one(claimed(2, "key"))), nullptr);
  t.now = kStart + 30h;  // not settled: the task is kept, whatever was promised
  t.commit_one(Purge{});
  EXPECT_NE(replayed(t.commit_one(claimed(3, "key"))), nullptr);
  t.commit_one(tell(1, complete()));
  t.now = kStart + 53h;  // kept a day after it settled
  t.commit_one(Purge{});
  EXPECT_NE(replayed(t.commit_one(claimed(4, "key"))), nullptr);
  t.now = kStart + 54h;
  EXPECT_NE(admitted(t.commit_one(claimed(5, "key"))), nullptr);
}

TEST(ReplayClaim, OutlivesAPurgedTaskUntilItsWindowEnds) {
  TestStore t;
  Admit work = claimed(1, "key");
  tasks::Admission brief = admission(1);
  brief.retention = 1min;
  work.admission = std::make_shared<const tasks::Admission>(brief);
  t.commit_one(std::move(work));
  t.commit_one(tell(1, complete()));
  t.now = kStart + 10min;
  t.commit_one(Purge{});
  EXPECT_FALSE(t.has_task(1));
  EXPECT_NE(replayed(t.commit_one(claimed(2, "key"))), nullptr);
  EXPECT_EQ(t.store->replay("scope", "key", t.now).value()->task, numbered("task", 1));
  t.now = kStart + 1h;
  EXPECT_NE(admitted(t.commit_one(claimed(3, "key"))), nullptr);
  EXPECT_EQ(t.store->replay("scope", "key", t.now).value()->task, numbered("task", 3));
}

TEST(ReplayClaim, EndsByWhatIsKeptAndNotByTheClock) {
  TestStore t;
  t.commit_one(claimed(1, "key"));
  t.commit_one(tell(1, complete()));
  std::vector<Work> group;
  group.emplace_back(Purge{});
  group.emplace_back(claimed(2, "key"));
  ASSERT_EQ(t.store->commit(group, {kStart + 9'000h, kStart + 24h - 1ns}), GroupEnd::committed);
  EXPECT_EQ(std::get<Purge>(group[0]).answer, 0U);
  EXPECT_NE(replayed(std::get<Admit>(group[1])), nullptr);
  EXPECT_TRUE(t.has_task(1));
}

TEST(ReplayClaim, IsAsIfItNeverWasWhenItIsOverPurgedOrNot) {
  TestStore t;
  t.commit_one(claimed(1, "key"));  // window of an hour, retention of a day
  EXPECT_TRUE(t.store->replay("scope", "key", kStart + 48h).value());  // its task is open
  t.commit_one(tell(1, complete()));
  EXPECT_TRUE(t.store->replay("scope", "key", kStart + 24h - 1ns).value());
  EXPECT_FALSE(t.store->replay("scope", "key", kStart + 24h).value());
}

TEST(ReplayClaim, APurgeDropsItWithItsWindowAndItsTask) {
  TestStore t;
  t.commit_one(claimed(1, "key"));
  t.commit_one(tell(1, complete()));
  t.now = kStart + 24h;
  t.commit_one(Purge{});
  EXPECT_FALSE(t.store->replay("scope", "key", t.now).value());
}

TEST(Admission, RecordsRideInItsCommit) {
  TestStore t;
  Admit work = admit(1);
  work.records.push_back(put("r", "bytes"));
  work.records.back().record.task = numbered("task", 1);
  t.commit_one(std::move(work));
  const auto records = t.store->records_of_task(numbered("task", 1), "xmpp").value();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].bytes, "bytes");
  EXPECT_EQ(records[0].task, numbered("task", 1));
}

TEST(Admission, AnIdUsedTwiceHurtsNoNeighbour) {
  TestStore t;
  t.commit_one(admit(1));
  const std::vector<Work> group =
      t.commit_all(admit(2), admit(1), claimed(3, "key"), tell(2, complete()));
  EXPECT_NE(admitted(std::get<Admit>(group[0])), nullptr);
  EXPECT_EQ(kind(std::get<Admit>(group[1])), ErrorKind::internal);
  EXPECT_NE(admitted(std::get<Admit>(group[2])), nullptr);
  EXPECT_EQ(std::get<Apply>(group[3]).answer->task.state, tasks::State::completed);
  EXPECT_EQ(t.task(2).state, tasks::State::completed);
  EXPECT_EQ(t.task(3).state, tasks::State::accepted);
}

TEST(Admission, WhatCannotBeStoredHurtsNoNeighbour) {
  TestStore t;
  tasks::Admission huge = admission(1);
  huge.metadata.assign(100'000'001, ' ');
  const std::vector<Work> group = t.commit_all(admit(2), admit(std::move(huge)), admit(3));
  EXPECT_NE(admitted(std::get<Admit>(group[0])), nullptr);
  EXPECT_EQ(kind(std::get<Admit>(group[1])), ErrorKind::resource_constraint);
  EXPECT_NE(admitted(std::get<Admit>(group[2])), nullptr);
}

}  // namespace
}  // namespace interline::store

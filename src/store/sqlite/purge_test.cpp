// What is past its retention goes, with all that is its own, and a bounded number of rows at a
// time.
#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

std::size_t purge(TestStore& t, std::size_t limit = 1'000) {
  Purge work;
  work.limit = limit;
  return t.commit_one(std::move(work)).answer.value();
}

TEST(Purge, TakesASettledTaskWithAllThatIsItsOwn) {
  TestStore t;
  RecordChange own = put("own", "1");
  own.record.task = numbered("task", 1);
  t.commit_all(admit(1), admit(2), change({own, put("free", "2")}), tell(1, tasks::Start{}),
               tell(1, output("a", "[1]", false, true)), tell(1, complete()));
  EXPECT_EQ(purge(t), 0U);
  t.now = kStart + 24h - 1ns;
  EXPECT_EQ(purge(t), 0U);
  t.now = kStart + 24h;
  EXPECT_EQ(purge(t), 4U);  // the row and three entries
  EXPECT_FALSE(t.has_task(1));
  EXPECT_TRUE(t.has_task(2));  // not settled
  EXPECT_TRUE(t.store->log(numbered("task", 1), 0, 10).value().empty());
  EXPECT_TRUE(t.store->artifacts(numbered("task", 1)).value().empty());
  EXPECT_FALSE(t.store->record({"xmpp", "route", "own"}).value());
  EXPECT_TRUE(t.store->record({"xmpp", "route", "free"}).value());
  EXPECT_EQ(purge(t), 0U);
}

TEST(Purge, KeepsTheTotalsRight) {
  TestStore t;
  for (std::uint64_t i = 1; i <= 6; ++i) {
    tasks::Admission made = admission(i);
    made.context = i % 2 == 0 ? "c" : "";
    if (i > 4) made.owner = "mcp:bob";
    t.commit_one(admit(made));
  }
  for (std::uint64_t i : {1, 2, 5, 6}) t.commit_one(tell(i, complete()));
  t.now += 24h;
  purge(t);
  TaskQuery query;
  EXPECT_EQ(t.store->list_tasks(query).value().total, 2U);
  query.owners = {"xmpp:alice@example.test"};
  EXPECT_EQ(t.store->list_tasks(query).value().total, 2U);
  query.context = "c";
  EXPECT_EQ(t.store->list_tasks(query).value().total, 1U);
  query.owners = {"mcp:bob"};
  query.context.reset();
  EXPECT_EQ(t.store->list_tasks(query).value().total, 0U);
  tasks::Admission again = admission(7);
  again.owner = "mcp:bob";
  again.context = "c";
  t.commit_one(admit(again));
  EXPECT_EQ(t.store->list_tasks(query).value().total, 1U);
}

TEST(Purge, IsBounded) {
  TestStore t;
  for (std::uint64_t i = 1; i <= 20; ++i) t.commit_all(admit(i), tell(i, complete()));
  t.now += 24h;
  std::size_t rounds = 0;
  for (std::size_t gone = 10; gone >= 10; ++rounds) {
    gone = purge(t, 10);
    EXPECT_LE(gone, 10U);
  }
  EXPECT_EQ(rounds, 5U);  // 40 rows, ten at a time, and one that finds nothing
  EXPECT_TRUE(t.listed({}).empty());
}

TEST(Purge, TakesALongLogInPieces) {
  TestStore t;
  t.commit_one(admit(1));
  tasks::Note note;
  note.body = "{}";
  std::vector<Work> group;
  for (int i = 0; i < 95; ++i) group.emplace_back(tell(1, note));
  group.emplace_back(tell(1, complete()));
  t.commit(group);
  t.commit_one(admit(2));
  t.commit_one(tell(2, tasks::Start{}));
  t.now += 24h;
  std::size_t all = purge(t, 10);
  EXPECT_EQ(all, 10U);
  EXPECT_FALSE(t.has_task(1));  // gone at once; its log follows
  t.reopen();
  for (std::size_t gone = 10; gone >= 10;) all += gone = purge(t, 10);
  EXPECT_EQ(all, 97U);
  EXPECT_EQ(t.store->log(numbered("task", 2), 0, 10).value().size(), 1U);
}

TEST(Purge, ANumberIsNotGivenAgainWhileALogOfItIsLeft) {
  TestStore t;
  t.commit_one(admit(1));
  tasks::Note note;
  note.body = "{}";
  std::vector<Work> group;
  for (int i = 0; i < 20; ++i) group.emplace_back(tell(1, note));
  group.emplace_back(tell(1, complete()));
  t.commit(group);
  t.now += 24h;
  EXPECT_EQ(purge(t, 5), 5U);
  t.reopen();
  t.commit_all(admit(2), tell(2, note), tell(2, complete()));
  EXPECT_EQ(t.store->log(numbered("task", 2), 0, 100).value().size(), 2U);
  purge(t);
  EXPECT_EQ(t.store->log(numbered("task", 2), 0, 100).value().size(), 2U);
}

TEST(Purge, ATaskItTookIsGoneForTheRestOfTheGroup) {
  TestStore t;
  t.commit_one(admit(1));
  t.now += 25h;
  tasks::Admission brief = admission(2);
  brief.retention = 0ns;
  brief.created = kStart;
  const std::vector<Work> group =
      t.commit_all(admit(brief), tell(2, complete()), Purge{}, tell(2, tasks::Cancel{}));
  EXPECT_EQ(describe_answer(group[2]), "purged");
  EXPECT_EQ(describe_answer(group[3]), "not_found/none");
  EXPECT_FALSE(t.has_task(2));
  EXPECT_TRUE(t.has_task(1));
}

TEST(Purge, TakesRecordsPastTheirExpiry) {
  TestStore t;
  RecordChange brief = put("a", "1");
  brief.record.expires = kStart + 1h;
  t.commit_one(change({brief, put("b", "2")}));
  t.now = kStart + 1h;
  EXPECT_EQ(purge(t), 1U);
  EXPECT_FALSE(t.store->record({"xmpp", "route", "a"}).value());
  EXPECT_TRUE(t.store->record({"xmpp", "route", "b"}).value());
}

TEST(Purge, LooksOnceAtTheClaimOfATaskThatNeverSettles) {
  TestStore t;
  t.commit_one(claimed(1, "key"));
  t.now = kStart + 24h;
  EXPECT_EQ(purge(t), 1U);
  EXPECT_EQ(purge(t), 0U);
  t.now = kStart + 47h;
  EXPECT_EQ(purge(t), 0U);
  EXPECT_TRUE(t.store->replay("scope", "key", t.now).value());
}

}  // namespace
}  // namespace interline::store

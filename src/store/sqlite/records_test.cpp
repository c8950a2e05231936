// Binding records and host logs.
#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

std::string result(const Result<void>& answer) {
  if (answer) return "ok";
  return std::string(to_string(answer.error().kind));
}

std::string bytes_of(TestStore& t, std::string key) {
  const auto record = t.store->record({"xmpp", "route", std::move(key)}).value();
  return record ? record->bytes : "none";
}

TEST(Records, AreKeptReplacedAndDropped) {
  TestStore t;
  RecordChange first = put("r", std::string("a\0b", 3));
  first.record.expires = kStart + 1h;
  t.commit_one(change({first}));
  t.reopen();
  EXPECT_EQ(describe(*t.store->record({"xmpp", "route", "r"}).value()), describe(first.record));
  t.commit_one(change({put("r", "second")}));
  EXPECT_EQ(bytes_of(t, "r"), "second");
  EXPECT_FALSE(t.store->record({"xmpp", "route", "r"}).value()->expires);
  EXPECT_EQ(result(t.commit_one(change({drop("r"), drop("never was")})).answer), "ok");
  EXPECT_EQ(bytes_of(t, "r"), "none");
}

TEST(Records, AreApartByBindingAndKind) {
  TestStore t;
  RecordChange a = put("r", "a");
  RecordChange b = put("r", "b");
  b.record.kind = "push";
  RecordChange c = put("r", "c");
  c.record.binding = "mcp";
  t.commit_one(change({a, b, c}));
  EXPECT_EQ(t.store->records("xmpp", "route", "", 10).value().size(), 1U);
  EXPECT_EQ(t.store->record({"mcp", "route", "r"}).value()->bytes, "c");
}

TEST(Records, AnExpectationThatFailsStopsTheWholeWork) {
  TestStore t;
  EXPECT_EQ(result(t.commit_one(change({put("a", "1"), put("b", "1", Expect::present)})).answer),
            "conflict");
  EXPECT_EQ(bytes_of(t, "a"), "none");
  EXPECT_EQ(result(t.commit_one(change({put("a", "1", Expect::absent)})).answer), "ok");
  EXPECT_EQ(result(t.commit_one(change({put("a", "2", Expect::absent)})).answer), "conflict");
  EXPECT_EQ(result(t.commit_one(change({drop("a", Expect::present)})).answer), "ok");
  EXPECT_EQ(result(t.commit_one(change({drop("a", Expect::present)})).answer), "conflict");
}

TEST(Records, ExpectationsSeeTheGroupSoFar) {
  TestStore t;
  const std::vector<Work> group =
      t.commit_all(change({put("a", "1", Expect::absent)}), change({put("a", "2", Expect::absent)}),
                   change({put("a", "3", Expect::present)}));
  EXPECT_EQ(describe_answer(group[0]), "ok");
  EXPECT_EQ(describe_answer(group[1]), "conflict/none");
  EXPECT_EQ(describe_answer(group[2]), "ok");
  EXPECT_EQ(bytes_of(t, "a"), "3");
}

TEST(Records, ThatHaveExpiredCountAsAbsent) {
  TestStore t;
  RecordChange brief = put("a", "1");
  brief.record.expires = kStart + 1h;
  t.commit_one(change({brief}));
  t.now = kStart + 1h;
  EXPECT_EQ(result(t.commit_one(change({put("a", "2", Expect::present)})).answer), "conflict");
  EXPECT_EQ(result(t.commit_one(change({put("a", "2", Expect::absent)})).answer), "ok");
}

TEST(Records, OfATaskNeedItToBeKept) {
  TestStore t;
  RecordChange of_task = put("a", "1");
  of_task.record.task = numbered("task", 1);
  EXPECT_EQ(result(t.commit_one(change({of_task})).answer), "not_found");
  t.commit_one(admit(1));
  EXPECT_EQ(result(t.commit_one(change({of_task})).answer), "ok");
  EXPECT_EQ(t.store->records_of_task(numbered("task", 1), "xmpp").value().size(), 1U);
  EXPECT_TRUE(t.store->records_of_task(numbered("task", 1), "mcp").value().empty());
  EXPECT_TRUE(t.store->records_of_task("", "xmpp").value().empty());
}

TEST(Records, ArePagedByKeyAndByOwner) {
  TestStore t;
  std::vector<RecordChange> changes;
  for (const char* key : {"d", "b", "a", "c", "e"}) {
    changes.push_back(put(key, key));
    if (*key > 'c') changes.back().record.owner = "mcp:other";
  }
  t.commit_one(change(changes));
  const auto page = t.store->records("xmpp", "route", "b", 2).value();
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(page[0].key, "c");
  EXPECT_EQ(page[1].key, "d");
  const auto own =
      t.store->records_of_owner("xmpp:alice@example.test", "xmpp", "route", "a", 10).value();
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[1].key, "c");
}

TEST(Records, MayBeLarge) {
  TestStore t;
  const std::string large(3'000'000, 'x');
  t.commit_one(change({put("a", large)}));
  EXPECT_EQ(bytes_of(t, "a"), large);
}

TEST(HostLog, IsNumberedByTenant) {
  TestStore t;
  t.commit_all(audit("a", "1"), audit("b", "2"), audit("a", "3"));
  t.reopen();
  t.commit_one(audit("a", "4"));
  const auto rows = t.store->audit("a", 1, 10).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].sequence, 2U);
  EXPECT_EQ(rows[0].body, "3");
  EXPECT_EQ(rows[1].sequence, 3U);
  EXPECT_EQ(rows[1].time, kStart);
  EXPECT_EQ(t.store->audit("b", 0, 10).value().size(), 1U);
}

TEST(HostLog, IsBoundedByCountAndByAge) {
  TestStore t(std::make_unique<SimulatedDisk>(), [](SqliteOptions& options) {
    options.audit_entries = 5;
    options.audit_age = std::chrono::days(2);
  });
  for (int i = 1; i <= 8; ++i) t.commit_all(audit("a", std::to_string(i)), audit("b", "x"));
  t.commit_one(Purge{});
  const auto rows = t.store->audit("a", 0, 100).value();
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].sequence, 4U);
  t.now += 24h;
  t.commit_one(audit("a", "9"));
  t.now += 24h;
  t.commit_one(Purge{});
  const auto left = t.store->audit("a", 0, 100).value();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].sequence, 9U);
  EXPECT_TRUE(t.store->audit("b", 0, 100).value().empty());
  t.commit_one(audit("b", "y"));
  EXPECT_EQ(t.store->audit("b", 0, 100).value()[0].sequence, 9U);
}

}  // namespace
}  // namespace interline::store

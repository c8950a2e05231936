// list_tasks: newest status first, by keyset, with totals.
#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

constexpr const char* kAlice = "xmpp:alice@example.test";

TaskQuery of(std::vector<std::string> owners) {
  TaskQuery query;
  query.owners = std::move(owners);
  return query;
}

std::vector<std::string> ids(std::initializer_list<std::uint64_t> numbers) {
  std::vector<std::string> made;
  for (const std::uint64_t number : numbers) made.push_back(numbered("task", number));
  return made;
}

/// Tasks 1 to 12: owners alice, bob, carol in turn; every third in context "c"; each a second
/// later.
void fill(TestStore& t) {
  constexpr std::array<const char*, 3> kOwners = {kAlice, "mcp:bob", "key:carol"};
  for (std::uint64_t i = 1; i <= 12; ++i) {
    tasks::Admission made = admission(i);
    made.owner = kOwners[(i - 1) % 3];
    made.created = kStart + std::chrono::seconds(i);
    if (i % 2 == 0) made.context = "c";
    t.commit_one(admit(made));
  }
  t.now = kStart + 1h;
}

TEST(ListTasks, NewestStatusFirst) {
  TestStore t;
  fill(t);
  EXPECT_EQ(t.listed(of({kAlice})), ids({10, 7, 4, 1}));
  t.commit_one(tell(4, tasks::Start{}));
  EXPECT_EQ(t.listed(of({kAlice})), ids({4, 10, 7, 1}));
}

TEST(ListTasks, AnAccountsPrincipalsAreMerged) {
  TestStore t;
  fill(t);
  const TaskPage page = t.store->list_tasks(of({kAlice, "mcp:bob", "mcp:nobody", kAlice})).value();
  EXPECT_EQ(page.total, 8U);
  EXPECT_EQ(t.listed(of({kAlice, "mcp:bob", kAlice})), ids({11, 10, 8, 7, 5, 4, 2, 1}));
}

TEST(ListTasks, WithoutOwnersEverybodys) {
  TestStore t;
  fill(t);
  EXPECT_EQ(t.listed({}), ids({12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  TaskQuery in_context;
  in_context.context = "c";
  EXPECT_EQ(t.listed(in_context), ids({12, 10, 8, 6, 4, 2}));
  EXPECT_EQ(t.store->list_tasks(in_context).value().total, 6U);
}

TEST(ListTasks, ByContext) {
  TestStore t;
  fill(t);
  TaskQuery query = of({kAlice});
  query.context = "c";
  EXPECT_EQ(t.listed(query), ids({10, 4}));
  EXPECT_EQ(t.store->list_tasks(query).value().total, 2U);
  query.context = "d";
  EXPECT_TRUE(t.listed(query).empty());
  query.context = "";
  EXPECT_TRUE(t.listed(query).empty());
}

TEST(ListTasks, ByState) {
  TestStore t;
  fill(t);
  t.commit_all(tell(1, complete()), tell(4, tasks::Start{}), tell(7, complete()));
  TaskQuery query = of({kAlice});
  query.states = {tasks::State::completed};
  EXPECT_EQ(t.listed(query), ids({7, 1}));
  EXPECT_EQ(t.store->list_tasks(query).value().total, 2U);
  query.states = {tasks::State::running, tasks::State::accepted};
  EXPECT_EQ(t.listed(query), ids({4, 10}));
}

TEST(ListTasks, ByTimeInclusive) {
  TestStore t;
  fill(t);
  TaskQuery query = of({kAlice});
  query.updated_since = kStart + 7s;
  EXPECT_EQ(t.listed(query), ids({10, 7}));
  EXPECT_EQ(t.store->list_tasks(query).value().total, 2U);
  query.updated_since = kStart + 7s + 1ns;
  EXPECT_EQ(t.listed(query), ids({10}));
}

std::vector<std::string> paged(TestStore& t, TaskQuery query, std::size_t limit,
                               std::size_t total) {
  std::vector<std::string> all;
  query.limit = limit;
  for (;;) {
    const TaskPage page = t.store->list_tasks(query).value();
    EXPECT_EQ(page.total, total);
    if (page.tasks.empty()) return all;
    EXPECT_LE(page.tasks.size(), limit);
    for (const tasks::Task& task : page.tasks) all.push_back(task.id());
    query.after_time = page.tasks.back().updated;
    query.after_id = page.tasks.back().id();
  }
}

TEST(ListTasks, PagesLeaveNothingOutAndRepeatNothing) {
  TestStore t;
  fill(t);
  std::vector<Work> group;
  for (std::uint64_t i = 1; i <= 12; i += 2) group.emplace_back(tell(i, tasks::Start{}));
  t.commit(group);  // all at one instant
  for (const std::vector<std::string>& owners :
       {std::vector<std::string>{kAlice}, {kAlice, "mcp:bob"}, {}}) {
    const std::vector<std::string> whole = t.listed(of(owners));
    for (std::size_t limit = 1; limit <= 5; ++limit) {
      EXPECT_EQ(paged(t, of(owners), limit, whole.size()), whole);
    }
  }
}

TEST(ListTasks, OfManyOwnersIsTheSameAsOfFew) {
  TestStore t;
  for (std::uint64_t i = 1; i <= 300; ++i) {
    tasks::Admission made = admission(i);
    made.owner = "key:" + std::to_string(i * 7 % 40);
    made.created = kStart + std::chrono::seconds(i / 3);
    t.commit_one(admit(made));
  }
  const std::vector<std::string> all = paged(t, {}, 17, 300);
  ASSERT_EQ(all.size(), 300U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], numbered("task", 300 - i));
}

TEST(ListTasks, ACursorOutlivesItsTask) {
  TestStore t;
  fill(t);
  TaskQuery query = of({kAlice});
  query.limit = 2;
  const TaskPage first = t.store->list_tasks(query).value();
  query.after_time = first.tasks.back().updated;
  query.after_id = first.tasks.back().id();
  t.commit_one(tell(7, complete()));
  t.now += 25h;
  t.commit_one(Purge{});
  EXPECT_EQ(t.listed(query), ids({4, 1}));
}

TEST(ListTasks, TasksAreWhole) {
  TestStore t;
  tasks::Admission made = admission(1);
  made.context = "c";
  t.commit_all(admit(made), tell(1, ask()), tell(1, complete()));
  const TaskPage page = t.store->list_tasks({}).value();
  ASSERT_EQ(page.tasks.size(), 1U);
  EXPECT_EQ(describe(page.tasks[0]), describe(t.task(1)));
  EXPECT_NE(page.tasks[0].outcome, "");
}

}  // namespace
}  // namespace interline::store

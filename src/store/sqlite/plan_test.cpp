// Indexes are designed, not found: no statement of the store reads a table from end to end, or
// sorts, but those few that are named here.
#include <set>
#include <sqlite3.h>

#include <gtest/gtest.h>

#include "store/sqlite/reader_pool.hpp"
#include "store/sqlite/writer.hpp"
#include "store/testing/random_work.hpp"
#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

/// What the plans of all prepared statements say of scans and sorts.
std::set<std::string> remarks(const Connection& connection) {
  std::vector<std::string> statements;
  for (sqlite3_stmt* at = sqlite3_next_stmt(connection.handle(), nullptr); at != nullptr;
       at = sqlite3_next_stmt(connection.handle(), at)) {
    statements.emplace_back(sqlite3_sql(at));
  }
  std::set<std::string> found;
  for (const std::string& sql : statements) {
    const std::string explain = "EXPLAIN QUERY PLAN " + sql;
    Statement plan(connection, explain);
    Rows rows = plan.rows();
    while (rows.next()) {
      const std::string line = rows.text(3);
      const bool costly = line.starts_with("SCAN") || line.starts_with("USE TEMP");
      if (costly && !line.starts_with("SCAN CONSTANT")) found.insert(line + " in " + sql);
    }
  }
  EXPECT_GT(statements.size(), 10U);
  return found;
}

TEST(Plans, OfReadersUseIndexes) {
  TestStore t;
  Reader reader(kPath, Connection::Options{t.disk->vfs(), Connection::Access::write, 1U << 20U});
  std::mt19937_64 random(1);
  RandomWork works(random);
  (void)reader.tasks.task("x");
  (void)reader.tasks.replay("x", "x", kStart);
  (void)reader.tasks.log("x", 0, 1);
  (void)reader.tasks.artifacts("x");
  (void)reader.tasks.due_before(kStart);
  (void)reader.tasks.open_tasks("x", 1);
  t.commit_one(admit(1));
  for (int i = 0; i < 100; ++i) (void)reader.list.page(works.query());
  (void)reader.records.record({"x", "x", "x"});
  (void)reader.records.records("x", "x", "x", 1);
  (void)reader.records.records_of_task("x", "x");
  (void)reader.records.records_of_owner("x", "x", "x", "x", 1);
  (void)reader.catalog.endpoints("x", 1);
  (void)reader.catalog.versions("x");
  (void)reader.catalog.manifest("x", "x");
  (void)reader.catalog.loss_report("x", "x");
  (void)reader.catalog.audit("x", 0, 1);
  const std::set<std::string> expected = {
      "SCAN owners in SELECT number, tasks FROM owners",  // an operator's list
  };
  EXPECT_EQ(remarks(reader.connection), expected);
}

TEST(Plans, OfTheWriterUseIndexes) {
  TestStore t;
  t.store.reset();
  const Connection::Options options{t.disk->vfs(), Connection::Access::write, 1U << 20U};
  const Connection connection(kPath, options);
  Checkpointer checkpointer(kPath, options, CheckpointLimits{1'000, 1'000, false}, Logger());
  WriterOptions settings;
  settings.versions_per_endpoint = 100;
  settings.audit.age = 1min;
  Writer writer(connection, checkpointer, SpaceReserve("", "", 0), settings, Logger());
  std::mt19937_64 random(1);
  RandomWork works(random);
  for (int i = 0; i < 2'000; ++i) {
    std::vector<Work> one;
    one.push_back(works.next());
    ASSERT_EQ(writer.commit(one, works.next_time()), GroupEnd::committed);
  }
  const std::set<std::string> expected = {
      "SCAN meta in UPDATE meta SET group_number = ?1, now = ?2, tasks = ?3",  // one row
      "SCAN p in SELECT p.task, p.sequence, (SELECT min(l.sequence) FROM log l"
      " WHERE l.task = p.task) FROM purged p LIMIT 1",               // the first row
      "SCAN tenants in SELECT tenant, oldest, newest FROM tenants",  // a purge, a tenant a row
  };
  EXPECT_EQ(remarks(connection), expected);
}

}  // namespace
}  // namespace interline::store

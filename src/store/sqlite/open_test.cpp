// Opening: migrations, foreign and newer databases, the lock, what the file system says.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <unistd.h>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "store/sqlite/opening.hpp"
#include "store/sqlite/schema.hpp"
#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace std::chrono_literals;
using namespace testing;

constexpr std::chrono::milliseconds kLook = 1min;

std::int64_t one_number(const Connection& connection, std::string_view sql) {
  Statement statement(connection, sql);
  Rows rows = statement.rows();
  return rows.next() ? rows.integer(0) : -1;
}

Connection connect(const SimulatedDisk& disk) {
  return Connection(kPath, Connection::Options{disk.vfs(), Connection::Access::create, 1U << 20U});
}

const Migration kFirst = {1, "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);"};
const Migration kSecond = {2, "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;"};
const Migration kBroken = {2, "UPDATE a SET x = 5; UPDATE nothing SET x = 1;"};

TEST(Migrations, AreNumberedFrom1WithoutAGap) {
  int number = 0;
  for (const Migration& migration : migrations()) EXPECT_EQ(migration.number, ++number);
  EXPECT_GT(number, 0);
}

TEST(Migrations, AnOlderDatabaseIsBroughtForward) {
  const SimulatedDisk disk;
  const Connection connection = connect(disk);
  ASSERT_TRUE(migrate(connection, kPath, {&kFirst, 1}));
  const Migration both[] = {kFirst, kSecond};
  ASSERT_TRUE(migrate(connection, kPath, both));
  ASSERT_TRUE(migrate(connection, kPath, both));
  EXPECT_EQ(one_number(connection, "SELECT y FROM a"), 2);
  EXPECT_EQ(one_number(connection, "PRAGMA user_version"), 2);
}

TEST(Migrations, OneThatFailsChangesNothing) {
  const SimulatedDisk disk;
  const Connection connection = connect(disk);
  const Migration both[] = {kFirst, kBroken};
  EXPECT_THROW((void)migrate(connection, kPath, both), SqliteError);
  EXPECT_EQ(one_number(connection, "SELECT x FROM a"), 1);
  EXPECT_EQ(one_number(connection, "PRAGMA user_version"), 1);
}

TEST(Migrations, ANewerDatabaseIsRefused) {
  TestStore t;
  t.store.reset();
  connect(*t.disk).execute("PRAGMA user_version = 99");
  const auto opened = open_sqlite_store(kPath, t.options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::not_acceptable);
  EXPECT_NE(opened.error().message.find("schema 99"), std::string::npos);
  EXPECT_NE(opened.error().message.find("newer"), std::string::npos);
}

TEST(Migrations, ADatabaseOfSomethingElseIsRefused) {
  const SimulatedDisk disk;
  connect(disk).execute("CREATE TABLE theirs (x)");
  const auto opened = open_sqlite_store(kPath, simulated(disk));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(one_number(connect(disk), "SELECT count(*) FROM sqlite_schema"), 1);
}

TEST(Migrations, ADatabaseOfSchema1IsReadAsItWasWritten) {
  std::ifstream file(std::string(INTERLINE_SOURCE_DIR) + "/src/store/sqlite/testdata/schema_1.sql");
  const std::string sql((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(sql.empty());
  const SimulatedDisk disk;
  connect(disk).execute(sql.c_str());
  const auto store = open_sqlite_store(kPath, simulated(disk)).value();
  EXPECT_EQ(store->boot(), 8U);
  const auto open = store->task(numbered("task", 1)).value();
  ASSERT_TRUE(open);
  EXPECT_EQ(open->state, tasks::State::input_required);
  ASSERT_TRUE(open->pending);
  EXPECT_EQ(open->pending->questions.at(0).key, "a");
  EXPECT_EQ(open->memory, "handle");
  const auto settled = store->task(numbered("task", 2)).value();
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->state, tasks::State::completed);
  EXPECT_NE(settled->outcome.find("done"), std::string::npos);
  EXPECT_EQ(store->artifacts(numbered("task", 2)).value().at(0).parts, "[1,2]");
  EXPECT_TRUE(store->replay("scope", "key", kStart).value());
  EXPECT_EQ(store->records("xmpp", "route", "", 10).value().size(), 1U);
  EXPECT_EQ(store->audit("default", 0, 10).value().size(), 1U);
  EXPECT_EQ(store->manifest("weather", "1").value(), version().manifest);
}

TEST(Migrations, Schema2KnowsAgentsByTheirOwnNames) {
  std::ifstream file(std::string(INTERLINE_SOURCE_DIR) + "/src/store/sqlite/testdata/schema_1.sql");
  const std::string sql((std::istreambuf_iterator<char>(file)), {});
  const SimulatedDisk disk;
  const Connection written = connect(disk);
  written.execute(sql.c_str());
  written.execute(
      R"(UPDATE manifests SET manifest = '{"agent":{"name":"w\u00fc"}}' WHERE version = 1)");
  const auto store = open_sqlite_store(kPath, simulated(disk)).value();
  const auto endpoints = store->endpoints("", 10).value();
  ASSERT_EQ(endpoints.size(), 2U);
  EXPECT_EQ(endpoints[0].agent, "");
  EXPECT_EQ(endpoints[1].agent, "w\u00fc");
  Activate other;
  other.endpoint = "weather";
  other.version = "2";  // whose manifest has no agent to name
  std::vector<Work> group;
  group.emplace_back(std::move(other));
  ASSERT_EQ(store->commit(group, {kStart, kStart}), GroupEnd::committed);
  EXPECT_EQ(store->endpoints("", 10).value()[1].agent, "");
}

/// A folder of the real file system, removed at the end.
class StoreOnDisk : public ::testing::Test {
 protected:
  StoreOnDisk() {
    std::string made = std::filesystem::temp_directory_path() / "interline-store-XXXXXX";
    if (::mkdtemp(made.data()) != nullptr) folder_ = made;
  }
  ~StoreOnDisk() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ / "interline.db"; }
  [[nodiscard]] static SqliteOptions small() {
    SqliteOptions options;
    options.reserve_bytes = 1U << 16U;
    return options;
  }

  std::filesystem::path folder_;
};

TEST_F(StoreOnDisk, KeepsASecondOneOff) {
  auto first = open_sqlite_store(path(), small()).value();
  const auto second = open_sqlite_store(path(), small());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::unavailable);
  EXPECT_NE(second.error().message.find("nother process"), std::string::npos);
  first.reset();
  EXPECT_TRUE(open_sqlite_store(path(), small()));
}

TEST_F(StoreOnDisk, IsReadableByItsOwnerOnly) {
  const auto store = open_sqlite_store(path(), small()).value();
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    struct stat status {};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0077U, 0U) << entry.path();
  }
}

TEST_F(StoreOnDisk, HoldsItsReserve) {
  const auto store = open_sqlite_store(path(), small()).value();
  EXPECT_EQ(std::filesystem::file_size(path() + "-reserve"), 1U << 16U);
}

TEST_F(StoreOnDisk, SurvivesACleanEnd) {
  {
    const auto store = open_sqlite_store(path(), small()).value();
    std::vector<Work> group;
    group.emplace_back(version());
    group.emplace_back(admit(1));
    ASSERT_EQ(store->commit(group, kStart), GroupEnd::committed);
  }
  const auto store = open_sqlite_store(path(), small()).value();
  EXPECT_TRUE(store->task(numbered("task", 1)).value());
}

TEST_F(StoreOnDisk, SaysWhereItCannotOpen) {
  const auto opened = open_sqlite_store(folder_ / "missing" / "interline.db", small());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::unavailable);
  EXPECT_NE(opened.error().message.find("missing"), std::string::npos);
}

TEST_F(StoreOnDisk, RefusesWhatIsNoDatabase) {
  std::ofstream(path()) << std::string(5'000, 'x');
  const auto opened = open_sqlite_store(path(), small());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(opened.error().message.find(path() + " is not a database; stop the gateway and put"),
            0U);
  EXPECT_EQ(look_at_database(path(), kLook).error().message, opened.error().message);
}

TEST_F(StoreOnDisk, ALookSaysWhoHasIt) {
  const auto store = open_sqlite_store(path(), small()).value();
  const Look look = look_at_database(path(), kLook).value();
  EXPECT_EQ(look.holder, std::to_string(::getpid()));
  EXPECT_EQ(look.found, Look::Found::whole);
  EXPECT_EQ(look.schema, newest_schema());
}

TEST_F(StoreOnDisk, ALookChangesNothing) {
  EXPECT_EQ(look_at_database(path(), kLook).value().found, Look::Found::nothing);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  open_sqlite_store(path(), small()).value().reset();
  const auto files = [this] {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path()].assign(std::istreambuf_iterator<char>(file), {});
    }
    return all;
  };
  const auto before = files();
  const Look look = look_at_database(path(), kLook).value();
  EXPECT_EQ(look.found, Look::Found::whole);
  EXPECT_EQ(look.holder, "");
  EXPECT_EQ(files(), before);
}

TEST_F(StoreOnDisk, ALookReadsWhatIsStillInTheLog) {
  const auto store = open_sqlite_store(path(), small()).value();
  const Connection writer(path(), Connection::Options{});
  writer.execute("PRAGMA user_version = 99");
  const auto look = look_at_database(path(), kLook);
  ASSERT_FALSE(look);
  EXPECT_NE(look.error().message.find("schema 99"), std::string::npos);
}

TEST_F(StoreOnDisk, ALookFindsADamagedPage) {
  open_sqlite_store(path(), small()).value().reset();
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 5'000);
  const auto look = look_at_database(path(), kLook);
  ASSERT_FALSE(look);
  EXPECT_EQ(look.error().kind, ErrorKind::not_acceptable);
  EXPECT_NE(look.error().message.find("is damaged: "), std::string::npos);
}

TEST_F(StoreOnDisk, ALookOfNoTimeIsOfAPart) {
  const auto store = open_sqlite_store(path(), small()).value();
  const auto look = look_at_database(path(), 0ms);
  ASSERT_TRUE(look);
  EXPECT_NE(look->found, Look::Found::nothing);
}

}  // namespace
}  // namespace interline::store

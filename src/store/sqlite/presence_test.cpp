// A database whose files are taken away under the process that has it open.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "base/memory_log_sink.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

class Presence : public ::testing::Test {
 protected:
  Presence() {
    std::string name = (std::filesystem::temp_directory_path() / "interline-gone-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
    SqliteOptions options;
    options.log = Logger(log, clock);
    options.checkpoint_thread = false;
    options.condition = condition;
    store = open_sqlite_store(file("interline.db"), std::move(options)).value();
  }
  ~Presence() override {
    store.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (folder / name).string(); }
  void move(const std::string& from, const std::string& to) const {
    std::filesystem::rename(file(from), file(to));
  }
  template <class Kind>
  Kind commit(Kind work) {
    std::vector<Work> group;
    group.emplace_back(std::move(work));
    EXPECT_EQ(store->commit(group, CommitTime(clock.now())), GroupEnd::committed);
    return std::get<Kind>(std::move(group.front()));
  }

  ManualClock clock;
  std::shared_ptr<MemoryLogSink> log = std::make_shared<MemoryLogSink>();
  std::shared_ptr<Condition> condition = std::make_shared<Condition>();
  std::filesystem::path folder;
  std::unique_ptr<Store> store;
};

TEST_F(Presence, NothingNewIsTakenWhileTheFilesAreAway) {
  EXPECT_EQ(condition->state(), State::open);
  EXPECT_TRUE(commit(change({put("r", "1")})).answer);
  for (const std::string name : {"interline.db", "interline.db-wal"}) {
    move(name, "elsewhere");
    EXPECT_EQ(condition->state(), State::gone) << name;
    const auto refused = commit(change({put("r", "2")}));
    ASSERT_FALSE(refused.answer);
    EXPECT_EQ(refused.answer.error().kind, ErrorKind::unavailable);
    EXPECT_NE(log->text().find("the database was removed or replaced"), std::string::npos);
    move("elsewhere", name);
    EXPECT_EQ(condition->state(), State::open) << name;
    EXPECT_TRUE(commit(change({put("r", "3")})).answer);
  }
  EXPECT_NE(log->text().find("the database is there again"), std::string::npos);
}

TEST_F(Presence, AnotherFileInItsPlaceIsNotTheDatabase) {
  std::filesystem::copy_file(file("interline.db"), file("copy"));
  move("interline.db", "elsewhere");
  move("copy", "interline.db");
  EXPECT_EQ(condition->state(), State::gone);
}

}  // namespace
}  // namespace interline::store

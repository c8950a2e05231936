// One process a database: the lock file.
#include "store/sqlite/lock_file.hpp"

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace interline::store {
namespace {

using namespace std::chrono_literals;

class StoreLock : public ::testing::Test {
 protected:
  StoreLock() { std::filesystem::create_directory(folder_); }
  ~StoreLock() override { std::filesystem::remove_all(folder_); }

  Result<LockFile> acquire(std::chrono::milliseconds patience,
                           const LockFile::Waiting& on_wait = {}) {
    return LockFile::acquire((folder_ / "db-lock").string(), patience, on_wait);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("interline-lock-" + std::to_string(::getpid()));
};

TEST_F(StoreLock, SaysWhoHasIt) {
  const auto lock = acquire(0ms);
  ASSERT_TRUE(lock);
  std::ifstream file(folder_ / "db-lock");
  int holder = 0;
  file >> holder;
  EXPECT_EQ(holder, ::getpid());
}

TEST_F(StoreLock, IsRefusedAsLongAsAnotherHasIt) {
  const auto lock = acquire(0ms);
  ASSERT_TRUE(lock);
  const auto second = acquire(1ms);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::unavailable);
  EXPECT_NE(second.error().message.find("(" + std::to_string(::getpid()) + ")"), std::string::npos);
}

TEST_F(StoreLock, OneThatIsAboutToLetGoIsWaitedFor) {
  auto lock = std::make_unique<Result<LockFile>>(acquire(0ms));
  ASSERT_TRUE(*lock);
  std::promise<std::string> waits;
  auto next = std::async(std::launch::async, [this, &waits] {
    return acquire(10min, [&waits](const std::string& holder) { waits.set_value(holder); })
        .has_value();
  });
  EXPECT_EQ(waits.get_future().get(), std::to_string(::getpid()));
  lock.reset();
  EXPECT_TRUE(next.get());
}

}  // namespace
}  // namespace interline::store

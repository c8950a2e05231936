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

  Result<LockFile> acquire(std::chrono::milliseconds patience) {
    return LockFile::acquire((folder_ / "db-lock").string(), patience);
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
}

TEST_F(StoreLock, OneThatIsAboutToLetGoIsWaitedFor) {
  auto lock = std::make_unique<Result<LockFile>>(acquire(0ms));
  ASSERT_TRUE(*lock);
  auto next = std::async(std::launch::async, [this] { return acquire(10min).has_value(); });
  EXPECT_EQ(next.wait_for(0s), std::future_status::timeout);
  lock.reset();
  EXPECT_TRUE(next.get());
}

}  // namespace
}  // namespace interline::store

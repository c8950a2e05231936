// Readers on many threads beside the writer and its checkpoints: each read is one committed state.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

constexpr std::uint64_t kTasks = 20;

/// One look at a task: its row and its log agree whatever is committed meanwhile.
void look(Store& store, std::uint64_t number) {
  const std::string id = numbered("task", number);
  const auto before = store.task(id).value();
  const auto log = store.log(id, 0, 1'000).value();
  const auto after = store.task(id).value();
  if (!before || !after) return;
  EXPECT_GE(log.size(), before->sequence);
  EXPECT_LE(log.size(), after->sequence);
  EXPECT_LE(before->revision, after->revision);
  tasks::Revision revision = 0;
  for (const tasks::LogEntry& entry : log) {
    if (!entry.revision) continue;
    EXPECT_EQ(*entry.revision, ++revision);
  }
}

TEST(Threads, ReadersSeeWholeCommits) {
  TestStore t(std::make_unique<SimulatedDisk>(), [](SqliteOptions& options) {
    options.readers = 3;  // fewer than threads
    options.checkpoint_thread = true;
    options.checkpoint_bytes = 64U << 10U;
    options.log_limit_bytes = 128U << 10U;
  });
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> looks{0};
  std::vector<std::jthread> readers;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    readers.emplace_back([&t, &stop, &looks, seed] {
      std::uint64_t state = seed;
      while (!stop || looks < 50) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        look(*t.store, 1 + (state >> 33U) % kTasks);
        const TaskPage page = t.store->list_tasks({}).value();
        EXPECT_EQ(page.total, page.tasks.size());  // a group admits whole pairs
        EXPECT_EQ(page.total % 2, 0U);
        ++looks;
      }
    });
  }
  for (std::uint64_t i = 1; i <= kTasks; i += 2) {
    t.commit_all(admit(i), admit(i + 1));
    for (double percent = 0; percent < 5; ++percent) {
      t.commit_all(tell(i, tasks::Start{}), tell(i, tasks::Progress{percent, {}, {}}),
                   tell(i + 1, output("a", "[1]", true, false)));
    }
    t.commit_all(tell(i, complete(std::string(2'000, 'x'))));
  }
  stop = true;
  readers.clear();
  for (std::uint64_t i = 1; i <= kTasks; ++i) look(*t.store, i);
  EXPECT_GE(looks, 50U);
}

}  // namespace
}  // namespace interline::store

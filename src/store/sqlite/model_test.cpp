// Random works against the store in memory: the same answers, the same state, whenever the
// power is cut.
#include <array>
#include <cstdlib>

#include <gtest/gtest.h>

#include "store/testing/memory_store.hpp"
#include "store/testing/random_work.hpp"
#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

struct Settings {
  std::uint64_t seed;
  std::size_t task_cache_bytes;
};

class Model {
 public:
  explicit Model(const Settings& settings)
      : random_(settings.seed), disk_(std::make_unique<SimulatedDisk>()), works_(random_) {
    cache_ = settings.task_cache_bytes;
    open();
  }

  void group() {
    std::vector<Work> ours;
    const std::size_t size = 1 + random_() % (random_() % 4 == 0 ? 30 : 4);
    for (std::size_t i = 0; i < size; ++i) ours.push_back(works_.next());
    std::vector<Work> theirs = ours;
    const CommitTime time = works_.next_time();
    ASSERT_EQ(store_->commit(ours, time), GroupEnd::committed);
    ASSERT_EQ(model_.commit(theirs, time), GroupEnd::committed);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(describe_answer(ours[i]), describe_answer(theirs[i])) << "work " << i;
    }
  }

  void compare() {
    ASSERT_EQ(describe(*store_, works_.tasks()), describe(model_, works_.tasks()));
    compare_lists();
  }

  /// The power is cut: nothing that was answered is lost.
  void restart() {
    std::unique_ptr<SimulatedDisk> next = disk_->after_power_cut(Survivors::synced, random_());
    store_.reset();
    disk_ = std::move(next);
    model_.count_boot();
    open();
    ASSERT_EQ(store_->boot(), model_.boot());
  }

 private:
  void open() {
    SqliteOptions options = simulated(*disk_);
    options.task_cache_bytes = cache_;
    options.checkpoint_bytes = 256U << 10U;
    options.log_limit_bytes = 512U << 10U;
    options.audit_age = std::chrono::days(10'000);
    store_ = open_sqlite_store(kPath, options).value();
  }

  void compare_lists() {
    for (int i = 0; i < 5; ++i) {
      const TaskQuery query = works_.query();
      const TaskPage ours = store_->list_tasks(query).value();
      const TaskPage theirs = model_.list_tasks(query).value();
      ASSERT_EQ(ours.total, theirs.total);
      ASSERT_EQ(ours.tasks.size(), theirs.tasks.size());
      for (std::size_t k = 0; k < ours.tasks.size(); ++k) {
        ASSERT_EQ(describe(ours.tasks[k]), describe(theirs.tasks[k]));
      }
    }
    for (const std::string& key : works_.claim_keys()) {
      const auto ours = store_->replay("scope", key, works_.time().kept).value();
      const auto theirs = model_.replay("scope", key, works_.time().kept).value();
      ASSERT_EQ(ours.has_value(), theirs.has_value());
      if (!ours) continue;
      ASSERT_EQ(ours->task + ours->answer, theirs->task + theirs->answer);
    }
    for (const char* owner : {"xmpp:alice@example.test", "mcp:bob"}) {
      const auto ours = store_->records_of_owner(owner, "xmpp", "route", "", 100).value();
      const auto theirs = model_.records_of_owner(owner, "xmpp", "route", "", 100).value();
      ASSERT_EQ(ours.size(), theirs.size());
    }
  }

  std::mt19937_64 random_;
  std::size_t cache_ = 0;
  std::unique_ptr<SimulatedDisk> disk_;
  std::unique_ptr<Store> store_;
  MemoryStore model_{1};
  RandomWork works_;
};

class RandomWorks : public ::testing::TestWithParam<Settings> {};

TEST_P(RandomWorks, AreAnsweredAndKeptAsByTheModel) {
  const bool more = std::getenv("INTERLINE_LONG") != nullptr;
  Model model(GetParam());
  std::mt19937_64 random(GetParam().seed);
  for (int i = 0; i < (more ? 3'000 : 400); ++i) {
    SCOPED_TRACE("group " + std::to_string(i));
    model.group();
    if (::testing::Test::HasFatalFailure()) return;
    if (random() % 16 == 0) model.restart();
    if (random() % 16 == 0) model.compare();
    if (::testing::Test::HasFatalFailure()) return;
  }
  model.compare();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWorks,
                         ::testing::Values(Settings{1, 64U << 20U}, Settings{2, 64U << 20U},
                                           Settings{3, 3'000}, Settings{4, 0}));

}  // namespace
}  // namespace interline::store

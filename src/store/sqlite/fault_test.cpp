// A scenario is run again and again, failing at another step each time. Whatever happens: what was
// acknowledged is there afterwards, what was refused is not, nothing is half there, and only a
// commit whose outcome cannot be known says so.
#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/sanitized.hpp"
#include "store/testing/memory_store.hpp"
#include "store/testing/test_store.hpp"

namespace interline::store {
namespace {

using namespace testing;

// The first steps are all tried, then each of this many, unless the long run is asked for. With a
// sanitizer the disk is the same and each try costs ten times as much.
constexpr std::uint64_t kStride = kSanitized ? 100 : 17;

struct Group {
  std::vector<Work> works;
  SystemTime now;
};

/// A bit of everything; small groups and large ones.
std::vector<Group> scenario() {
  std::vector<Group> groups;
  const auto add = [&groups]<class... Kinds>(Kinds... kinds) {
    Group& group = groups.emplace_back();
    (group.works.emplace_back(std::move(kinds)), ...);
    group.now = kStart + std::chrono::seconds(groups.size() * 4);
  };
  RecordChange own = put("own", "1");
  own.record.task = numbered("task", 1);
  add(version(), version("radio", "1"));
  add(claimed(1, "key"), admit(2), audit("default", "{}"));
  add(change({own, put("r", std::string(20'000, 'r'))}), tell(1, tasks::Start{}));
  add(tell(1, ask()), tell(2, output("a", "[1]", false, false)), claimed(3, "key"));
  groups.emplace_back();
  for (std::uint64_t i = 10; i < 40; ++i) {
    groups.back().works.emplace_back(admit(i));
    groups.back().works.emplace_back(tell(i, complete(std::string(500, 'x'))));
  }
  groups.back().now = kStart + 21s;
  tasks::GiveInput give;
  give.answers.push_back({});
  give.answers[0].key = "a";
  add(tell(1, give), tell(2, output("a", "[2]", true, true)), activate("radio", ""));
  add(tell(1, complete(std::string(9'000, 'y'))), tell(2, tasks::Cancel{}));
  add(remove("radio", ""), change({drop("r"), put("s", "2")}));
  add(admit(4), tell(2, tasks::ConfirmCancelled{}), audit("default", "{}"));
  add(Purge{}, claimed(5, "other"));
  groups.back().now = kStart + 25h;
  add(admit(6), tell(6, complete()));
  groups.back().now = kStart + 25h + 20s;
  return groups;
}

std::vector<std::string> all_tasks() {
  std::vector<std::string> ids;
  for (std::uint64_t i = 1; i < 40; ++i) ids.push_back(numbered("task", i));
  return ids;
}

bool is_unavailable(const Work& work) {
  return std::visit(
      [](const auto& kind) {
        return !kind.answer && kind.answer.error().kind == ErrorKind::unavailable;
      },
      work);
}

/// What the works would leave that were not refused.
std::string expected(const std::vector<Group>& done) {
  MemoryStore store;
  for (Group group : done) {
    const std::vector<Work> as_answered = group.works;
    EXPECT_EQ(store.commit(group.works, group.now), GroupEnd::committed);
    for (std::size_t i = 0; i < group.works.size(); ++i) {
      EXPECT_EQ(describe_answer(group.works[i]), describe_answer(as_answered[i]));
    }
  }
  return describe(store, all_tasks());
}

struct Course {
  std::vector<Group> done;         ///< acknowledged, in order
  std::optional<Group> uncertain;  ///< the last, if its outcome is unknown
  bool opened = false;
};

SqliteOptions small(const SimulatedDisk& disk) {
  SqliteOptions options = simulated(disk);
  options.writer_cache_bytes = 16U << 10U;  // large groups spill into the log before their COMMIT
  options.task_cache_bytes = 4U << 10U;
  options.checkpoint_bytes = 40U << 10U;
  options.log_limit_bytes = 100U << 10U;
  options.reserve_bytes = 64U << 10U;
  return options;
}

Course run(SimulatedDisk& disk, std::vector<Group> groups, std::unique_ptr<Store>& store) {
  Course run;
  auto opened = open_sqlite_store(kPath, small(disk));
  if (!opened) return run;
  run.opened = true;
  store = *std::move(opened);
  for (Group& group : groups) {
    const GroupEnd end = store->commit(group.works, group.now);
    if (end == GroupEnd::uncertain) {
      EXPECT_TRUE(std::ranges::all_of(group.works, is_unavailable));
      run.uncertain = std::move(group);
      std::vector<Work> later;
      later.emplace_back(Purge{});
      EXPECT_EQ(store->commit(later, group.now), GroupEnd::refused);
      return run;
    }
    if (end == GroupEnd::refused) {
      EXPECT_TRUE(std::ranges::all_of(group.works, is_unavailable));
      continue;
    }
    std::erase_if(group.works, is_unavailable);
    run.done.push_back(std::move(group));
  }
  return run;
}

std::string found_on(SimulatedDisk& disk) {
  auto store = open_sqlite_store(kPath, small(disk));
  EXPECT_TRUE(store) << (store ? "" : store.error().message);
  return store ? describe(**store, all_tasks()) : "not opened";
}

struct Case {
  std::optional<Fault> fault;  ///< none: the disk has only so much space
  bool lasting;
  bool may_be_uncertain;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << (one.fault ? static_cast<int>(*one.fault) : -1) << (one.lasting ? " lasting" : " once");
}

class EveryStep : public ::testing::TestWithParam<Case> {
 protected:
  /// Whether the fault happened at all.
  bool try_step(std::uint64_t nth) {
    SimulatedDisk disk;
    if (GetParam().fault) {
      disk.fail(*GetParam().fault, nth, GetParam().lasting);
    } else {
      disk.set_capacity(nth * 4'096);
    }
    std::unique_ptr<Store> store;
    Course ran = run(disk, scenario(), store);
    EXPECT_TRUE(!ran.uncertain || GetParam().may_be_uncertain);
    const bool happened = disk.has_failed();
    std::vector<std::string> allowed = {expected(ran.done)};
    if (ran.uncertain) {
      for (Work& work : ran.uncertain->works) forget_answer(work);
      allowed.push_back(as_if_committed(ran));
    }
    uncertain_ += ran.uncertain ? 1U : 0U;
    kept_ += check(disk, Survivors::synced, nth, allowed);
    kept_ += check(disk, Survivors::some, nth, allowed);
    kept_ += check(disk, Survivors::everything, nth, allowed);
    disk.heal();
    disk.set_capacity(std::nullopt);
    store.reset();  // an end without a power cut
    check(disk, Survivors::everything, nth, allowed);
    return happened;
  }

  std::size_t uncertain_ = 0;  ///< runs that ended so
  std::size_t kept_ = 0;       ///< images in which an uncertain commit was there

 private:
  static void forget_answer(Work& work) {
    std::visit([]<class Kind>(Kind& kind) { kind.answer = Kind().answer; }, work);
  }
  static std::string as_if_committed(const Course& ran) {
    MemoryStore store;
    for (Group group : ran.done) (void)store.commit(group.works, group.now);
    Group last = *ran.uncertain;
    (void)store.commit(last.works, last.now);
    return describe(store, all_tasks());
  }
  static std::size_t check(const SimulatedDisk& disk, Survivors survivors, std::uint64_t seed,
                           const std::vector<std::string>& allowed) {
    const auto image = disk.after_power_cut(survivors, seed);
    const std::string found = found_on(*image);
    if (allowed.size() == 2 && found == allowed[1]) return 1;
    EXPECT_EQ(found, allowed[0]);
    return 0;
  }
};

TEST_P(EveryStep, KeepsWhatWasAcknowledgedAndNothingElse) {
  const bool every = std::getenv("INTERLINE_LONG") != nullptr ||
                     (GetParam().fault == Fault::sync_error && !kSanitized);
  std::uint64_t nth = 1;
  std::uint64_t tried = 1;
  for (; try_step(nth); nth += every || tried < 20 ? 1 : kStride, ++tried) {
    ASSERT_FALSE(HasFailure()) << "at step " << nth;
  }
  RecordProperty("said", every ? "every step of a fault"
                               : "every " + std::to_string(kStride) + "th step of a fault");
  RecordProperty("tried", static_cast<int>(tried));
  RecordProperty("steps", static_cast<int>(nth));
  RecordProperty("uncertain", static_cast<int>(uncertain_));
  RecordProperty("kept", static_cast<int>(kept_));
  EXPECT_GT(nth, GetParam().fault == Fault::index_error ? 1U : 20U);
  if (GetParam().may_be_uncertain) {
    EXPECT_GT(uncertain_, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, EveryStep,
    ::testing::Values(Case{Fault::full, false, false}, Case{Fault::full, true, false},
                      Case{Fault::short_write, false, false},
                      Case{Fault::write_error, false, false}, Case{Fault::write_error, true, true},
                      Case{Fault::sync_error, false, false}, Case{Fault::sync_error, true, true},
                      Case{Fault::read_error, false, false}, Case{Fault::index_error, false, false},
                      Case{Fault::power_cut, true, true}, Case{std::nullopt, true, false}));

TEST(Scenario, WithoutAFaultIsCommittedWhole) {
  SimulatedDisk disk;
  std::unique_ptr<Store> store;
  const Course ran = run(disk, scenario(), store);
  EXPECT_EQ(ran.done.size(), scenario().size());
  EXPECT_EQ(describe(*store, all_tasks()), expected(ran.done));
  EXPECT_GT(disk.counts().syncs, 2 * scenario().size());  // checkpoints happened
}

TEST(FullDisk, RefusesWhatIsNewAndSettlesWhatRuns) {
  TestStore t(std::make_unique<SimulatedDisk>(), [](SqliteOptions& options) {
    options.reserve_bytes = 200'000;
    options.checkpoint_bytes = 1U << 30U;
  });
  t.commit_all(admit(1), admit(2));
  t.disk->set_capacity(t.disk->used() + 400'000);
  std::uint64_t number = 10;
  Admit last = t.commit_one(admit(number));
  while (last.answer) last = t.commit_one(admit(++number));
  EXPECT_EQ(last.answer.error().kind, ErrorKind::unavailable);
  EXPECT_FALSE(t.has_task(number));
  EXPECT_TRUE(t.has_task(number - 1));

  const std::vector<Work> group =
      t.commit_all(tell(1, complete()), admit(100), tell(2, tasks::Cancel{}),
                   tell(2, output("a", "[1]", false, false)), change({put("r", "1")}),
                   audit("default", "{}"), version("radio", "1"));
  EXPECT_EQ(t.last_end, GroupEnd::committed);
  EXPECT_TRUE(std::get<Apply>(group[0]).answer);
  EXPECT_TRUE(std::get<Apply>(group[2]).answer);
  for (const std::size_t refused : {1U, 3U, 4U, 5U, 6U}) {
    EXPECT_TRUE(is_unavailable(group[refused])) << refused;
  }
  EXPECT_EQ(t.task(1).state, tasks::State::completed);
  EXPECT_EQ(t.task(2).state, tasks::State::cancelling);
  t.reopen();
  EXPECT_EQ(t.task(1).state, tasks::State::completed);
}

TEST(FullDisk, TakesNewWorkAgainOnceThereIsSpace) {
  TestStore t(std::make_unique<SimulatedDisk>(), [](SqliteOptions& options) {
    options.reserve_bytes = 200'000;
    options.checkpoint_bytes = 1U << 30U;
  });
  EXPECT_EQ(t.options.condition->state(), State::open);
  t.disk->set_capacity(t.disk->used());
  EXPECT_FALSE(t.commit_one(admit(1)).answer);
  EXPECT_FALSE(t.commit_one(admit(1)).answer);
  EXPECT_EQ(t.options.condition->state(), State::full);
  t.disk->set_capacity(std::nullopt);
  EXPECT_FALSE(t.commit_one(admit(1)).answer);  // it is not looked at every time
  t.now += 10s;
  EXPECT_TRUE(t.commit_one(admit(1)).answer);
  EXPECT_EQ(t.options.condition->state(), State::open);
  EXPECT_GE(t.disk->used(), 200'000U);
}

TEST(StoredBytes, BeyondThemNoTaskIsAdmittedUntilSomethingHasGone) {
  TestStore t(std::make_unique<SimulatedDisk>(),
              [](SqliteOptions& options) { options.stored_bytes = 1'000'000; });
  t.now += 1s;
  EXPECT_TRUE(t.commit_one(admit(1)).answer);
  EXPECT_TRUE(t.commit_one(change({put("r", std::string(2'000'000, 'x'))})).answer);
  t.now += 1s;  // it is not measured every time
  const auto refused = t.commit_one(admit(2));
  ASSERT_FALSE(refused.answer);
  EXPECT_EQ(refused.answer.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(t.options.condition->state(), State::over);
  EXPECT_TRUE(t.commit_one(tell(1, complete())).answer);  // what runs is settled
  t.reopen();
  t.now += 1s;
  EXPECT_FALSE(t.commit_one(admit(2)).answer);  // after a restart, too
  EXPECT_TRUE(t.commit_one(change({drop("r")})).answer);
  t.now += 1s;
  EXPECT_TRUE(t.commit_one(admit(2)).answer);
  EXPECT_EQ(t.options.condition->state(), State::open);
}

TEST(FullDisk, WithoutAnyReserveLeftStillRefusesCleanly) {
  TestStore t;
  t.commit_one(admit(1));
  t.disk->set_capacity(0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(t.commit_one(tell(1, complete())).answer);
    EXPECT_EQ(t.last_end, GroupEnd::refused);
  }
  t.disk->set_capacity(std::nullopt);
  EXPECT_TRUE(t.commit_one(tell(1, complete())).answer);
}

TEST(Uncertain, ACommitWhoseIndexFoundNoSpaceIsRefusedForCertain) {
  TestStore t(std::make_unique<SimulatedDisk>(), [](SqliteOptions& options) {
    options.checkpoint_bytes = 1U << 30U;
    options.reserve_bytes = 64U << 10U;
  });
  t.disk->fail(Fault::index_error, 1, false);
  // More pages than one region of the index has room for.
  const ChangeRecords large = t.commit_one(change({put("r", std::string(17'000'000, 'x'))}));
  EXPECT_TRUE(t.disk->has_failed());
  EXPECT_FALSE(large.answer);
  EXPECT_EQ(t.last_end, GroupEnd::refused);
  for (const Survivors survivors : {Survivors::synced, Survivors::everything}) {
    TestStore again(t.disk->after_power_cut(survivors, 0));
    EXPECT_FALSE(again.store->record({"xmpp", "route", "r"}).value());
  }
  t.now += 10s;
  EXPECT_TRUE(t.commit_one(change({put("r", std::string(17'000'000, 'x'))})).answer);
}

TEST(FullDisk, CanBeStartedFromItsReserve) {
  TestStore t(std::make_unique<SimulatedDisk>(),
              [](SqliteOptions& options) { options.reserve_bytes = 200'000; });
  t.commit_one(admit(1));
  t.store.reset();
  t.disk->set_capacity(t.disk->used());
  t.open();
  EXPECT_TRUE(t.commit_one(tell(1, complete())).answer);
  EXPECT_FALSE(t.commit_one(admit(2)).answer);
}

TEST(FullDisk, CanBeStartedWithoutItsReserveWhereItsLogGivesRoom) {
  const auto bare = [](SqliteOptions& options) {
    options.reserve_bytes = 0;
    options.checkpoint_bytes = 1U << 30U;
  };
  TestStore t(std::make_unique<SimulatedDisk>(), bare);
  t.commit_one(admit(1));
  for (const char c : {'x', 'y'}) t.commit_one(change({put("r", std::string(100'000, c))}));
  t.reopen();  // what the log held is in the file
  t.commit_one(change({put("r", std::string(100'000, 'z'))}));
  const auto killed = t.disk->after_power_cut(Survivors::everything, 0);
  killed->set_capacity(killed->used());
  SqliteOptions options = t.options;
  options.vfs = killed->vfs();
  const auto store = open_sqlite_store(kPath, options).value();
  EXPECT_EQ(store->task(numbered("task", 1)).value()->state, tasks::State::accepted);
  std::vector<Work> group;
  group.emplace_back(tell(1, complete()));
  EXPECT_EQ(store->commit(group, t.now), GroupEnd::committed);
}

TEST(FullDisk, WithoutRoomForAnythingTheStartSaysWhatToDo) {
  TestStore t(std::make_unique<SimulatedDisk>(),
              [](SqliteOptions& options) { options.reserve_bytes = 200'000; });
  t.commit_one(admit(1));
  t.store.reset();
  t.disk->set_capacity(0);
  const auto opened = open_sqlite_store(kPath, t.options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::unavailable);
  EXPECT_NE(opened.error().message.find("make at least 32 MiB free"), std::string::npos)
      << opened.error().message;
  t.disk->set_capacity(std::nullopt);
  t.open();
  EXPECT_TRUE(t.commit_one(tell(1, complete())).answer);
}

TEST(Uncertain, ACommitThatCannotBeSyncedIsRefusedForCertainOnceItsPlaceIsOverwritten) {
  TestStore t;
  t.disk->fail(Fault::sync_error, 1, false);
  EXPECT_FALSE(t.commit_one(admit(1)).answer);
  EXPECT_EQ(t.last_end, GroupEnd::refused);
  EXPECT_TRUE(t.commit_one(admit(2)).answer);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TestStore again(t.disk->after_power_cut(Survivors::some, seed));
    EXPECT_FALSE(again.has_task(1));
    EXPECT_TRUE(again.has_task(2));
  }
}

TEST(Uncertain, ACommitThatStaysUnsyncedIsThereOrNot) {
  TestStore t;
  t.disk->fail(Fault::sync_error, 1, true);
  EXPECT_FALSE(t.commit_one(admit(1)).answer);
  EXPECT_EQ(t.last_end, GroupEnd::uncertain);
  EXPECT_FALSE(t.commit_one(admit(2)).answer);
  EXPECT_EQ(t.last_end, GroupEnd::refused);
  TestStore without(t.disk->after_power_cut(Survivors::synced, 0));
  EXPECT_FALSE(without.has_task(1));
}

TEST(Reading, WithABrokenDiskIsUnavailable) {
  TestStore t;
  t.commit_one(admit(1));
  t.disk->fail(Fault::power_cut, 1, true);
  EXPECT_FALSE(t.commit_one(admit(2)).answer);
  const auto task = t.store->task(numbered("task", 1));
  EXPECT_TRUE(task || task.error().kind == ErrorKind::unavailable);
}

}  // namespace
}  // namespace interline::store

// A SQLite store on a simulated disk, with works committed and read the short way.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_log_sink.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/testing/simulated_disk.hpp"
#include "store/testing/works.hpp"

namespace interline::store::testing {

inline SqliteOptions simulated(const SimulatedDisk& disk) {
  SqliteOptions options;
  options.vfs = disk.vfs();
  options.lock = false;
  options.checkpoint_thread = false;
  options.reserve_bytes = 0;
  return options;
}

inline const char* const kPath = "/interline.db";

/// Opened, with one endpoint registered; tests set `now`.
class TestStore {
 public:
  TestStore() : TestStore(std::make_unique<SimulatedDisk>()) {}
  explicit TestStore(std::unique_ptr<SimulatedDisk> the_disk)
      : TestStore(std::move(the_disk), [](SqliteOptions&) {}) {}
  template <class Adjust>
  TestStore(std::unique_ptr<SimulatedDisk> the_disk, Adjust adjust)
      : disk(std::move(the_disk)), options(simulated(*disk)) {
    options.condition = std::make_shared<Condition>();
    adjust(options);
    open();
    commit_one(version());
  }

  void open() { store = open_sqlite_store(kPath, options).value(); }
  void reopen() {
    store.reset();
    open();
  }

  GroupEnd commit(std::vector<Work>& group) { return store->commit(group, now); }

  /// A group of its own.
  template <class Kind>
  Kind commit_one(Kind kind) {
    std::vector<Work> group;
    group.emplace_back(std::move(kind));
    last_end = store->commit(group, now);
    return std::get<Kind>(std::move(group.front()));
  }
  /// One group of all.
  template <class... Kinds>
  std::vector<Work> commit_all(Kinds... kinds) {
    std::vector<Work> group;
    (group.emplace_back(std::move(kinds)), ...);
    last_end = store->commit(group, now);
    return group;
  }

  tasks::Task task(std::uint64_t number) {
    return store->task(numbered("task", number)).value().value();
  }
  bool has_task(std::uint64_t number) {
    return store->task(numbered("task", number)).value().has_value();
  }
  std::vector<std::string> listed(const TaskQuery& query) {
    std::vector<std::string> ids;
    const TaskPage page = store->list_tasks(query).value();
    for (const tasks::Task& one : page.tasks) ids.push_back(one.id());
    return ids;
  }

  std::unique_ptr<SimulatedDisk> disk;
  SqliteOptions options;
  std::unique_ptr<Store> store;
  SystemTime now = kStart;
  GroupEnd last_end = GroupEnd::committed;
};

}  // namespace interline::store::testing

// What the benches of the store and of the engine have in common: the plain loop of SQLite
// statements that both are compared with, a database of a million retained tasks, and how things
// are measured.
#pragma once

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/sqlite/checkpointer.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/task_row.hpp"
#include "tasks/apply.hpp"

namespace interline::store {

using namespace std::chrono_literals;

inline const SystemTime kStart = SystemTime(std::chrono::seconds(1'788'000'000));
inline constexpr std::size_t kOwners = 100;

inline RegisterVersion endpoint() {
  RegisterVersion work;
  work.endpoint = "weather";
  work.version = "1";
  work.manifest = "{}";
  work.hash = sha256(work.manifest);
  work.activate = true;
  return work;
}

/// The loop that the store is compared with: the same statements, the rows ready to be bound.
class RawLoop {
 public:
  explicit RawLoop(const std::string& path)
      : checkpointer_(path, Connection::Options{}, CheckpointLimits{4096, 16384, true}, Logger()),
        connection_(path, Connection::Options{"", Connection::Access::write, 64U << 20U}),
        insert_task_(connection_,
                     "INSERT INTO tasks (number, id, owner, context, version, state, open,"
                     " revision, sequence, updated, due, retain_until, dispatched_boot, flags,"
                     " outcome) VALUES (?1, ?2, ?3, 0, 1, 0, 1, 0, 0, ?4, ?5, ?6, 1, 0, NULL)"),
        insert_admission_(connection_,
                          "INSERT INTO admissions (task, tenant, network, tool, arguments,"
                          " request_key, metadata, created, deadline, deadline_source, retention,"
                          " answerable, features)"
                          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', ?7, ?8, 1, ?9, 0, 7)"),
        insert_claim_(connection_,
                      "INSERT INTO replays (claim, fingerprint, task, answer, expires)"
                      " VALUES (?1, ?2, ?3, ?4, ?5)"),
        update_task_(connection_,
                     "UPDATE tasks SET revision = 1, sequence = 1, outcome = 1, state = 4,"
                     " updated = ?2, due = NULL, open = 0, retain_until = ?3 WHERE number = ?1"),
        insert_entry_(connection_,
                      "INSERT INTO log (task, sequence, revision, type, state, time, event_id,"
                      " body) VALUES (?1, 1, 1, 3, 4, ?2, ?3, ?4)"),
        insert_owner_(connection_, "INSERT INTO owners (principal, tasks) VALUES (?1, 0)"),
        update_owner_(connection_, "UPDATE owners SET tasks = tasks + ?2 WHERE number = ?1"),
        update_meta_(connection_, "UPDATE meta SET group_number = ?1, now = ?2, tasks = ?3") {
    connection_.execute("PRAGMA synchronous = FULL");
    connection_.execute("PRAGMA wal_autocheckpoint = 0");
    const auto note = [](void* pages, sqlite3*, const char*, int count) noexcept {
      *static_cast<int*>(pages) = count;
      return SQLITE_OK;
    };
    sqlite3_wal_hook(connection_.handle(), note, &pages_);
    for (std::size_t i = 0; i < kOwners; ++i) {
      insert_owner_.run("xmpp:user" + std::to_string((i + 1) % kOwners) + "@example.org");
    }
  }

  struct Row {
    std::int64_t number;
    const Admit* admit;  ///< nullptr: settles
    const Apply* apply;
    Digest claim;
    std::string deadline;
    std::string body;
  };

  void group(const std::vector<Row>& rows, SystemTime now) {
    {
      const std::lock_guard open(checkpointer_.gate());
      connection_.execute("BEGIN IMMEDIATE");
      std::array<std::int64_t, kOwners> owners{};
      for (const Row& row : rows) write(row, owners, now);
      for (std::size_t i = 0; i < kOwners; ++i) {
        if (owners[i] != 0) update_owner_.run(i + 1, owners[i]);
      }
      update_meta_.run(++groups_, now, tasks_);
      connection_.execute("COMMIT");
    }
    checkpointer_.committed(static_cast<std::size_t>(pages_));
  }

 private:
  void write(const Row& row, std::array<std::int64_t, kOwners>& owners, SystemTime now) {
    if (row.admit == nullptr) {
      update_task_.run(row.number, now, now + 24h);
      insert_entry_.run(row.number, now, row.apply->event_id, row.body);
      return;
    }
    const tasks::Admission& a = *row.admit->admission;
    const ReplayClaim& claim = *row.admit->claim;
    const auto owner = static_cast<std::size_t>(row.number - 1) % kOwners;
    const SystemTime due = a.created + 24h;
    insert_claim_.run(row.claim, claim.fingerprint, a.id, claim.answer, claim.expires);
    insert_task_.run(row.number, a.id, owner + 1, a.created, due, due);
    insert_admission_.run(row.number, a.tenant, a.network, a.tool, a.arguments, a.request_key,
                          a.created, row.deadline, a.retention.count());
    ++owners[owner];
    ++tasks_;
  }

  Checkpointer checkpointer_;
  Connection connection_;
  Statement insert_task_;
  Statement insert_admission_;
  Statement insert_claim_;
  Statement update_task_;
  Statement insert_entry_;
  Statement insert_owner_;
  Statement update_owner_;
  Statement update_meta_;
  std::int64_t groups_ = 0;
  std::int64_t tasks_ = 0;
  int pages_ = 0;
};

inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

struct Times {
  double wall = 0;
  double cpu = 0;  ///< of the thread that commits

  template <class Work>
  void measure(Work work) {
    const double wall_begin = seconds_of(CLOCK_MONOTONIC);
    const double cpu_begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    work();
    wall += seconds_of(CLOCK_MONOTONIC) - wall_begin;
    cpu += seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_begin;
  }
};

/// A folder of the bench's own, gone at its end.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& parent) {
    std::string made = parent / "store-bench-XXXXXX";
    if (::mkdtemp(made.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path = made;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

/// Settled tasks of a hundred owners, a millisecond apart from `start` on, and open ones after
/// them.
inline void fill(const std::string& path, std::int64_t settled, std::int64_t open,
                 SystemTime start = kStart) {
  {
    const auto store = open_sqlite_store(path).value();
    std::vector<Work> first;
    first.emplace_back(endpoint());
    (void)store->commit(first, start);
  }
  const Connection connection(path,
                              Connection::Options{"", Connection::Access::write, 512U << 20U});
  connection.execute("PRAGMA synchronous = OFF");
  connection.execute("BEGIN");
  for (std::size_t i = 0; i < kOwners; ++i) {
    Statement(connection, "INSERT INTO owners (number, principal, tasks) VALUES (?1, ?2, ?3)")
        .run(i, "xmpp:user" + std::to_string(i) + "@example.org",
             (settled + open) / static_cast<std::int64_t>(kOwners));
  }
  Statement(connection, "UPDATE meta SET tasks = ?1").run(settled + open);
  Statement(
      connection,
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)"
      " INSERT INTO tasks SELECT i, printf('0TaskNumber%020d', i), i % 100, 0, 1,"
      " CASE WHEN i <= ?2 THEN 4 ELSE 1 END, i > ?2, 2, 2, ?3 + i * 1000000,"
      " CASE WHEN i <= ?2 THEN NULL ELSE ?3 + 86400000000000 END,"
      " ?3 + 86400000000000 + i * 1000000, 1, 0, CASE WHEN i <= ?2 THEN 2 ELSE NULL END FROM n")
      .run(settled + open, settled, start);
  connection.execute(
      "INSERT INTO admissions SELECT number, 'default', 'xmpp', 'forecast.get',"
      " '{\"city\":\"Riga\"}', '', '', updated, NULL, 0, 86400000000000, 0, 7 FROM tasks");
  connection.execute(
      "INSERT INTO log SELECT number, k.value, k.value, CASE k.value WHEN 1 THEN 0 ELSE 3 END,"
      " CASE k.value WHEN 1 THEN 1 ELSE 4 END, updated, printf('0EventNumber%019d', number),"
      " printf('{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%0100d\"}]}}', number)"
      " FROM tasks, json_each('[1,2]') k");
  connection.execute("COMMIT");
}

template <class Work>
double milliseconds(Work work) {
  const double begin = seconds_of(CLOCK_MONOTONIC);
  work();
  return 1000 * (seconds_of(CLOCK_MONOTONIC) - begin);
}

inline std::size_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  status >> size >> resident;
  return resident * 4096;
}

}  // namespace interline::store

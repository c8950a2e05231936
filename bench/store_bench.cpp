// The SQLite store beside a plain loop of SQLite statements that writes the same rows, in groups of
// the same size, on the same disk, in the same run.
//
//   store_bench [FOLDER]            admissions, and admissions with their settlement
//   store_bench --retained [FOLDER] opening, and pages of lists, over a million retained tasks
//   store_bench --memory [FOLDER]   what open tasks take
//
// FOLDER (the present one, if none is named) is where the databases are made, and removed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sqlite3.h>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "store/sqlite/checkpointer.hpp"
#include "store/sqlite/claims.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/task_row.hpp"
#include "tasks/apply.hpp"

namespace interline::store {
namespace {

using namespace std::chrono_literals;

const SystemTime kStart = SystemTime(std::chrono::seconds(1'788'000'000));
constexpr std::size_t kOwners = 100;

SystemTime at(std::uint64_t microseconds) {
  return kStart + std::chrono::microseconds(microseconds);
}

RegisterVersion endpoint() {
  RegisterVersion work;
  work.endpoint = "weather";
  work.version = "1";
  work.manifest = "{}";
  work.hash = sha256(work.manifest);
  work.activate = true;
  return work;
}

/// What a call brings with it: 150 bytes of arguments, a claim, a deadline.
class Calls {
 public:
  Admit next() {
    const SystemTime now = at(++count_);
    auto made = std::make_shared<tasks::Admission>();
    made->id = ids_.next(now);
    made->owner = "xmpp:user" + std::to_string(count_ % kOwners) + "@example.org";
    made->tenant = "default";
    made->endpoint = "weather";
    made->version = "1";
    made->manifest_hash = endpoint().hash;
    made->tool = "forecast.get";
    made->arguments = R"({"city":"Riga","text":")" + std::string(120, 'x') + "\"}";
    made->network = "xmpp";
    made->request_key = random_token(16);
    made->created = now;
    made->deadline.emplace(Instant(now + 24h), tasks::DeadlineSource::max_duration);
    made->retention = 24h;
    Admit work;
    ReplayClaim claim;
    claim.scope = "4:xmpp26:" + made->owner + "7:weather";
    claim.key = made->request_key;
    claim.fingerprint = sha256(made->id);
    claim.answer = "1788000000000000000 1788086400000000000";
    claim.expires = now + 24h;
    work.claim = std::move(claim);
    work.dispatch_boot = 1;
    work.admission = std::move(made);
    return work;
  }
  Apply settlement(const Admit& call) {
    Apply work;
    work.task = call.admission->id;
    tasks::Complete complete;
    complete.result = R"({"content":[{"type":"text","text":")" + std::string(150, 'y') +
                      R"("}],"isError":false})";
    work.command = std::move(complete);
    work.event_id = ids_.next(at(count_));
    work.request_id = ids_.next(at(count_));
    return work;
  }

 private:
  IdSource ids_;
  std::uint64_t count_ = 0;
};

/// The loop that the store is compared with: the same statements, the rows ready to be bound.
class RawLoop {
 public:
  explicit RawLoop(const std::string& path)
      : checkpointer_(path, Connection::Options{}, CheckpointLimits{4096, 16384, true}, Logger()),
        connection_(path, Connection::Options{"", false, 64U << 20U}),
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

double seconds_of(clockid_t clock) {
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

/// Groups of admissions, and after each, if asked, a group that settles them.
class Race {
 public:
  Race(const std::filesystem::path& folder, bool settle) : settle_(settle) {
    const std::string our_path = folder / "ours.db";
    const std::string raw_path = folder / "raw.db";
    for (const std::string& path : {our_path, raw_path}) {
      store_ = open_sqlite_store(path).value();
      std::vector<Work> first;
      first.emplace_back(endpoint());
      (void)store_->commit(first, kStart);
      store_.reset();
    }
    store_ = open_sqlite_store(our_path).value();
    raw_ = std::make_unique<RawLoop>(raw_path);
  }

  void round(std::size_t size, std::size_t groups) {
    for (std::size_t i = 0; i < groups; ++i) {
      std::vector<Work> admissions;
      for (std::size_t k = 0; k < size; ++k) admissions.emplace_back(calls_.next());
      std::vector<Work> settlements;
      for (const Work& work : admissions) {
        settlements.emplace_back(calls_.settlement(std::get<Admit>(work)));
      }
      const SystemTime now = std::get<Admit>(admissions.back()).admission->created;
      std::vector<RawLoop::Row> raw_admissions;
      std::vector<RawLoop::Row> raw_settlements;
      prepare(admissions, settlements, now, raw_admissions, raw_settlements);
      // In turns, so that what else the machine does falls on both.
      const auto run_ours = [&] {
        ours.measure([&] {
          (void)store_->commit(admissions, now);
          if (settle_) (void)store_->commit(settlements, now);
        });
      };
      const auto run_raw = [&] {
        raw.measure([&] {
          raw_->group(raw_admissions, now);
          if (settle_) raw_->group(raw_settlements, now);
        });
      };
      if (i % 2 == 0) {
        run_ours();
        run_raw();
      } else {
        run_raw();
        run_ours();
      }
      for (const Work& work : admissions) failed += std::get<Admit>(work).answer ? 0U : 1U;
      if (!settle_) continue;
      for (const Work& work : settlements) failed += std::get<Apply>(work).answer ? 0U : 1U;
    }
    done += size * groups;
  }

  Times ours;
  Times raw;
  std::size_t done = 0;
  std::size_t failed = 0;

 private:
  void prepare(const std::vector<Work>& admissions, const std::vector<Work>& settlements,
               SystemTime now, std::vector<RawLoop::Row>& raw_admissions,
               std::vector<RawLoop::Row>& raw_settlements) {
    for (std::size_t k = 0; k < admissions.size(); ++k) {
      const auto& admit = std::get<Admit>(admissions[k]);
      const auto& apply = std::get<Apply>(settlements[k]);
      tasks::Task task = tasks::admitted(admit.admission, false);
      const tasks::Stamp stamp(now, apply.event_id, apply.request_id);
      RawLoop::Row row;
      row.number = ++number_;
      row.admit = &admit;
      row.apply = &apply;
      row.claim = claim_digest(admit.claim->scope, admit.claim->key);
      row.deadline = admit.admission->deadline->at.text();
      row.body = tasks::apply(task, apply.command, stamp).entry->body;
      raw_admissions.push_back(row);
      row.admit = nullptr;
      raw_settlements.push_back(std::move(row));
    }
  }

  const bool settle_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<RawLoop> raw_;
  Calls calls_;
  std::int64_t number_ = 0;
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

void race(const std::filesystem::path& parent, bool settle) {
  std::printf("\n%s\n%8s %12s %12s %7s %12s %12s %7s\n",
              settle ? "admitted and settled a second (two groups)" : "admitted a second", "group",
              "store", "raw", "ratio", "store, CPU", "raw, CPU", "ratio");
  for (const std::size_t size : {1U, 8U, 64U, 512U}) {
    const Folder folder(parent);
    Race one(folder.path, settle);
    // Grown first, so that trees are as deep as they are in use.
    const std::size_t groups = size == 1 ? 300 : size == 8 ? 200 : size == 64 ? 120 : 40;
    one.round(512, 20);
    one.ours = one.raw = Times{};
    one.done = 0;
    one.round(size, groups);
    const auto done = static_cast<double>(one.done);
    std::printf("%8zu %12.0f %12.0f %6.0f%% %12.0f %12.0f %6.0f%%%s\n", size, done / one.ours.wall,
                done / one.raw.wall, 100 * one.raw.wall / one.ours.wall, done / one.ours.cpu,
                done / one.raw.cpu, 100 * one.raw.cpu / one.ours.cpu,
                one.failed == 0 ? "" : "  FAILED");
    std::fflush(stdout);
  }
}

/// A million settled tasks of a hundred owners, and a thousand open ones.
void fill(const std::string& path, std::int64_t settled, std::int64_t open) {
  {
    const auto store = open_sqlite_store(path).value();
    std::vector<Work> first;
    first.emplace_back(endpoint());
    (void)store->commit(first, kStart);
  }
  const Connection connection(path, Connection::Options{"", false, 512U << 20U});
  connection.execute("PRAGMA synchronous = OFF");
  connection.execute("BEGIN");
  for (std::size_t i = 0; i < kOwners; ++i) {
    Statement(connection, "INSERT INTO owners (number, principal, tasks) VALUES (?1, ?2, ?3)")
        .run(i, "xmpp:user" + std::to_string(i) + "@example.org",
             (settled + open) / static_cast<std::int64_t>(kOwners));
  }
  Statement(connection, "UPDATE meta SET tasks = ?1").run(settled + open);
  Statement(connection,
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)"
            " INSERT INTO tasks SELECT i, printf('0TaskNumber%020d', i), i % 100, 0, 1,"
            " CASE WHEN i <= ?2 THEN 4 ELSE 1 END, i > ?2, 2, 2, ?3 + i * 1000,"
            " CASE WHEN i <= ?2 THEN NULL ELSE ?3 + 86400000000000 END,"
            " ?3 + 86400000000000 + i, 1, 0, CASE WHEN i <= ?2 THEN 2 ELSE NULL END FROM n")
      .run(settled + open, settled, kStart);
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

void retained(const std::filesystem::path& parent) {
  const Folder folder(parent);
  const std::string path = folder.path / "million.db";
  fill(path, 1'000'000, 1'000);
  std::printf("1,000,000 retained tasks, 1,000 open: %.0f MB\n",
              static_cast<double>(std::filesystem::file_size(path)) / 1e6);
  std::unique_ptr<Store> store;
  for (int i = 0; i < 3; ++i) {
    store.reset();
    std::printf("open, boot counted           %8.1f ms\n",
                milliseconds([&] { store = open_sqlite_store(path).value(); }));
  }
  std::printf("all open tasks, read whole   %8.1f ms\n", milliseconds([&] {
                const std::vector<std::string> open = store->open_tasks("", 10'000).value();
                for (const std::string& id : open) {
                  (void)store->task(id);
                }
              }));
  std::printf("due within a day             %8.1f ms\n",
              milliseconds([&] { (void)store->due_before(kStart + 48h); }));
  const auto page = [&store](const char* what, const TaskQuery& query) {
    TaskPage got;
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      best = std::min(best, milliseconds([&] { got = store->list_tasks(query).value(); }));
    }
    std::printf("%-28s %8.2f ms  %zu of %zu\n", what, best, got.tasks.size(), got.total);
  };
  TaskQuery query;
  query.owners = {"xmpp:user7@example.org"};
  page("first page of an owner", query);
  query.after_time = kStart + 500ms;
  query.after_id = "x";
  page("a page in the middle", query);
  query.after_time.reset();
  query.after_id.reset();
  query.states = {tasks::State::running};
  page("by state, rare", query);
  page("first page of everybody", TaskQuery());
}

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  status >> size >> resident;
  return resident * 4096;
}

void memory(const std::filesystem::path& parent) {
  const Folder folder(parent);
  const auto store = open_sqlite_store(folder.path / "memory.db").value();
  std::vector<Work> first;
  first.emplace_back(endpoint());
  (void)store->commit(first, kStart);
  Calls calls;
  std::printf("%12s %14s %22s\n", "open tasks", "resident, MB", "KB more a thousand");
  std::size_t before = resident_bytes();
  for (int step = 0; step < 8; ++step) {
    for (int i = 0; i < 20; ++i) {
      std::vector<Work> group;
      for (int k = 0; k < 500; ++k) group.emplace_back(calls.next());
      (void)store->commit(group, kStart + 1h);
    }
    const std::size_t now = resident_bytes();
    std::printf("%12d %14.1f %22.0f\n", 10'000 * (step + 1), static_cast<double>(now) / 1e6,
                (static_cast<double>(now) - static_cast<double>(before)) / 1e4);
    before = now;
  }
}

}  // namespace
}  // namespace interline::store

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const bool option = !words.empty() && words[0].starts_with("--");
  const std::filesystem::path folder = words.size() > (option ? 1U : 0U) ? words.back() : ".";
  if (option && words[0] == "--retained") {
    interline::store::retained(folder);
  } else if (option && words[0] == "--memory") {
    interline::store::memory(folder);
  } else {
    interline::store::race(folder, false);
    interline::store::race(folder, true);
  }
}

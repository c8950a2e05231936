// The SQLite store beside a plain loop of SQLite statements that writes the same rows, in groups of
// the same size, on the same disk, in the same run.
//
//   store_bench [FOLDER]            admissions, and admissions with their settlement
//   store_bench --retained [FOLDER] opening, and pages of lists, over a million retained tasks
//   store_bench --memory [FOLDER]   what open tasks take
//   store_bench --fill FILE TASKS   makes a database of so many tasks, settled an hour ago
//
// FOLDER (the present one, if none is named) is where the databases are made, and removed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "store/sqlite/claims.hpp"
#include "store_loop.hpp"

namespace interline::store {
namespace {

SystemTime at(std::uint64_t microseconds) {
  return kStart + std::chrono::microseconds(microseconds);
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
  if (words.size() == 3 && words[0] == "--fill") {
    const interline::SystemTime start = std::chrono::system_clock::now() - std::chrono::hours(1);
    interline::store::fill(words[1], std::stoll(words[2]), 0, start);
  } else if (option && words[0] == "--retained") {
    interline::store::retained(folder);
  } else if (option && words[0] == "--memory") {
    interline::store::memory(folder);
  } else {
    interline::store::race(folder, false);
    interline::store::race(folder, true);
  }
}

// The engine beside a plain loop of SQLite statements that writes the same rows, on the same disk,
// in the same run. Callers admit one call after another; the loop then writes as many rows in
// groups of the size that the engine's commits had.
//
//   engine_bench [FOLDER]            admissions, and admissions with their settlement
//   engine_bench --quick [FOLDER]    one turn of each
//   engine_bench --memory [FOLDER]   what open tasks take, waiting and at work
//   engine_bench --retained [FOLDER] from nothing to ready over a million retained tasks
//
// FOLDER (the present one, if none is named) is where the databases are made, and removed.
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "base/id.hpp"
#include "engine/gateway.hpp"
#include "store/sqlite/claims.hpp"
#include "store_loop.hpp"

namespace interline::engine {
namespace {

using namespace std::chrono_literals;
using policy::Principal;

const char* const kManifest =
    R"({"agent":{"jid":"weather@agents.example.org","name":"weather","version":"1"},)"
    R"("manifestSpecVersion":"0","tools":[{"name":"forecast.get","inputSchema":{"type":"object",)"
    R"("properties":{"city":{"type":"string"},"text":{"type":"string","maxLength":1000}},)"
    R"("required":["city"]}}]})";

/// Ends every piece of work at once, with the result that the store's bench has, or never.
class BenchRuntime final : public Runtime {
 public:
  explicit BenchRuntime(bool ends) : ends_(ends) {}
  [[nodiscard]] RuntimeFeatures features() const override { return {}; }
  [[nodiscard]] bool available() const override { return true; }
  [[nodiscard]] awaitable<Result<ImportedTools>> list_tools() override {
    co_return ImportedTools();
  }
  void start(std::shared_ptr<Job> job) override {
    if (ends_) {
      job->complete(R"({"content":[{"type":"text","text":")" + std::string(150, 'y') +
                    R"("}],"isError":false})");
      return;
    }
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(job));
  }
  [[nodiscard]] awaitable<void> drain(std::chrono::milliseconds) override { co_return; }

 private:
  const bool ends_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Job>> kept_;
};

std::shared_ptr<const policy::Policy> everybody() {
  policy::Configuration configuration;
  policy::Grant grant;
  grant.principals = {"*"};
  grant.endpoints = {"*"};
  grant.invoke = {"*"};
  grant.visible = true;
  configuration.grants.push_back(grant);
  configuration.local_domains = {"example.org"};
  return std::make_shared<policy::Policy>(*policy::Policy::compile(std::move(configuration)));
}

/// An engine over a database in a folder, with threads of its own.
class Bench {
 public:
  Bench(const std::string& path, bool ends, std::size_t concurrency) {
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { io_.run(); });
    store_ = store::open_sqlite_store(path).value();
    GatewayConfiguration configuration;
    configuration.token_key = "a key for benches of 32 bytes...";
    gateway_ = std::make_unique<Gateway>(io_.get_executor(), *store_, clock_, Logger(),
                                         std::move(configuration), everybody(), [] {});
    LaneConfiguration lane;
    lane.concurrency = concurrency;
    lane.queue = 10'000'000;
    gateway_->open_lane("weather", std::make_shared<BenchRuntime>(ends), lane);
    if (!run(gateway_->start())) throw std::runtime_error("the engine does not start");
  }
  ~Bench() {
    gateway_->stop();
    guard_.reset();
    io_.stop();
    threads_.clear();
    gateway_.reset();
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void provision() {
    const auto manifest = run(gateway_->read_manifest(kManifest));
    if (!manifest || !run(gateway_->register_configured("weather", *manifest, true, "[]"))) {
      throw std::runtime_error("the manifest is not taken");
    }
  }
  template <class T>
  T run(awaitable<T> work) {
    return boost::asio::co_spawn(io_, std::move(work), boost::asio::use_future).get();
  }
  /// So many callers at once, each with so many calls, one after another; how long each took.
  std::vector<double> call(std::size_t callers, std::size_t calls) {
    std::vector<std::future<std::vector<double>>> all;
    for (std::size_t i = 0; i < callers; ++i) {
      all.push_back(boost::asio::co_spawn(io_, caller(i, calls), boost::asio::use_future));
    }
    std::vector<double> took;
    for (auto& one : all) {
      const std::vector<double> its = one.get();
      took.insert(took.end(), its.begin(), its.end());
    }
    return took;
  }
  [[nodiscard]] Gateway& gateway() { return *gateway_; }
  [[nodiscard]] store::Store& store() { return *store_; }

 private:
  awaitable<std::vector<double>> caller(std::size_t number, std::size_t calls) {
    std::vector<double> took;
    for (std::size_t i = 0; i < calls; ++i) {
      Invocation call;
      call.endpoint = "weather";
      call.tool = "forecast.get";
      call.arguments = R"({"city":"Riga","text":")" + std::string(120, 'x') + "\"}";
      call.network = "xmpp";
      call.replay_label = "bench:1";
      call.request_key = random_token(16);
      const double begin = store::seconds_of(CLOCK_MONOTONIC);
      const std::string name = "user" + std::to_string((number + i) % store::kOwners);
      const Principal who = Principal::of("xmpp", name + "@example.org");
      const auto admission = co_await gateway_->admit(who, std::move(call));
      if (!admission) throw std::runtime_error(admission.error().message);
      took.push_back(store::seconds_of(CLOCK_MONOTONIC) - begin);
    }
    co_return took;
  }

  SystemClock clock_;
  boost::asio::io_context io_;
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guard_{
      io_.get_executor()};
  std::vector<std::jthread> threads_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Gateway> gateway_;
};

/// Waits until nothing is open any more.
void settle(Bench& bench) {
  while (!bench.store().open_tasks("", 1).value().empty()) std::this_thread::sleep_for(1ms);
}

/// The plain loop: as many calls, in groups of a size, each group's settlement a group of its own.
class Plain {
 public:
  explicit Plain(const std::string& path) {
    auto store = store::open_sqlite_store(path).value();
    std::vector<store::Work> first;
    first.emplace_back(store::endpoint());
    (void)store->commit(first, store::kStart);
    store.reset();
    loop_ = std::make_unique<store::RawLoop>(path);
  }

  /// Seconds that it took.
  double run(std::size_t calls, std::size_t group, bool settles) {
    double all = 0;
    for (std::size_t done = 0; done < calls; done += group) {
      std::vector<store::Admit> admissions(group);
      std::vector<store::Apply> settlements(group);
      std::vector<store::RawLoop::Row> rows;
      std::vector<store::RawLoop::Row> ends;
      const SystemTime now = store::kStart + std::chrono::microseconds(number_);
      for (std::size_t i = 0; i < group; ++i) {
        rows.push_back(row(admissions[i], settlements[i], now));
        ends.push_back(rows.back());
        ends.back().admit = nullptr;
      }
      const double begin = store::seconds_of(CLOCK_MONOTONIC);
      loop_->group(rows, now);
      if (settles) loop_->group(ends, now);
      all += store::seconds_of(CLOCK_MONOTONIC) - begin;
    }
    return all;
  }

 private:
  store::RawLoop::Row row(store::Admit& admit, store::Apply& apply, SystemTime now) {
    auto made = std::make_shared<tasks::Admission>();
    made->id = ids_.next(now);
    made->tenant = "default";
    made->network = "xmpp";
    made->tool = "forecast.get";
    made->arguments = R"({"city":"Riga","text":")" + std::string(120, 'x') + "\"}";
    made->request_key = random_token(16);
    made->created = now;
    made->retention = 24h;
    store::ReplayClaim claim;
    claim.fingerprint = sha256(made->id);
    claim.answer = "1788000000000000000 1788086400000000000";
    claim.expires = now + 24h;
    admit.claim = std::move(claim);
    apply.event_id = ids_.next(now);
    store::RawLoop::Row row;
    row.number = ++number_;
    row.claim = store::claim_digest("scope", made->request_key);
    row.deadline = Instant(now + 24h).text();
    row.body = R"({"result":{"content":[{"type":"text","text":")" + std::string(150, 'y') +
               R"("}],"isError":false}})";
    admit.admission = std::move(made);
    row.admit = &admit;
    row.apply = &apply;
    return row;
  }

  std::unique_ptr<store::RawLoop> loop_;
  IdSource ids_;
  std::int64_t number_ = 0;
};

double part(std::vector<double>& took, double which) {
  const auto at = static_cast<std::size_t>(which * static_cast<double>(took.size() - 1));
  std::ranges::nth_element(took, took.begin() + static_cast<std::ptrdiff_t>(at));
  return took[at] * 1e3;
}

/// What one side did in a turn.
struct Spent {
  double wall = 0;
  double cpu = 0;  ///< of all threads
};

template <class Work>
Spent measure(Work work) {
  const double wall = store::seconds_of(CLOCK_MONOTONIC);
  const double cpu = store::seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  work();
  return {store::seconds_of(CLOCK_MONOTONIC) - wall,
          store::seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu};
}

struct Turn {
  Spent ours;
  Spent raw;
  std::size_t group = 1;  ///< mean of the engine's commits
};

Turn take_turn(Bench& bench, Plain& plain, std::size_t callers, std::size_t calls, bool settles,
               std::vector<double>& took) {
  Turn turn;
  const auto before = bench.gateway().statistics().committer;
  turn.ours = measure([&] {
    const std::vector<double> its = bench.call(callers, calls);
    if (settles) settle(bench);
    took.insert(took.end(), its.begin(), its.end());
  });
  const auto after = bench.gateway().statistics().committer;
  const std::uint64_t groups = after.groups - before.groups;
  turn.group = std::max<std::size_t>(1, (after.works - before.works + groups / 2) / groups);
  turn.raw = measure(
      [&] { (void)plain.run(callers * calls, std::min(turn.group, callers * calls), settles); });
  return turn;
}

template <class Look>
double median(const std::vector<Turn>& turns, Look look) {
  std::vector<double> values;
  for (const Turn& turn : turns) values.push_back(look(turn));
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// In turns, so that what else the machine does falls on both.
void race(const std::filesystem::path& parent, bool settles, std::size_t turns) {
  std::printf("\n%s; medians of %zu turns\n%8s %6s %9s %9s %7s %10s %10s %17s\n",
              settles ? "admitted and settled a second" : "admitted a second", turns, "callers",
              "group", "engine", "raw", "ratio", "p50, ms", "p99, ms", "CPU us: ours, raw");
  for (const std::size_t callers : {1U, 8U, 64U, 512U}) {
    const store::Folder folder(parent);
    Bench bench(folder.path / "ours.db", settles, settles ? 100'000 : 1);
    bench.provision();
    Plain plain(folder.path / "raw.db");
    bench.call(512, 10);  // grown first, so that trees are as deep as they are in use
    if (settles) settle(bench);
    (void)plain.run(5'120, 512, settles);
    const std::size_t calls = callers == 1 ? 40 : callers == 8 ? 25 : 20;
    std::vector<double> took;
    std::vector<Turn> done;
    for (std::size_t i = 0; i < turns; ++i) {
      done.push_back(take_turn(bench, plain, callers, calls, settles, took));
    }
    const auto each = static_cast<double>(callers * calls);
    std::printf("%8zu %6.0f %9.0f %9.0f %6.0f%% %10.2f %10.2f %10.0f %6.0f\n", callers,
                median(done, [](const Turn& t) { return static_cast<double>(t.group); }),
                median(done, [each](const Turn& t) { return each / t.ours.wall; }),
                median(done, [each](const Turn& t) { return each / t.raw.wall; }),
                median(done, [](const Turn& t) { return 100 * t.raw.wall / t.ours.wall; }),
                part(took, 0.5), part(took, 0.99),
                median(done, [each](const Turn& t) { return 1e6 * t.ours.cpu / each; }),
                median(done, [each](const Turn& t) { return 1e6 * t.raw.cpu / each; }));
    std::fflush(stdout);
  }
}

void memory(const std::filesystem::path& parent) {
  for (const bool at_work : {false, true}) {
    const store::Folder folder(parent);
    Bench bench(folder.path / "memory.db", false, at_work ? 1'000'000 : 1);
    bench.provision();
    std::printf("\nopen tasks, %s\n%12s %14s %22s\n", at_work ? "at work" : "waiting", "open",
                "resident, MB", "KB more a thousand");
    std::size_t before = store::resident_bytes();
    for (int step = 1; step <= 6; ++step) {
      bench.call(500, 20);
      const std::size_t now = store::resident_bytes();
      std::printf("%12d %14.1f %22.0f\n", 10'000 * step, static_cast<double>(now) / 1e6,
                  (static_cast<double>(now) - static_cast<double>(before)) / 1e4);
      before = now;
    }
  }
}

void retained(const std::filesystem::path& parent) {
  const store::Folder folder(parent);
  const std::string path = folder.path / "million.db";
  store::fill(path, 1'000'000, 1'000);
  std::printf("1,000,000 retained tasks, 1,000 open\n");
  for (const char* what : {"start to ready, 1,000 of a crash to settle", "start to ready, again",
                           "start to ready, again"}) {
    std::unique_ptr<Bench> bench;
    std::printf("%-46s %8.1f ms\n", what,
                store::milliseconds([&] { bench = std::make_unique<Bench>(path, true, 16); }));
    std::printf("   open then: %zu\n", bench->store().open_tasks("", 10'000).value().size());
  }
}

}  // namespace
}  // namespace interline::engine

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const bool option = !words.empty() && words[0].starts_with("--");
  const std::filesystem::path folder = words.size() > (option ? 1U : 0U) ? words.back() : ".";
  if (option && words[0] == "--memory") {
    interline::engine::memory(folder);
  } else if (option && words[0] == "--retained") {
    interline::engine::retained(folder);
  } else {
    const std::size_t turns = option && words[0] == "--quick" ? 1 : 9;
    interline::engine::race(folder, false, turns);
    interline::engine::race(folder, true, turns);
  }
}

// Random days of an engine on a disk that is cut off now and then, seen by callers who only know
// what they were told. After every start, what they were told has to be true still.
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "base/sanitized.hpp"
#include "bench.hpp"
#include "store/testing/test_store.hpp"

namespace interline::testing {
namespace {

using namespace std::chrono_literals;
using store::testing::SimulatedDisk;
using tasks::State;

constexpr int kDays = kSanitized ? 8 : 24;
constexpr int kLives = 4;  // starts in a day
constexpr int kSteps = 60;

struct Call {
  std::string key;
  int number = 0;
  std::optional<std::string> task;  ///< as acknowledged
};

struct Acceptance {
  std::string task;
  tasks::Revision revision = 0;
  State state = State::running;  ///< of the event of that revision; cancelling or not
};

class Day {
 public:
  explicit Day(std::uint64_t seed) : random_(seed), disk_(std::make_unique<SimulatedDisk>()) {
    EngineOptions options;
    options.clock = &clock_;
    options.lane.concurrency = 3;
    options.lane.queue = 8;
    options.store = store::testing::simulated(*disk_);
    bench_ = std::make_unique<EngineBench>(std::move(options));
  }

  void live() {
    for (int life = 0; life < kLives; ++life) {
      for (int step = 0; step < kSteps; ++step) act();
      end_of_life();
      check();
      if (::testing::Test::HasFatalFailure()) return;
    }
    settle_all();
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  engine::Invocation invocation(const Call& call, int number) {
    engine::Invocation made = bench_->puppet_call(call.key);
    made.arguments = R"({"n":)" + std::to_string(number) + "}";
    return made;
  }

  void act() {
    switch (below(10)) {
      case 0:
      case 1:
        return admit_new();
      case 2:
        return admit_again();
      case 3:
        return answer();
      case 4:
        return cancel();
      case 5:
        if (one_in(4)) clock_.tick(std::chrono::seconds(below(20)));
        return collect();
      default:
        return report();
    }
  }

  void admit_new() {
    Call call;
    call.number = static_cast<int>(calls_.size());
    call.key = "request-key-of-the-caller-" + std::to_string(call.number);
    calls_.push_back(call);
    engine::Invocation made = invocation(call, call.number);
    if (one_in(4)) made.deadline = Instant(clock_.now() + std::chrono::seconds(1 + below(60)));
    asked_.emplace_back(calls_.size() - 1,
                        bench_->spawn(bench_->engine().admit(kAlice, std::move(made))));
  }

  /// The same bytes are the same task; others under its key are refused.
  void admit_again() {
    if (calls_.empty()) return;
    const std::size_t which = below(calls_.size());
    const bool same = one_in(2);
    if (!same && !calls_[which].task) return;
    const int number = calls_[which].number + (same ? 0 : 1'000'000);
    const auto again =
        bench_->run(bench_->engine().admit(kAlice, invocation(calls_[which], number)));
    if (!calls_[which].task) {
      if (again) calls_[which].task = again->task;
      return;
    }
    if (same) {
      ASSERT_TRUE(again || again.error().kind == ErrorKind::unavailable) << again.error().message;
      if (again) {
        ASSERT_EQ(again->task, *calls_[which].task);
      }
    } else {
      ASSERT_FALSE(again);
    }
  }

  void collect() {
    std::erase_if(asked_, [this](auto& pending) {
      if (pending.second.wait_for(0s) != std::future_status::ready) return false;
      const auto admission = pending.second.get();
      if (admission) {
        Call& call = calls_[pending.first];
        EXPECT_TRUE(!call.task || *call.task == admission->task);
        call.task = admission->task;
      }
      return true;
    });
    const auto take = [this](auto& pending) {
      std::erase_if(pending, [this](auto& one) {
        if (one.second.wait_for(0s) != std::future_status::ready) return false;
        const auto accepted = one.second.get();
        if (accepted) {
          one.first.revision = accepted->revision;
          accepted_.push_back(one.first);
        }
        return true;
      });
    };
    take(told_);
    while (auto call = bench_->puppet().try_next()) take_work(std::move(call));
  }

  void take_work(std::shared_ptr<PuppetCall> call) {
    const engine::JobInput& input = call->job->input();
    if (!input.state) {
      const auto [known, first] = started_.insert(input.arguments);
      EXPECT_TRUE(first) << "started twice: " << input.arguments;
    }
    work_.push_back(std::move(call));
  }

  std::optional<std::string> any_task() {
    collect();
    std::vector<std::string> tasks;
    for (const Call& call : calls_) {
      if (call.task) tasks.push_back(*call.task);
    }
    if (tasks.empty()) return std::nullopt;
    return tasks[below(tasks.size())];
  }

  void answer() {
    const auto id = any_task();
    if (!id) return;
    const auto view = bench_->run(bench_->engine().state(kAlice, *id));
    if (!view || !view->task.pending) return;
    engine::Input input;
    input.task = *id;
    input.request = view->task.pending->id;
    input.fingerprint_head = "head";
    if (view->task.pending->questions.size() == 1) {
      input.value = R"("x")";
    } else {  // part of the answers
      input.request.clear();
      input.fingerprint_head.reset();
      input.parts.resize(1);
      input.parts[0].question = view->task.pending->questions.front().id;
      input.parts[0].value = R"("x")";
    }
    told_.emplace_back(Acceptance{*id, 0, State::running},
                       bench_->spawn(bench_->engine().provide_input(kAlice, std::move(input))));
  }

  void cancel() {
    const auto id = any_task();
    if (!id || !one_in(3)) return;
    engine::Cancellation request;
    request.task = *id;
    told_.emplace_back(Acceptance{*id, 0, State::cancelling},
                       bench_->spawn(bench_->engine().cancel(kAlice, std::move(request))));
  }

  void report() {
    collect();
    if (work_.empty()) return;
    const std::size_t which = below(work_.size());
    const std::shared_ptr<PuppetCall> call = work_[which];
    switch (below(8)) {
      case 0: {
        engine::ProgressReport progress;
        progress.percent = static_cast<double>(below(101));
        return call->job->progress(progress);
      }
      case 1:
        return call->job->log("info", "1");
      case 2: {
        tasks::ArtifactChunk chunk;
        chunk.artifact = "a";
        chunk.parts = "[1]";
        chunk.append = true;
        return call->job->output(std::move(chunk));
      }
      case 3:
      case 4: {
        std::vector<engine::AskedQuestion> questions;
        questions.push_back(asks("k" + std::to_string(below(1'000'000)),
                                 one_in(2) ? 0s : std::chrono::seconds(1 + below(30)),
                                 static_cast<std::uint32_t>(below(2))));
        if (one_in(2)) questions.push_back(asks("other" + std::to_string(below(1'000'000))));
        const bool ends = one_in(2);
        call->job->ask(std::move(questions),
                       ends ? std::optional<std::string>(R"({"left":1})") : std::nullopt, {});
        return;
      }
      case 5:
        call->job->complete(R"({"content":[]})");
        break;
      case 6:
        call->job->fail(tasks::Failure("broken", "It broke.", false));
        break;
      default:
        call->job->cancelled(std::nullopt);
        break;
    }
    work_.erase(work_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  /// The process is killed; or the power goes, in the middle of whatever is written next.
  void end_of_life() {
    if (one_in(2)) {
      disk_->fail(store::testing::Fault::power_cut, 1 + below(12), true);
      for (int i = 0; i < 5; ++i) act();
    }
    bench_->engine().stop();
    collect();
    asked_.clear();
    told_.clear();
    work_.clear();
    bench_->end();
    const auto survivors = static_cast<store::testing::Survivors>(below(3));
    auto next = disk_->after_power_cut(survivors, random_());
    bench_->restart(store::testing::simulated(*next));
    disk_ = std::move(next);
  }

  void check() {
    for (const Call& call : calls_) {
      if (!call.task) continue;
      const auto view = bench_->run(bench_->engine().state(kAlice, *call.task));
      ASSERT_TRUE(view) << "an acknowledged task is lost";
      check_log(view->task);
    }
    for (const Acceptance& one : accepted_) {
      const auto log = bench_->log(one.task);
      const auto entry = std::ranges::find_if(
          log, [&one](const tasks::LogEntry& each) { return each.revision == one.revision; });
      ASSERT_NE(entry, log.end()) << "an acknowledged acceptance is lost";
      ASSERT_EQ(entry->state == State::cancelling, one.state == State::cancelling);
    }
  }

  void check_log(const tasks::Task& task) {
    Known& known = known_[task.id()];
    tasks::Revision revision = 0;
    tasks::Sequence sequence = 0;
    for (const tasks::LogEntry& entry : bench_->log(task.id())) {
      ASSERT_EQ(entry.sequence, ++sequence);
      if (!entry.revision) continue;
      ASSERT_EQ(*entry.revision, ++revision);
      const auto [event, fresh] =
          known.events.emplace(revision, std::pair(entry.event_id, entry.body));
      ASSERT_EQ(event->second, std::pair(entry.event_id, entry.body)) << "an event changed";
    }
    ASSERT_GE(task.revision, known.revision);
    ASSERT_LE(task.revision, revision);  // the log was read later, and work goes on
    known.revision = revision;
    if (known.terminal) {
      ASSERT_EQ(task.state, *known.terminal);
    } else if (tasks::is_terminal(task.state)) {
      known.terminal = task.state;
    }
  }

  /// Nothing hangs: whatever is still open ends when its time is over.
  void settle_all() {
    clock_.tick(25h);
    for (const Call& call : calls_) {
      if (!call.task) continue;
      const tasks::Task task = bench_->until(*call.task, State::completed);
      ASSERT_TRUE(tasks::is_terminal(task.state)) << tasks::to_string(task.state);
    }
    check();
  }

  struct Known {
    tasks::Revision revision = 0;
    std::map<tasks::Revision, std::pair<std::string, std::string>> events;
    std::optional<State> terminal;
  };

  std::mt19937_64 random_;
  ManualClock clock_;
  std::unique_ptr<SimulatedDisk> disk_;
  std::unique_ptr<EngineBench> bench_;
  std::vector<Call> calls_;
  std::vector<std::pair<std::size_t, std::future<Result<engine::Admission>>>> asked_;
  std::vector<std::pair<Acceptance, std::future<Result<engine::Accepted>>>> told_;
  std::vector<Acceptance> accepted_;
  std::vector<std::shared_ptr<PuppetCall>> work_;
  std::set<std::string> started_;
  std::map<std::string, Known> known_;
};

TEST(Promises, HoldOnADiskThatIsCutOffWhoeverIsAtWork) {
  for (int day = 0; day < kDays; ++day) {
    SCOPED_TRACE("day " + std::to_string(day));
    Day one(static_cast<std::uint64_t>(day));
    one.live();
    if (::testing::Test::HasFailure()) return;
  }
  RecordProperty("said", std::to_string(kDays * kLives) + " lives of a disk");
}

}  // namespace
}  // namespace interline::testing

// Questions on their way: what is held back for them, what they may be together, and what becomes
// of the work when one is refused.
#include <algorithm>
#include <chrono>
#include <future>

#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using tasks::EntryType;
using tasks::State;

const std::string kResult = R"({"content":[]})";

engine::ProgressReport percent(double value) {
  engine::ProgressReport report;
  report.percent = value;
  return report;
}

engine::AskedQuestion long_question(std::string key, std::size_t bytes) {
  engine::AskedQuestion question = asks(std::move(key));
  question.text = std::string(bytes, 'x');
  return question;
}

/// A network that refuses every question, as soon as the test says so.
struct SlowToRefuse {
  EngineOptions options() {
    EngineOptions made;
    made.guards.emplace_back("xmpp", [this](EntryType type, std::string_view) {
      if (type != EntryType::input_required) return true;
      said_.wait();
      return false;
    });
    return made;
  }
  void refuse() { say_.set_value(); }

 private:
  std::promise<void> say_;
  std::shared_future<void> said_ = say_.get_future().share();
};

std::vector<EntryType> events(const std::vector<tasks::LogEntry>& log) {
  std::vector<EntryType> types;
  for (const tasks::LogEntry& entry : log) {
    if (entry.revision) types.push_back(entry.type);
  }
  return types;
}

TEST(Engine_Questions, BackToBackAreNoLargerTogetherThanTheNetworkCarries) {
  EngineBench bench(guarded(1'500));
  std::string id;
  const auto work = bench.work(id);
  work->ask({long_question("a", 900)});
  work->ask({long_question("b", 900)});  // alone it would fit
  EXPECT_EQ(work->refused().reason, ErrorReason::too_large);
  const tasks::Task asked = bench.until(id, State::input_required);
  ASSERT_EQ(asked.pending->questions.size(), 1U);
  EXPECT_EQ(asked.pending->questions.front().key, "a");
  for (const tasks::LogEntry& entry : bench.log(id)) EXPECT_LE(entry.body.size(), 1'500U);
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Questions, ThatWereRefusedTakeNoRoomFromTheNext) {
  EngineBench bench(guarded(1'500));
  std::string id;
  const auto work = bench.work(id);
  engine::AskedQuestion page = long_question("a", 900);
  page.kind = tasks::QuestionKind::url;  // this caller cannot answer such: refused at the commit
  work->ask({page});
  work->ask({long_question("b", 900)});
  const tasks::Task asked = bench.until(id, State::input_required);
  EXPECT_EQ(work->refused().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(asked.pending->questions.front().key, "b");
}

TEST(Engine_Questions, SomeOfOneCallComeAtOnceAndAFloodOfThemDoesNot) {
  EngineOptions options;
  options.configure = [](engine::GatewayConfiguration& configuration) {
    configuration.output.asks = 3;
    configuration.output.ask_every = std::chrono::hours(1);
  };
  EngineBench bench(std::move(options));
  std::string id;
  const auto work = bench.work(id);
  for (const char* key : {"a", "b", "c"}) work->ask({asks(key)});
  ASSERT_TRUE(bench.run(work->job->remember("after")));  // committed after all that came before
  EXPECT_EQ(bench.until(id, State::input_required).pending->questions.size(), 3U);
  work->ask({asks("d")});
  engine::Cancellation request;
  request.task = id;
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, request)));
  work->cancelled();
  EXPECT_EQ(std::ranges::count(events(bench.log(id)), EntryType::input_required), 3);
}

TEST(Engine_Questions, WithAUrlThatIsNoneForABrowserAreRefusedToTheAgent) {
  EngineBench bench;
  std::string id;
  for (const auto* const url : {"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"}) {
    const auto work = bench.work(id);
    engine::AskedQuestion question = asks("a");
    question.url = url;
    work->ask({question});
    EXPECT_EQ(work->refused().kind, ErrorKind::not_acceptable) << url;
  }
  const auto work = bench.work(id);
  engine::AskedQuestion question = asks("b");
  question.url = "https://a.example/login";
  work->ask({question});
  const tasks::Task asked = bench.until(id, State::input_required);
  ASSERT_EQ(asked.pending->questions.size(), 1U);
  EXPECT_EQ(asked.pending->questions.front().url, "https://a.example/login");
}

TEST(Engine_Questions, ThatAreRefusedLateLeaveTheTaskRunning) {
  SlowToRefuse network;
  EngineBench bench(network.options());
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")});
  // What was started later is running: the time at which the first had to be has passed.
  std::string later;
  const auto idle = bench.work(later);
  EXPECT_EQ(bench.until(later, State::running).state, State::running);
  EXPECT_EQ(bench.state(id).state, State::accepted);
  network.refuse();
  EXPECT_EQ(work->refused().reason, ErrorReason::too_large);
  ASSERT_TRUE(bench.run(work->job->remember("after")));  // committed after all that came before
  EXPECT_EQ(bench.state(id).state, State::running);
}

TEST(Engine_Questions, ThatAreRefusedGiveBackTheProgressHeldForThem) {
  SlowToRefuse network;
  EngineBench bench(network.options());
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")});
  work->job->progress(percent(10));
  network.refuse();
  EXPECT_EQ(work->refused().reason, ErrorReason::too_large);
  ASSERT_TRUE(bench.run(work->job->remember("after")));
  EXPECT_EQ(events(bench.log(id)), (std::vector{EntryType::status, EntryType::progress}));
}

TEST(Engine_Questions, ThatACancellationEndedHoldNoProgressBack) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")});
  bench.until(id, State::input_required);
  work->job->progress(percent(10));
  engine::Cancellation request;
  request.task = id;
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, request)));
  work->cancelled();
  ASSERT_TRUE(bench.run(work->job->remember("after")));
  EXPECT_EQ(events(bench.log(id)),
            (std::vector{EntryType::input_required, EntryType::status, EntryType::progress}));
  work->job->cancelled(std::nullopt);
  EXPECT_EQ(bench.until(id, State::cancelled).state, State::cancelled);
}

TEST(Engine_Drain, EndsWorkWhoseLastQuestionIsRefused) {
  SlowToRefuse network;
  EngineBench bench(network.options());
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")}, "{}");
  auto drained = bench.spawn(bench.engine().drain(std::chrono::milliseconds(0)));
  bench.puppet().drained();
  network.refuse();
  drained.get();
  EXPECT_EQ(bench.state(id).state, State::failed);
  work->stopped();
}

// Whoever waited for the last of them would hold up what else its process does.
TEST(Engine_Questions, MoreThanCanBeOpenAreRefusedBeforeTheOthersAreAsked) {
  std::promise<void> refused;
  std::atomic<int> refusals = 0;
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  bench.store().hold([](const store::Work&) { return true; });
  for (int i = 0; i < 40; ++i) {
    work->job->ask({asks("q" + std::to_string(i))}, std::nullopt, [&](const Error& error) {
      EXPECT_EQ(error.reason, ErrorReason::too_many);
      if (++refusals == 7) refused.set_value();
    });
  }
  EXPECT_EQ(refused.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
  EXPECT_LE(refusals, 8);
  bench.store().let_go();
}

}  // namespace
}  // namespace interline::testing

#include "base/log.hpp"

#include <coroutine>
#include <exception>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "base/memory_log_sink.hpp"

namespace interline {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

class Log : public testing::Test {
 protected:
  ManualClock clock_;
  std::shared_ptr<MemoryLogSink> sink_ = std::make_shared<MemoryLogSink>();
  Logger log_{sink_, clock_};
};

TEST_F(Log, WritesTimeLevelMessageAndFields) {
  clock_.tick(5ms);
  log_.warning("task is late", {{"task", "abc"}, {"by_ms", 12}});
  ASSERT_EQ(sink_->entries().size(), 1U);
  const auto entry = sink_->entries().front();
  EXPECT_EQ(entry.time, clock_.now());
  EXPECT_EQ(entry.level, LogLevel::warning);
  EXPECT_EQ(entry.message, "task is late");
  EXPECT_EQ(entry.field("task"), "abc");
  EXPECT_EQ(entry.field("by_ms"), "12");
  EXPECT_EQ(entry.field("absent"), "");
  EXPECT_EQ(sink_->text(), "2026-01-01T00:00:00.005Z warning task is late task=abc by_ms=12\n");
}

TEST_F(Log, EachVerbHasItsLevel) {
  log_.debug("a");
  log_.info("b");
  log_.warning("c");
  log_.error("d");
  std::vector<LogLevel> levels;
  for (const auto& entry : sink_->entries()) levels.push_back(entry.level);
  EXPECT_EQ(levels,
            (std::vector{LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}));
}

TEST_F(Log, ADerivedLoggerBindsFieldsAndLeavesTheFirstAlone) {
  Logger session;
  {
    const std::string peer = "alice@example.org/a long resource that no small string holds";
    session = log_.with({{"peer", peer}});
  }
  session.with({{"task", "t1"}}).info("both", {{"n", 1}});
  session.info("one");
  log_.info("none");
  const auto entries = sink_->entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].fields.size(), 3U);
  EXPECT_EQ(entries[0].fields[0].first, "peer");
  EXPECT_TRUE(entries[0].fields[0].second.ends_with("no small string holds"));
  EXPECT_EQ(entries[0].fields[1].first, "task");
  EXPECT_EQ(entries[1].fields.size(), 1U);
  EXPECT_TRUE(entries[2].fields.empty());
}

TEST_F(Log, AKeyIsWrittenOnceAndTheLastValueCounts) {
  log_.with({{"task", "a"}, {"peer", "p"}}).with({{"task", "b"}}).info("m", {{"n", 1}, {"n", 2}});
  EXPECT_TRUE(sink_->text().ends_with("m task=b peer=p n=2\n")) << sink_->text();
  log_.with({{"task", "a"}}).info("m", {{"task", "c"}});
  EXPECT_TRUE(sink_->text().ends_with("m task=c\n"));
}

TEST_F(Log, BoundSecretsStaySecret) {
  log_.with({{"shared", Secret("swordfish")}, {"token", "swordfish"}}).info("m");
  EXPECT_EQ(sink_->text().find("swordfish"), std::string::npos);
  EXPECT_EQ(sink_->entries().front().field("shared"), "[redacted]");
}

TEST_F(Log, TheThresholdIsTheSinksAndMayChange) {
  sink_->set_threshold(LogLevel::warning);
  const Logger derived = log_.with({{"peer", "p"}});
  log_.info("no");
  derived.info("no");
  EXPECT_FALSE(derived.takes(LogLevel::info));
  EXPECT_TRUE(derived.takes(LogLevel::warning));
  derived.error("yes");
  sink_->set_threshold(LogLevel::debug);
  log_.debug("yes");
  EXPECT_EQ(sink_->entries().size(), 2U);
}

TEST(Log_Default, WritesNothing) {
  const Logger log;
  EXPECT_FALSE(log.takes(LogLevel::error));
  log.error("nowhere", {{"n", 1}});
  log.with({{"peer", "p"}}).error("nowhere");
}

/// A coroutine that waits for nothing: enough to see what the compiler does with temporaries in
/// one.
class Fire {
 public:
  struct promise_type {
    Fire get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

Fire log_around_a_suspension(Logger log, std::string task) {
  log.info("before", {{"task", task}, {"copy", task + " with more than a small string holds"}});
  co_await std::suspend_never();
  log.with({{"task", task}}).info("after", {{"error", Error(ErrorKind::internal, "some text")}});
}

TEST_F(Log, MayBeUsedInACoroutine) {
  log_around_a_suspension(log_, "a task identifier of some length");
  const auto entries = sink_->entries();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].field("task"), "a task identifier of some length");
  EXPECT_EQ(entries[1].field("error"), "internal: some text");
}

/// A pipe whose two ends are closed with it.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_), 0); }
  ~Pipe() {
    close_writer();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::string read_all() {
    close_writer();
    std::string all;
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ends_[0], buffer, sizeof buffer)) > 0;) {
      all.append(buffer, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(StreamLogSink_Lines, AreWrittenInTheFormatAskedFor) {
  const ManualClock clock;
  Pipe pipe;
  const auto text = std::make_shared<StreamLogSink>(pipe.writer(), LogFormat::text, LogLevel::info);
  const auto json = std::make_shared<StreamLogSink>(pipe.writer(), LogFormat::json, LogLevel::info);
  Logger(text, clock).info("m", {{"n", 1}});
  Logger(json, clock).info("m", {{"n", 1}});
  Logger(json, clock).debug("below the threshold");
  EXPECT_EQ(pipe.read_all(),
            "2026-01-01T00:00:00.000Z info m n=1\n"
            R"({"time":"2026-01-01T00:00:00.000Z","level":"info","message":"m","n":1})"
            "\n");
  EXPECT_EQ(text->lost(), 0U);
}

TEST(StreamLogSink_Lines, OfSeveralThreadsNeverMix) {
  const ManualClock clock;
  Pipe pipe;
  const Logger log(std::make_shared<StreamLogSink>(pipe.writer(), LogFormat::text, LogLevel::info),
                   clock);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([log, thread] {
        const Logger mine = log.with({{"thread", thread}});
        for (int i = 0; i < 50; ++i) mine.info("m", {{"text", std::string(100, 'x')}});
      });
    }
  }
  const std::string all = pipe.read_all();
  const std::size_t line = all.find('\n') + 1;
  ASSERT_EQ(all.size(), 200 * line);
  for (std::size_t at = 0; at < all.size(); at += line) {
    EXPECT_EQ(all.substr(at, 34), "2026-01-01T00:00:00.000Z info m th");
    EXPECT_EQ(all[at + line - 1], '\n');
  }
}

TEST(StreamLogSink_Lines, ThatCannotBeWrittenAreCounted) {
  const ManualClock clock;
  const auto sink = std::make_shared<StreamLogSink>(-1, LogFormat::text, LogLevel::info);
  Logger(sink, clock).info("m");
  Logger(sink, clock).info("m");
  EXPECT_EQ(sink->lost(), 2U);
}

}  // namespace
}  // namespace interline

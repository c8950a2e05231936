// Denials in the log: all of them counted, few of them written.
#include "policy/decision_log.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "base/memory_log_sink.hpp"

namespace interline::policy {
namespace {

using namespace std::chrono_literals;

const Principal kEve = Principal::of("xmpp", "eve@partner.example");
const Principal kAlice = Principal::of("xmpp", "alice@example.org");
const Decision kNo(Denial::no_grant);
const Asked kAsked{Operation::invoke, "bank", "open"};

struct Bench {
  explicit Bench(LogLevel level = LogLevel::debug)
      : sink(std::make_shared<MemoryLogSink>(level)), log(Logger(sink, clock), clock) {}

  /// Lines of one kind, about one principal.
  [[nodiscard]] std::size_t lines(std::string_view message, const Principal& who) const {
    std::size_t count = 0;
    for (const auto& entry : sink->entries()) {
      if (entry.message == message && entry.field("principal") == who.text()) ++count;
    }
    return count;
  }
  [[nodiscard]] std::vector<std::string> said() const {
    std::vector<std::string> counts;
    for (const auto& entry : sink->entries()) {
      if (!entry.field("left_out").empty()) counts.emplace_back(entry.field("left_out"));
    }
    return counts;
  }

  ManualClock clock;
  std::shared_ptr<MemoryLogSink> sink;
  DecisionLog log;
};

TEST(DecisionLog, AFloodFromOnePrincipalIsCutAndCountedWhole) {
  Bench bench;
  for (int i = 0; i < 5'000; ++i) bench.log.record(kEve, kAsked, kNo);
  EXPECT_EQ(bench.lines("denied", kEve), 10U);
  EXPECT_EQ(bench.log.denials(Operation::invoke, Denial::no_grant), 5'000U);
  EXPECT_EQ(bench.log.denials(Operation::invoke, Denial::tool), 0U);
  EXPECT_EQ(bench.log.denials(Operation::see, Denial::no_grant), 0U);
}

TEST(DecisionLog, HowManyLinesWereLeftOutIsSaidByTheNextDenialOnceSomeTimeHasPassed) {
  Bench bench;
  for (int i = 0; i < 500; ++i) bench.log.record(kEve, kAsked, kNo);
  EXPECT_EQ(bench.said(), std::vector<std::string>());
  bench.clock.tick(10s);
  bench.log.record(kAlice, kAsked, kNo);
  EXPECT_EQ(bench.said(), std::vector<std::string>{"490"});
  bench.clock.tick(1h);
  bench.log.record(kAlice, kAsked, kNo);
  EXPECT_EQ(bench.said(), std::vector<std::string>{"490"}) << "nothing was left out since";
}

TEST(DecisionLog, OrWhenItIsAskedFor) {
  Bench bench;
  bench.log.say_left_out();
  EXPECT_EQ(bench.said(), std::vector<std::string>());
  for (int i = 0; i < 12; ++i) bench.log.record(kEve, kAsked, kNo);
  bench.log.say_left_out();
  bench.log.say_left_out();
  EXPECT_EQ(bench.said(), std::vector<std::string>{"2"});
}

TEST(DecisionLog, OnePrincipalsFloodTakesNothingFromAnother) {
  Bench bench;
  for (int i = 0; i < 5'000; ++i) bench.log.record(kEve, kAsked, kNo);
  // One that shares eve's place by chance has no lines of its own: of three not all do.
  std::size_t written = 0;
  for (const char* name : {"alice@example.org", "bob@example.org", "carol@example.org"}) {
    const Principal who = Principal::of("xmpp", name);
    bench.log.record(who, kAsked, kNo);
    written += bench.lines("denied", who);
  }
  EXPECT_GE(written, 1U);
}

TEST(DecisionLog, AFloodFromInventedPrincipalsIsCutToo) {
  Bench bench;
  for (int i = 0; i < 5'000; ++i) {
    const Principal who = Principal::of("xmpp", "u" + std::to_string(i) + "@partner.example");
    bench.log.record(who, kAsked, kNo);
  }
  EXPECT_EQ(bench.sink->entries().size(), 100U);
  bench.clock.tick(1s);
  for (int i = 0; i < 5'000; ++i) {
    const Principal who = Principal::of("xmpp", "u" + std::to_string(i) + "@partner.example");
    bench.log.record(who, kAsked, kNo);
  }
  EXPECT_EQ(bench.sink->entries().size(), 120U);
}

TEST(DecisionLog, LinesComeBackWithTime) {
  Bench bench;
  for (int i = 0; i < 20; ++i) bench.log.record(kEve, kAsked, kNo);
  bench.clock.tick(3s);
  for (int i = 0; i < 20; ++i) bench.log.record(kEve, kAsked, kNo);
  EXPECT_EQ(bench.lines("denied", kEve), 13U);
}

TEST(DecisionLog, WhatIsAllowedIsWrittenAtDebugAloneAndNeverCut) {
  Bench bench;
  for (int i = 0; i < 300; ++i) bench.log.record(kAlice, kAsked, Decision(Denial::none, 3));
  EXPECT_EQ(bench.lines("allowed", kAlice), 300U);
  Bench usual(LogLevel::info);
  usual.log.record(kAlice, kAsked, Decision(Denial::none, 3));
  EXPECT_EQ(usual.sink->text(), "");
}

TEST(DecisionLog, ALogThatTakesNoDenialsStillCountsThem) {
  Bench bench(LogLevel::warning);
  for (int i = 0; i < 20; ++i) bench.log.record(kEve, kAsked, kNo);
  bench.log.say_left_out();
  EXPECT_EQ(bench.sink->text(), "");
  EXPECT_EQ(bench.log.denials(Operation::invoke, Denial::no_grant), 20U);
}

TEST(DecisionLog, AHostileNameStaysOneLineOfBoundedLength) {
  Bench bench;
  const std::string name = "x\ninfo allowed principal=eve\x1b[2J" + std::string(10'000, 'y');
  bench.log.record(kEve, {Operation::invoke, name, name}, kNo);
  const std::string line = bench.sink->entries().at(0).line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_LE(line.size(), kMaxLineBytes);
}

}  // namespace
}  // namespace interline::policy

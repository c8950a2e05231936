#include "policy/rate.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"

namespace interline::policy {
namespace {

using namespace std::chrono_literals;

const Principal kAlice = Principal::of("xmpp", "alice@example.org");
const Principal kBob = Principal::of("xmpp", "bob@example.org");

class Rates : public ::testing::Test {
 protected:
  void use(const RateConfiguration& configuration) {
    limiter_ = std::make_unique<RateLimiter>(configuration);
  }
  Result<void> charge(const Principal& who, RateClass operation = RateClass::invoke,
                      bool federated = false) {
    return limiter_->charge(who, operation, federated, clock_.steady());
  }
  /// How many of `attempts` are allowed at this very moment.
  int allowed(const Principal& who, int attempts, RateClass operation = RateClass::invoke,
              bool federated = false) {
    int count = 0;
    for (int i = 0; i < attempts; ++i) count += charge(who, operation, federated) ? 1 : 0;
    return count;
  }

  ManualClock clock_;
  std::unique_ptr<RateLimiter> limiter_ =
      std::make_unique<RateLimiter>(RateConfiguration::from(500));
};

TEST_F(Rates, EachClassHasTheNumbersOfTheTable) {
  struct Row {
    RateClass operation;
    int burst;
    int per_second;
  };
  const Row rows[] = {{RateClass::registration, 20, 2},  {RateClass::directory, 500, 50},
                      {RateClass::metadata, 1'000, 200}, {RateClass::invoke, 2'000, 500},
                      {RateClass::task, 2'000, 500},     {RateClass::presence, 100, 10}};
  ASSERT_EQ(std::size(rows), kRateClassCount);
  for (const Row& row : rows) {
    EXPECT_EQ(allowed(kAlice, row.burst + 50, row.operation), row.burst);
  }
  clock_.tick(1s);
  for (const Row& row : rows) {
    EXPECT_EQ(allowed(kAlice, row.burst + 50, row.operation), row.per_second);
  }
}

TEST_F(Rates, OtherClassesFollowTheRateInProportion) {
  use(RateConfiguration::from(50));
  EXPECT_EQ(allowed(kAlice, 300, RateClass::invoke), 200);
  EXPECT_EQ(allowed(kAlice, 300, RateClass::directory), 50);
  EXPECT_EQ(allowed(kAlice, 300, RateClass::registration), 2);
  use(RateConfiguration::from(0.1));
  EXPECT_EQ(allowed(kAlice, 300, RateClass::registration), 1) << "a burst is never below one";
}

TEST_F(Rates, ARefusalSaysWhenToComeAgainAndThatIsTrue) {
  ASSERT_EQ(allowed(kAlice, 2'001), 2'000);
  const auto refused = charge(kAlice);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(refused.error().reason, ErrorReason::rate);
  ASSERT_EQ(refused.error().retry_after, 2ms);
  clock_.tick(1ms);
  EXPECT_FALSE(charge(kAlice));
  clock_.tick(1ms);
  EXPECT_TRUE(charge(kAlice));
}

TEST_F(Rates, RefusalsAreCountedByClass) {
  EXPECT_EQ(allowed(kAlice, 25, RateClass::registration), 20);
  EXPECT_EQ(allowed(kBob, 22, RateClass::registration), 20);
  EXPECT_EQ(allowed(kAlice, 22), 22);
  EXPECT_EQ(limiter_->refused(RateClass::registration), 7U);
  EXPECT_EQ(limiter_->refused(RateClass::invoke), 0U);
}

TEST_F(Rates, ABucketNeverHoldsMoreThanItsBurst) {
  EXPECT_TRUE(charge(kAlice));
  clock_.tick(24h);
  EXPECT_EQ(allowed(kAlice, 3'000), 2'000);
}

TEST_F(Rates, PrincipalsAndClassesDoNotShareBuckets) {
  EXPECT_EQ(allowed(kAlice, 3'000), 2'000);
  EXPECT_EQ(allowed(kBob, 3'000), 2'000);
  EXPECT_EQ(allowed(kAlice, 3'000, RateClass::task), 2'000);
}

TEST_F(Rates, AForeignDomainHasTenTimesTheRateForAllItsPrincipals) {
  int count = 0;
  for (int i = 0; i < 50; ++i) {
    const auto who = Principal::of("xmpp", "user" + std::to_string(i) + "@partner.example");
    count += allowed(who, 2'000, RateClass::invoke, true);
  }
  EXPECT_EQ(count, 20'000);
  const auto other = Principal::of("xmpp", "user@other.example");
  EXPECT_EQ(allowed(other, 3'000, RateClass::invoke, true), 2'000);
}

TEST_F(Rates, OneGreedyPrincipalLeavesItsDomainTheRest) {
  const auto greedy = Principal::of("xmpp", "greedy@partner.example");
  EXPECT_EQ(allowed(greedy, 100'000, RateClass::invoke, true), 2'000);
  const auto modest = Principal::of("xmpp", "modest@partner.example");
  EXPECT_EQ(allowed(modest, 100, RateClass::invoke, true), 100);
}

TEST_F(Rates, UnknownPrincipalsAreChargedLikeEverybody) {
  const auto stranger = Principal::of("key", "never-heard-of");
  EXPECT_EQ(allowed(stranger, 3'000), 2'000);
  EXPECT_EQ(allowed(Principal::anonymous(), 3'000), 2'000);
}

TEST_F(Rates, AFloodOfPrincipalsTakesBoundedMemory) {
  RateConfiguration configuration = RateConfiguration::from(500);
  configuration.buckets = 1'000;
  use(configuration);
  const std::string padding(3'000, 'x');
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_TRUE(charge(Principal::of("key", padding + std::to_string(i))));
    ASSERT_LE(limiter_->size(), 1'000U);
  }
  EXPECT_EQ(limiter_->size(), 1'000U);
}

TEST_F(Rates, AFloodFromOneDomainMeetsTheDomainsBucket) {
  RateConfiguration configuration = RateConfiguration::from(500);
  configuration.buckets = 10;  // far fewer than there are principals
  use(configuration);
  int count = 0;
  for (int i = 0; i < 30'000; ++i) {
    const auto who = Principal::of("xmpp", std::to_string(i) + "@flood.example");
    count += allowed(who, 1, RateClass::invoke, true);
  }
  EXPECT_EQ(count, 20'000);
}

TEST_F(Rates, SomebodyWhoKeepsCallingIsNotForgottenForNewcomers) {
  RateConfiguration configuration = RateConfiguration::from(500);
  configuration.buckets = 10;
  use(configuration);
  EXPECT_EQ(allowed(kAlice, 2'001), 2'000);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(charge(Principal::of("key", std::to_string(i))));
    EXPECT_FALSE(charge(kAlice));
  }
}

TEST_F(Rates, ThreadsTogetherGetNoMoreThanTheBurst) {
  std::atomic<int> count = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([this, &count] { count += allowed(kAlice, 1'000); });
    }
  }
  EXPECT_EQ(count.load(), 2'000);
}

}  // namespace
}  // namespace interline::policy

// Who hears of what is different, and which resources runtimes are told to watch.
#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using engine::AgentChange;
using engine::ChangeKind;
using engine::EndpointChange;
using engine::Subscription;

using Followed = Result<std::unique_ptr<Subscription>>;

/// What was told, as "endpoint kind uri".
class Ears {
 public:
  explicit Ears(EngineBench& bench)
      : subscription_(bench.engine().on_change([this](const EndpointChange& change) {
          static constexpr std::array kKinds = {"tools", "prompts", "resources", "resource"};
          const std::lock_guard lock(mutex_);
          told_.push_back(change.endpoint + ' ' +
                          kKinds.at(static_cast<std::size_t>(change.change.kind)) +
                          (change.change.uri.empty() ? "" : ' ' + change.change.uri));
        })) {}

  [[nodiscard]] std::vector<std::string> told() {
    const std::lock_guard lock(mutex_);
    return std::exchange(told_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> told_;
  const std::unique_ptr<Subscription> subscription_;
};

using Told = std::vector<std::string>;

TEST(Engine_Changes, WhatTheAgentSaysIsToldWithItsEndpoint) {
  EngineBench bench;
  Ears ears(bench);
  Ears others(bench);
  bench.puppet().changed(ChangeKind::prompts);
  bench.puppet().changed(ChangeKind::resources);
  bench.puppet().changed(ChangeKind::tools);
  const Told expected = {"puppet prompts", "puppet resources", "puppet tools"};
  EXPECT_EQ(ears.told(), expected);
  EXPECT_EQ(others.told(), expected);
}

TEST(Engine_Changes, TheCatalogsAndThePolicysAreToldToo) {
  EngineBench bench;
  Ears ears(bench);
  const auto admin = Principal::of("local", "root");
  ASSERT_TRUE(bench.run(bench.engine().deactivate(admin, "puppet")));
  EXPECT_EQ(ears.told(), Told{"puppet tools"});
  ASSERT_TRUE(bench.run(bench.engine().activate(admin, "puppet", "1", std::nullopt)));
  EXPECT_EQ(ears.told(), Told{"puppet tools"});
  EXPECT_FALSE(bench.run(bench.engine().activate(admin, "puppet", "9", std::nullopt)));
  EXPECT_EQ(ears.told(), Told{});
  bench.engine().close_lane("puppet");
  EXPECT_EQ(ears.told(), (Told{"puppet tools", "puppet prompts", "puppet resources"}));
  ASSERT_TRUE(bench.run(bench.engine().remove(admin, "puppet", "")));
  EXPECT_EQ(ears.told(), Told{"puppet tools"});
  bench.engine().use_policy(bench.engine().policy());
  EXPECT_EQ(ears.told(), (Told{" tools", " prompts", " resources"}));
}

TEST(Engine_Changes, WhoImportsToolsHearsOfThemInTheListenersPlace) {
  EngineBench bench;
  std::vector<std::string> imported;
  bench.engine().on_agent_tools([&](const std::string& endpoint) { imported.push_back(endpoint); });
  const auto fresh = std::make_shared<Puppet>();
  bench.engine().open_lane("puppet", fresh, {});
  Ears ears(bench);
  fresh->changed(ChangeKind::tools);
  fresh->changed(ChangeKind::prompts);
  EXPECT_EQ(imported, Told{"puppet"});
  EXPECT_EQ(ears.told(), Told{"puppet prompts"});
}

TEST(Engine_Changes, ARuntimeThatWasReplacedIsNotHeardAnyMore) {
  EngineBench bench;
  const auto fresh = std::make_shared<Puppet>();
  bench.engine().open_lane("puppet", fresh, {});
  Ears ears(bench);
  bench.puppet().changed(ChangeKind::prompts);
  EXPECT_EQ(ears.told(), Told{});
  fresh->changed(ChangeKind::prompts);
  EXPECT_EQ(ears.told(), Told{"puppet prompts"});
  bench.engine().close_lane("puppet");
  (void)ears.told();
  fresh->changed(ChangeKind::prompts);
  EXPECT_EQ(ears.told(), Told{});
}

TEST(Engine_Changes, NothingIsToldOnceASubscriptionHasEnded) {
  EngineBench bench;
  std::atomic<bool> stop = false;
  std::jthread agent([&] {
    while (!stop) bench.puppet().changed(ChangeKind::prompts);
  });
  for (int i = 0; i < 200; ++i) {
    auto called = std::make_shared<std::atomic<int>>(0);
    auto alive = std::make_shared<std::atomic<bool>>(true);
    auto subscription = bench.engine().on_change([called, alive](const EndpointChange&) {
      EXPECT_TRUE(*alive);
      ++*called;
    });
    if (i % 2 == 0) {
      while (*called == 0) std::this_thread::yield();
    }
    subscription.reset();
    *alive = false;
  }
  stop = true;
}

TEST(Engine_Changes, ASubscriptionMayEndInsideItsOwnCall) {
  EngineBench bench;
  int called = 0;
  std::unique_ptr<Subscription> subscription;
  subscription = bench.engine().on_change([&](const EndpointChange&) {
    ++called;
    subscription.reset();
  });
  bench.puppet().changed(ChangeKind::prompts);
  bench.puppet().changed(ChangeKind::prompts);
  EXPECT_EQ(called, 1);
}

TEST(Engine_Changes, ASubscriptionMayOutliveTheEngine) {
  auto bench = std::make_unique<EngineBench>();
  auto subscription = bench->engine().on_change([](const EndpointChange&) {});
  auto followed = bench->run(bench->engine().follow_resource(kAlice, "puppet", "a"));
  ASSERT_TRUE(followed);
  bench.reset();
  subscription.reset();
  followed->reset();
}

// --- resources ----------------------------------------------------------------------------------

TEST(Engine_Follow, TheRuntimeIsToldOfTheFirstAndTheLast) {
  EngineBench bench;
  Ears ears(bench);
  const auto follow = [&](const Principal& who, const char* uri) {
    return bench.run(bench.engine().follow_resource(who, "puppet", uri));
  };
  bench.puppet().changed(ChangeKind::resource, "a");
  EXPECT_EQ(ears.told(), Told{}) << "nobody follows anything there";
  Followed first = follow(kAlice, "a");
  Followed second = follow(kBob, "a");
  Followed other = follow(kBob, "b");
  ASSERT_TRUE(first && second && other);
  EXPECT_EQ(bench.puppet().followed(2), (Told{"+a", "+b"}));
  bench.puppet().changed(ChangeKind::resource, "a");
  EXPECT_EQ(ears.told(), Told{"puppet resource a"});
  first->reset();
  second->reset();
  EXPECT_EQ(bench.puppet().followed(3).back(), "-a");
  first = follow(kAlice, "a");
  ASSERT_TRUE(first);
  EXPECT_EQ(bench.puppet().followed(4).back(), "+a");
}

TEST(Engine_Follow, ARuntimeInItsPlaceIsToldAnew) {
  EngineBench bench;
  Followed followed = bench.run(bench.engine().follow_resource(kAlice, "puppet", "a"));
  ASSERT_TRUE(followed);
  const auto fresh = std::make_shared<Puppet>();
  bench.engine().open_lane("puppet", fresh, {});
  EXPECT_EQ(fresh->followed(1), Told{"+a"});
  bench.engine().close_lane("puppet");
  const auto third = std::make_shared<Puppet>();
  bench.engine().open_lane("puppet", third, {});
  EXPECT_EQ(third->followed(1), Told{"+a"});
  followed->reset();
  EXPECT_EQ(third->followed(2).back(), "-a");
  EXPECT_EQ(fresh->followed(1), Told{"+a"});
}

TEST(Engine_Follow, WhatMayNotBeReadIsNotFollowed) {
  EngineOptions options;
  policy::Grant reader;
  reader.principals = {"key:reader"};
  reader.endpoints = {"puppet"};
  reader.visible = true;
  reader.invoke = {"resource:open/*"};
  options.grants = {reader};
  EngineBench bench(std::move(options));
  const Principal who = Principal::of("key", "reader");
  const auto follow = [&](std::string endpoint, std::string uri) {
    return bench.run(bench.engine().follow_resource(who, std::move(endpoint), std::move(uri)));
  };
  EXPECT_TRUE(follow("puppet", "open/1"));
  const auto absent = follow("puppet", "open/none");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, ErrorKind::not_found);
  EXPECT_EQ(follow("puppet", "closed/1").error(), absent.error());
  EXPECT_EQ(follow("nowhere", "open/1").error(), absent.error());
  EXPECT_EQ(follow("demo", "open/1").error(), absent.error());
}

TEST(Engine_Follow, FollowersAreBounded) {
  EngineOptions options;
  options.configure = [](engine::GatewayConfiguration& made) { made.followers = 1; };
  EngineBench bench(std::move(options));
  Followed first = bench.run(bench.engine().follow_resource(kAlice, "puppet", "a"));
  ASSERT_TRUE(first);
  EXPECT_EQ(bench.run(bench.engine().follow_resource(kAlice, "puppet", "b")).error().reason,
            ErrorReason::too_many);
  first->reset();
  EXPECT_TRUE(bench.run(bench.engine().follow_resource(kAlice, "puppet", "b")));
}

TEST(Engine_Follow, ManyThreadsComeAndGo) {
  EngineBench bench;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&bench] {
        for (int j = 0; j < 50; ++j) {
          Followed followed = bench.run(bench.engine().follow_resource(kAlice, "puppet", "a"));
          EXPECT_TRUE(followed);
        }
      });
    }
  }
  Followed last = bench.run(bench.engine().follow_resource(kAlice, "puppet", "z"));
  ASSERT_TRUE(last);
  Told told = bench.puppet().followed(1);
  while (told.back() != "-a" && told[told.size() - 2] != "-a") {
    told = bench.puppet().followed(told.size());
    std::this_thread::yield();
  }
  bool followed = false;
  for (const std::string& one : told) {
    if (one == "+z") continue;
    EXPECT_EQ(one, followed ? "-a" : "+a") << "each once, and in turns";
    followed = !followed;
  }
}

}  // namespace
}  // namespace interline::testing

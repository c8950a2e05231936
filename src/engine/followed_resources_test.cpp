#include "engine/followed_resources.hpp"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

namespace interline::engine {
namespace {

class StillRuntime final : public Runtime {
 public:
  [[nodiscard]] RuntimeFeatures features() const override { return {}; }
  [[nodiscard]] bool available() const override { return true; }
  awaitable<Result<ImportedTools>> list_tools() override { co_return ImportedTools(); }
  void start(std::shared_ptr<Job>) override {}
  awaitable<void> drain(std::chrono::milliseconds) override { co_return; }
};

/// One thread; nothing is waited for but what is asked here.
class FollowedBench {
 public:
  explicit FollowedBench(std::chrono::milliseconds retry = std::chrono::milliseconds(1)) {
    FollowedResources::Parts parts;
    parts.executor = io_.get_executor();
    parts.most = 10;
    parts.runtime = [this](std::string_view) { return runtime; };
    parts.tell = [this](std::string, std::string uri, bool follow) {
      return tell(std::move(uri), follow);
    };
    parts.retry_first = retry;
    parts.retry_longest = retry * 4;
    followed = std::make_shared<FollowedResources>(std::move(parts));
  }
  std::unique_ptr<Subscription> follow() {
    std::optional<Result<std::unique_ptr<Subscription>>> answer;
    boost::asio::co_spawn(io_, followed->follow("e", "x:1"),
                          [&](std::exception_ptr, auto said) { answer = std::move(said); });
    until([&] { return answer.has_value(); });
    return *answer ? **std::move(answer) : nullptr;
  }
  template <class Done>
  void until(Done done) {
    io_.restart();
    while (!done() && io_.run_one() > 0) {
    }
    EXPECT_TRUE(done());
  }
  /// Until there is nothing left to do, timers included.
  void until_idle() {
    io_.restart();
    io_.run();
  }
  void replace_runtime() {
    runtime = std::make_shared<StillRuntime>();
    followed->lane_changed("e");
  }

  std::shared_ptr<Runtime> runtime = std::make_shared<StillRuntime>();
  int refusals = 0;  ///< still to come
  std::vector<std::string> told;
  std::shared_ptr<FollowedResources> followed;

 private:
  awaitable<Result<void>> tell(std::string uri, bool follow) {
    told.push_back((follow ? "+" : "-") + uri);
    if (follow && refusals > 0) {
      --refusals;
      co_return fail(ErrorKind::not_found, "Not yet.");
    }
    co_return Result<void>();
  }
  boost::asio::io_context io_;
};

using Told = std::vector<std::string>;

TEST(Engine_FollowedResources, WhatARuntimeInItsPlaceRefusesIsAskedForAgain) {
  FollowedBench bench;
  const auto following = bench.follow();
  ASSERT_TRUE(following);
  bench.refusals = 3;
  bench.replace_runtime();
  bench.until_idle();
  EXPECT_EQ(bench.told, (Told{"+x:1", "+x:1", "+x:1", "+x:1", "+x:1"}));
}

TEST(Engine_FollowedResources, IsNotAskedForAgainWhereNobodyFollowsItAnyMore) {
  FollowedBench bench;
  auto following = bench.follow();
  ASSERT_TRUE(following);
  bench.refusals = 1'000'000;
  bench.replace_runtime();
  bench.until([&] { return bench.told.size() == 4; });
  following.reset();
  bench.until_idle();
  EXPECT_EQ(bench.told.size(), 4U);
}

TEST(Engine_FollowedResources, OneAsksHoweverManyWereRefused) {
  FollowedBench bench(std::chrono::hours(1));
  const auto following = bench.follow();
  ASSERT_TRUE(following);
  bench.refusals = 3;
  bench.replace_runtime();
  bench.until([&] { return bench.told.size() == 2; });
  EXPECT_FALSE(bench.follow()) << "refused, and told so";
  bench.replace_runtime();
  bench.until([&] { return bench.told.size() == 4; });
  bench.replace_runtime();
  bench.until([&] { return bench.told.size() == 5; });
  EXPECT_EQ(bench.refusals, 0);
  EXPECT_TRUE(bench.follow()) << "known to the runtime again";
  EXPECT_EQ(bench.told.size(), 5U);
}

TEST(Engine_FollowedResources, AFollowerThatIsRefusedIsAskedForOnce) {
  FollowedBench bench;
  bench.refusals = 1;
  EXPECT_FALSE(bench.follow());
  bench.until_idle();
  EXPECT_EQ(bench.told.size(), 1U);
}

}  // namespace
}  // namespace interline::engine

// Configurations that follow each other faster than what they change is committed.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include "../engine/gated_store.hpp"
#include "app/endpoints.hpp"
#include "engine/gateway.hpp"
#include "store/testing/memory_store.hpp"

namespace interline::app {
namespace {

using Phase = EndpointStatus::Phase;
const policy::Principal kCaller = policy::Principal::of("local", "alice");

std::vector<EndpointTable> tables(const std::string& version) {
  EndpointTable table;
  table.name = "one";
  table.version = version;
  table.runtime.kind = RuntimeKind::builtin;
  return {table};
}

class Reloads : public ::testing::Test {
 protected:
  Reloads()
      : engine_(io_.get_executor(), store_, clock_, Logger(), settings(), policy(),
                [] { std::abort(); }),
        endpoints_(engine_, RuntimeServices(io_.get_executor(), ".", Logger()), imports(),
                   Logger()) {
    endpoints_.open(tables("1.0"));
    EXPECT_TRUE(run(engine_.start()).has_value());
    EXPECT_TRUE(run(endpoints_.begin({})).has_value());
    until_imported();
    EXPECT_EQ(active(), "1.0");
  }
  ~Reloads() override {
    apply({});
    auto ended = [this]() -> net::awaitable<bool> {
      co_await endpoints_.drain(std::chrono::milliseconds(0));
      co_return true;
    };
    run(ended());
    engine_.stop();
  }

  template <class T>
  T run(net::awaitable<T> work) {
    auto future = boost::asio::co_spawn(io_, std::move(work), boost::asio::use_future);
    until([&] { return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    return future.get();
  }
  template <class Condition>
  void until(Condition condition) {
    while (!condition()) io_.run_one_for(std::chrono::milliseconds(10));
  }
  void apply(std::vector<EndpointTable> all) {
    auto applied = [&]() -> net::awaitable<bool> {
      co_await endpoints_.apply(std::move(all));
      co_return true;
    };
    run(applied());
  }
  void until_imported() {
    until([this] {
      const auto all = endpoints_.status();
      return all.size() == 1 && all.front().phase == Phase::imported;
    });
  }
  /// Whatever can go on without another commit, with time to spare.
  void go_on() {
    for (int i = 0; i < 50; ++i) io_.run_one_for(std::chrono::milliseconds(10));
  }
  std::string active() {
    const auto view = run(engine_.describe(kCaller, "one", ""));
    return view ? view->manifest->version : "none";
  }
  /// The next commit of this version waits.
  void hold(const std::string& version) {
    store_.hold([version](const store::Work& work) {
      const auto* made = std::get_if<store::RegisterVersion>(&work);
      return made != nullptr && made->version == version;
    });
  }

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{
      io_.get_executor()};
  SystemClock clock_;
  testing::GatedStore store_{std::make_unique<store::testing::MemoryStore>()};
  engine::Gateway engine_;
  Endpoints endpoints_;

 private:
  static engine::GatewayConfiguration settings() {
    engine::GatewayConfiguration configuration;
    configuration.token_key = "a key for tests of 32 bytes.....";
    return configuration;
  }
  static ImportSettings imports() {
    ImportSettings settings;
    settings.domain = "agents.example.test";
    return settings;
  }
  static std::shared_ptr<const policy::Policy> policy() {
    policy::Configuration configuration;
    policy::Grant grant;
    grant.principals = {"local:*"};
    grant.endpoints = {"*"};
    grant.visible = true;
    configuration.grants.push_back(std::move(grant));
    return std::make_shared<policy::Policy>(*policy::Policy::compile(std::move(configuration)));
  }
};

TEST_F(Reloads, AVersionTakenBackWhileItIsCommitted_IsNotTheActiveOne) {
  hold("2.0");
  apply(tables("2.0"));
  store_.wait_for_held();
  apply(tables("1.0"));
  go_on();
  store_.let_go();
  until_imported();
  go_on();
  EXPECT_EQ(active(), "1.0");
}

TEST_F(Reloads, AnEndpointRemovedWhileItsVersionIsCommitted_IsNotListed) {
  hold("2.0");
  apply(tables("2.0"));
  store_.wait_for_held();
  auto removed = boost::asio::co_spawn(io_, endpoints_.apply({}), boost::asio::use_future);
  go_on();
  store_.let_go();
  until([&] { return removed.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  go_on();
  EXPECT_EQ(active(), "none");
  apply(tables("2.0"));
  until_imported();
  EXPECT_EQ(active(), "2.0");  // and what a removed one had is not taken for chosen by hand
}

}  // namespace
}  // namespace interline::app

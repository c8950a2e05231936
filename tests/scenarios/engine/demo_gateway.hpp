// A whole engine in memory with the endpoint "demo" of the builtin runtime, whose one thread is
// whoever calls run(): for fuzz targets, and for tests of what stands in front of an engine.
#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "engine/gateway.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"
#include "store/testing/memory_store.hpp"

namespace interline::testing {

/// Also where asserts are off.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// Those principals see all endpoints but "hidden", and may call them.
inline policy::Configuration everything_for(std::string principals) {
  policy::Configuration configuration;
  policy::Grant grant;
  grant.principals = {std::move(principals)};
  grant.endpoints = {"*", "!hidden"};
  grant.invoke = {"*"};
  grant.visible = true;
  configuration.grants.push_back(std::move(grant));
  return configuration;
}

class DemoGateway {
 public:
  explicit DemoGateway(policy::Configuration configuration)
      : engine_(
            io_.get_executor(), store_, clock_, Logger(), unhurried(),
            std::make_shared<policy::Policy>(*policy::Policy::compile(std::move(configuration))),
            [] { std::abort(); }) {
    auto runtime = std::make_shared<runtimes::builtin::BuiltinRuntime>(io_.get_executor());
    const auto tools = run(runtime->list_tools());
    engine_.open_lane("demo", runtime, {});
    std::string manifest =
        R"({"manifestSpecVersion":"0","agent":{"jid":"demo@agents.example.test","name":"demo",)"
        R"("version":"1"},"tools":[)";
    for (const std::string& definition : tools->definitions) manifest += definition + ",";
    manifest.back() = ']';
    const auto read = run(engine_.read_manifest(manifest + "}"));
    require(run(engine_.register_configured("demo", *read, true, "[]")).has_value());
    require(run(engine_.start()).has_value());
  }

  [[nodiscard]] boost::asio::io_context& io() { return io_; }
  [[nodiscard]] const SystemClock& clock() const { return clock_; }
  [[nodiscard]] engine::Gateway& engine() { return engine_; }

  template <class T>
  T run(boost::asio::awaitable<T> work) {
    std::optional<T> result;
    boost::asio::co_spawn(io_, keep(std::move(work), result),
                          [](const std::exception_ptr& failure) { require(failure == nullptr); });
    run_until([&result] { return result.has_value(); });
    return *std::move(result);
  }
  template <class Condition>
  void run_until(Condition condition) {
    while (!condition()) io_.run_one_for(std::chrono::seconds(10));
  }

 private:
  static engine::GatewayConfiguration unhurried() {
    engine::GatewayConfiguration configuration;
    configuration.token_key = "a key for tests of 32 bytes.....";
    for (policy::Rate& rate : configuration.rates.rates) rate = {1e9, 1e9};
    return configuration;
  }
  template <class T>
  static boost::asio::awaitable<void> keep(boost::asio::awaitable<T> work,
                                           std::optional<T>& result) {
    T value = co_await std::move(work);
    result.emplace(std::move(value));
  }

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{
      io_.get_executor()};
  SystemClock clock_;
  store::testing::MemoryStore store_;
  engine::Gateway engine_;
};

}  // namespace interline::testing

// A whole engine for tests: a real SQLite store in a folder of its own, the builtin agent behind
// two endpoints, a policy with somebody allowed and somebody not, and no network.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include "engine/gateway.hpp"
#include "gated_store.hpp"
#include "puppet.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace interline::testing {

using engine::awaitable;
using policy::Principal;

inline const Principal kAlice = Principal::of("xmpp", "alice@example.test");
inline const Principal kBob = Principal::of("xmpp", "bob@example.test");
inline const Principal kStranger = Principal::of("xmpp", "eve@elsewhere.test");

struct EngineOptions {
  engine::LaneConfiguration lane;
  std::function<void(engine::GatewayConfiguration&)> configure = [](engine::GatewayConfiguration&) {
  };
  const Clock* clock = nullptr;  ///< the system's, if not given
  /// Of the database; "" in `vfs` is a folder of its own on the real disk.
  store::SqliteOptions store;
  std::vector<std::pair<std::string, engine::BodyGuard>> guards;
  std::vector<policy::Grant> grants;  ///< beside those that there are
  int threads = 2;
  bool puppet = true;  ///< whether the endpoint "puppet" is there beside "demo" and "hidden"
};

/// XMPP carries bodies of `most` bytes.
inline EngineOptions guarded(std::size_t most) {
  EngineOptions options;
  options.guards.emplace_back(
      "xmpp", [most](tasks::EntryType, std::string_view body) { return body.size() <= most; });
  return options;
}

class EngineBench {
 public:
  explicit EngineBench(engine::LaneConfiguration lane = {}) : EngineBench(with_lane(lane)) {}
  /// Without the puppet everybody sees "demo" alone.
  EngineBench(const engine::LaneConfiguration& lane, engine::GatewayConfiguration configuration,
              const Clock* clock = nullptr, bool puppet = false);
  explicit EngineBench(EngineOptions options);
  ~EngineBench();
  EngineBench(const EngineBench&) = delete;
  EngineBench& operator=(const EngineBench&) = delete;

  /// Runs a coroutine on the engine's threads and waits for it.
  template <class T>
  T run(awaitable<T> work) {
    return boost::asio::co_spawn(*io_, std::move(work), boost::asio::use_future).get();
  }

  /// The same, one thread at a time: for what belongs to a strand.
  template <class T>
  T run_on_strand(awaitable<T> work) {
    return boost::asio::co_spawn(boost::asio::make_strand(*io_), std::move(work),
                                 boost::asio::use_future)
        .get();
  }
  template <class T>
  std::future<T> spawn(awaitable<T> work) {
    return boost::asio::co_spawn(*io_, std::move(work), boost::asio::use_future);
  }

  [[nodiscard]] engine::Gateway& engine() { return *gateway_; }
  /// Does the work behind the endpoint "puppet".
  [[nodiscard]] Puppet& puppet() { return *puppet_; }
  [[nodiscard]] GatedStore& store() { return *store_; }
  /// Commits of unknown outcome that the engine told of.
  [[nodiscard]] int uncertain() const { return uncertain_; }
  /// Where the store's files are.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] boost::asio::any_io_executor executor() { return io_->get_executor(); }
  /// Called with each new engine before it looks at what an earlier one left: listeners go here.
  std::function<void()> before_start;
  /// Ends the engine as a crash would, and starts another one on what the disk has.
  void restart();
  /// Ends it, until the next restart().
  void end() { stop(); }
  /// Starts it on another disk.
  void restart(store::SqliteOptions store);
  /// A call of the puppet's one tool.
  [[nodiscard]] engine::Invocation puppet_call(std::string request_key = {}) const;
  /// Admits it for Alice and waits for the work.
  std::shared_ptr<PuppetCall> work(std::string& task);
  [[nodiscard]] std::vector<tasks::LogEntry> log(const std::string& task) {
    return *store_->log(task, 0, 200'000);
  }

  [[nodiscard]] engine::Invocation call(std::string tool, std::string arguments = "{}",
                                        std::string request_key = {}) const;
  Result<engine::Admission> admit(const Principal& who, engine::Invocation invocation);
  /// Admits for Alice, and expects that to work.
  std::string task(std::string tool, std::string arguments = "{}");
  tasks::Task state(const std::string& task, const Principal& who = kAlice);
  /// Follows the task until it is in that state or has settled.
  tasks::Task until(const std::string& task, tasks::State state);
  /// Every log entry, once the task has settled.
  std::vector<tasks::LogEntry> whole_log(const std::string& task);

 private:
  static EngineOptions with_lane(const engine::LaneConfiguration& lane) {
    EngineOptions options;
    options.lane = lane;
    return options;
  }
  void start();
  void open(const std::string& endpoint, std::shared_ptr<engine::Runtime> runtime);
  void stop();

  EngineOptions options_;
  std::filesystem::path folder_;
  SystemClock system_clock_;
  const Clock& clock_;
  std::atomic<int> uncertain_ = 0;
  std::shared_ptr<Puppet> puppet_ = std::make_shared<Puppet>();
  // Those of earlier starts: work that a test holds still refers to its own.
  std::vector<std::unique_ptr<boost::asio::io_context>> past_;
  std::unique_ptr<boost::asio::io_context> io_;
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guard_;
  std::vector<std::jthread> threads_;
  std::unique_ptr<GatedStore> store_;
  std::unique_ptr<engine::Gateway> gateway_;
};

}  // namespace interline::testing

// A whole engine for tests: a real SQLite store in a folder of its own, the builtin agent behind
// two endpoints, a policy with somebody allowed and somebody not, and no network.
#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include "engine/gateway.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace interline::testing {

using engine::awaitable;
using policy::Principal;

inline const Principal kAlice = Principal::of("xmpp", "alice@example.test");
inline const Principal kBob = Principal::of("xmpp", "bob@example.test");
inline const Principal kStranger = Principal::of("xmpp", "eve@elsewhere.test");

class EngineBench {
 public:
  /// `clock`: the system's if none; outlives the bench.
  explicit EngineBench(engine::LaneConfiguration lane = {},
                       engine::GatewayConfiguration configuration = {},
                       const Clock* clock = nullptr);
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

  [[nodiscard]] engine::Gateway& engine() { return *gateway_; }
  /// Where the store's files are.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] store::Store& store() { return *store_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] boost::asio::any_io_executor executor() { return io_->get_executor(); }
  /// Ends the engine as a crash would, and starts another one on what the disk has.
  void restart();
  /// Called with each new engine before it looks at what an earlier one left: listeners go here.
  std::function<void()> before_start;

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
  void start();
  void stop();

  engine::LaneConfiguration lane_;
  engine::GatewayConfiguration configuration_;
  std::filesystem::path folder_;
  SystemClock system_clock_;
  const Clock& clock_;
  std::unique_ptr<boost::asio::io_context> io_;
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guard_;
  std::vector<std::jthread> threads_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<engine::Gateway> gateway_;
};

}  // namespace interline::testing

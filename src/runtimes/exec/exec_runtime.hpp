// Any script is an agent: long-lived processes that speak the exec protocol on their standard
// streams. One start serves many first calls; a process that dies is started again with backoff.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/process.hpp"

namespace interline::runtimes::exec {

struct ExecConfiguration {
  net::Program program;
  std::size_t processes = 1;
  std::size_t concurrency = 1;  ///< calls in work over all processes
  bool cold_start = true;       ///< false: the processes are kept running
  std::size_t line_limit = std::size_t{8} * 1024 * 1024;
  std::chrono::milliseconds list_timeout{10'000};
  std::chrono::milliseconds backoff_min{200};
  std::chrono::milliseconds backoff_max{30'000};
};

class ExecRuntime final : public engine::Runtime {
 public:
  ExecRuntime(const net::Executor& executor, ExecConfiguration configuration, Logger log);
  ~ExecRuntime() override;

  [[nodiscard]] engine::RuntimeFeatures features() const override;
  [[nodiscard]] bool available() const override;
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] engine::awaitable<void> drain(std::chrono::milliseconds grace) override;

 private:
  class Pool;
  std::shared_ptr<Pool> pool_;
};

}  // namespace interline::runtimes::exec

// Any script is an agent: long-lived processes that speak the exec protocol on their standard
// streams. What it promises is in docs/exec.md, how processes are run in process_pool.hpp.
#pragma once

#include <memory>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::runtimes {
class ProcessPool;
}

namespace interline::runtimes::exec {

using ExecConfiguration = ProcessConfiguration;

class ExecRuntime final : public engine::Runtime {
 public:
  ExecRuntime(const net::Executor& executor, ExecConfiguration configuration, Logger log);
  /// Ends the processes; calls still open fail as unavailable.
  ~ExecRuntime() override;

  [[nodiscard]] engine::RuntimeFeatures features() const override;
  [[nodiscard]] bool available() const override;
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] engine::awaitable<void> drain(std::chrono::milliseconds grace) override;

 private:
  std::shared_ptr<ProcessPool> pool_;
};

}  // namespace interline::runtimes::exec

#include "runtimes/exec/exec_runtime.hpp"

#include <utility>

#include "runtimes/exec/exec_worker.hpp"
#include "runtimes/process_pool.hpp"

namespace interline::runtimes::exec {

ExecRuntime::ExecRuntime(const net::Executor& executor, ExecConfiguration configuration, Logger log)
    : pool_(std::make_shared<ProcessPool>(executor, std::move(configuration), std::move(log),
                                          [](ProcessWorker::Setup setup) {
                                            return std::make_shared<ExecWorker>(std::move(setup));
                                          })) {
  pool_->open();
}

ExecRuntime::~ExecRuntime() {
  pool_->close();
}

engine::RuntimeFeatures ExecRuntime::features() const {
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  features.input = true;
  return features;
}

bool ExecRuntime::available() const {
  return pool_->available();
}

engine::awaitable<Result<engine::ImportedTools>> ExecRuntime::list_tools() {
  return pool_->list_tools();
}

void ExecRuntime::start(std::shared_ptr<engine::Job> job) {
  pool_->start(std::move(job));
}

engine::awaitable<void> ExecRuntime::drain(std::chrono::milliseconds grace) {
  return pool_->drain(grace);
}

}  // namespace interline::runtimes::exec

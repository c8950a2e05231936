// What the tests of calls and of processes share: one runtime over a script.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "runtimes/exec/exec_runtime.hpp"
#include "runtimes/test_support.hpp"

namespace interline::runtimes::exec {

class ExecTest : public ::testing::Test {
 protected:
  ExecConfiguration with(const std::string& script, std::size_t concurrency = 1) {
    ExecConfiguration configuration;
    configuration.program.command = fixture.python(script);
    configuration.concurrency = concurrency;
    configuration.cancel_grace = configuration.stop_grace = std::chrono::hours(1);
    configuration.backoff_min = std::chrono::milliseconds(1);
    return configuration;
  }
  void open(ExecConfiguration configuration) {
    runtime =
        std::make_unique<ExecRuntime>(fixture.executor(), std::move(configuration), fixture.log());
  }
  std::shared_ptr<testing::FakeJob> start(std::string handle, std::string tool = "work",
                                          std::string arguments = "{}") {
    auto job = fixture.job(std::move(handle), std::move(tool), std::move(arguments));
    runtime->start(job);
    return job;
  }

  testing::Fixture fixture;
  std::unique_ptr<ExecRuntime> runtime;
};

}  // namespace interline::runtimes::exec

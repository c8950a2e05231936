// How a runtime that has child processes runs them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "net/process.hpp"

namespace interline::runtimes {

/// Of all the processes that an endpoint ever had.
struct ProcessCounters {
  std::atomic<std::uint64_t> starts = 0;
  std::atomic<std::uint64_t> failed_starts = 0;  ///< the program could not be run at all
  std::atomic<std::uint64_t> deaths = 0;         ///< ends that nobody here had asked for
};

struct ProcessConfiguration {
  std::shared_ptr<ProcessCounters> counters = std::make_shared<ProcessCounters>();
  net::Program program;
  std::size_t processes = 1;
  std::size_t concurrency = 1;  ///< calls in work over all processes
  bool cold_start = true;       ///< false: all processes are kept running

  /// Bytes of a line of its stdout; a call whose line is longer fails.
  std::size_t line_limit = std::size_t{8} * 1024 * 1024;
  /// Bytes of all lines of one call; beyond it the call fails.
  std::size_t output_limit = std::size_t{64} * 1024 * 1024;
  /// Lines of stderr that reach the log in a second, and in a burst.
  std::size_t error_lines_per_second = 200;

  std::chrono::milliseconds open_timeout{60'000};  ///< until a process can take calls
  std::chrono::milliseconds list_timeout{60'000};  ///< until it has listed its tools
  std::chrono::milliseconds backoff_min{200};
  std::chrono::milliseconds backoff_max{30'000};
  /// What a process gets to end a call that was cancelled. After it the process gets no new calls
  /// and is ended when it has no others.
  std::chrono::milliseconds cancel_grace{10'000};
  /// The same for a call whose task has settled: new calls wait so long before another process is
  /// started for them.
  std::chrono::milliseconds stop_grace{1'000};
  std::chrono::milliseconds kill_grace{5'000};  ///< between SIGTERM and SIGKILL
};

}  // namespace interline::runtimes

// A child process that speaks lines on its standard streams: an agent, an MCP server.
//
// It runs in a process group of its own, which dies with it: when its first process exits, what it
// started and left behind is killed. It is reaped whatever happens to this object; there is no
// SIGCHLD handler, no zombie, and no SIGPIPE.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "net/asio.hpp"
#include "net/line_buffer.hpp"
#include "net/spawn.hpp"

namespace interline::net {

struct ProcessOptions {
  Program program;
  std::size_t line_limit = std::size_t{8} * 1024 * 1024;    ///< Bytes of a line of its stdout.
  std::size_t queue_limit = std::size_t{16} * 1024 * 1024;  ///< Bytes written but not yet taken.
  /// Gets the lines of its stderr, on the executor, as the process wrote them: unprintable bytes,
  /// invalid UTF-8 and all. Cut at `error_line_limit` bytes; beyond `error_lines_per_second` (and a
  /// burst of as many) they are dropped, and a line says how many. Must not destroy the Process.
  std::function<void(std::string_view line)> on_error_line;
  std::size_t error_line_limit = std::size_t{4} * 1024;
  std::size_t error_lines_per_second = 200;
};

struct ExitStatus {
  int code = 0;    ///< Where signal is 0.
  int signal = 0;  ///< What killed it, or 0.

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};
/// "exit status 3", "killed by signal 9".
[[nodiscard]] std::string to_string(const ExitStatus& status);

/// Belongs to its executor (a strand).
class Process {
 public:
  /// Errors: as spawn(); its note about threads holds here.
  [[nodiscard]] static Result<std::unique_ptr<Process>> start(const Executor& executor,
                                                              const ProcessOptions& options);
  /// Kills the group if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t pid() const;

  /// The next line of its stdout; none at the end, when it closed it or has exited and everything
  /// it wrote was read. A line beyond the limit is an error (resource_constraint, too_large) and
  /// the next call goes on behind it; while it has not ended it is that error, too, once for about
  /// every `line_limit` bytes of it. Nothing is read ahead: a process that floods has to wait.
  /// One call at a time.
  awaitable<Result<std::optional<Line>>> read_line();
  /// What is kept of the last line that was too long: its head and, once it has ended, its last
  /// bytes.
  [[nodiscard]] const Line& refused_line() const;

  /// Adds a newline and returns once the pipe has taken the line; lines of several callers never
  /// mix, also when a caller is cancelled. Errors: unavailable when the process does not read any
  /// more; resource_constraint (too_many) when `queue_limit` bytes wait already.
  awaitable<Result<void>> write_line(std::string_view line);
  /// The same without waiting.
  Result<void> post_line(std::string_view line);

  /// Returns once the pipe has taken all that was written before, or takes nothing any more.
  awaitable<void> wait_taken();
  /// Returns once nothing can be written any more: it closed its stdin, as the first line after
  /// that shows, or has exited.
  awaitable<void> wait_unwritable();

  /// Its stdin ends once everything written so far was taken.
  void close_input();

  /// None while it runs.
  [[nodiscard]] std::optional<ExitStatus> exited() const;
  /// Any number of calls may wait.
  awaitable<ExitStatus> wait();
  /// To every process of the group.
  void signal_group(int signal);
  /// SIGTERM to the group, SIGKILL if the first process still runs after `grace`.
  awaitable<ExitStatus> terminate(Duration grace);

 private:
  struct State;
  explicit Process(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace interline::net

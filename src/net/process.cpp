#include "net/process.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <signal.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <sys/wait.h>

#include "net/deadline.hpp"
#include "net/errors.hpp"
#include "net/event.hpp"
#include "net/line_throttle.hpp"
#include "net/pipe_end.hpp"

namespace interline::net {
namespace {

using boost::system::error_code;
using Descriptor = asio::posix::stream_descriptor;

constexpr std::size_t kReadSize = std::size_t{32} * 1024;

ExitStatus status_of(const siginfo_t& info) {
  ExitStatus status;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  return status;
}

}  // namespace

std::string to_string(const ExitStatus& status) {
  if (status.signal != 0) return "killed by signal " + std::to_string(status.signal);
  return "exit status " + std::to_string(status.code);
}

// Shared by the Process and its coroutines, which outlive it: somebody must reap the child.
struct Process::State {
  using Pointer = std::shared_ptr<State>;

  State(const Executor& on, const Child& child, const ProcessOptions& chosen)
      : executor(on),
        options(chosen),
        pid(child.pid),
        watch(on, child.watch),
        input(on, child.input),
        output(on, child.output),
        errors(on, child.errors),
        lines(chosen.line_limit),
        changed(on) {}
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static awaitable<void> watch_exit(Pointer self);
  static awaitable<void> read_errors(Pointer self);
  static awaitable<void> write_queued(Pointer self);

  void kill_group(int signal) const {
    // Until it is reaped its number, and so the group's, belongs to nobody else.
    if (!status) ::kill(-pid, signal);
  }
  bool reap_if_exited(int flags);
  Result<void> enqueue(std::string_view line);
  void note_error_line(const Line& line, LineThrottle& throttle) const;
  void abandon();

  Executor executor;
  ProcessOptions options;
  pid_t pid;
  Descriptor watch;
  PipeEnd input;
  PipeEnd output;
  PipeEnd errors;
  LineBuffer lines;
  Line refused{std::string()};
  Event changed;  // it exited, or the pipe took more
  std::optional<ExitStatus> status;

  std::string queued;               // lines that wait for the pipe
  std::uint64_t accepted = 0;       // bytes ever queued
  std::uint64_t taken = 0;          // bytes of those that the pipe took
  bool writing = false;             // write_queued runs
  bool ending = false;              // close_input was called
  std::optional<Error> unwritable;  // why no more can be written
};

// What the first process leaves behind in its group dies before the first is reaped: while it is a
// zombie, no other group can have got the number.
bool Process::State::reap_if_exited(int flags) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(pid);
  if (::waitid(P_PID, id, &info, WEXITED | WNOWAIT | flags) != 0 || info.si_pid == 0) return false;
  ::kill(-pid, SIGKILL);
  while (::waitid(P_PID, id, &info, WEXITED) != 0 && errno == EINTR) {
  }
  status = status_of(info);
  return true;
}

// Where the whole context ended before the child: nobody else is left to reap it.
Process::State::~State() {
  if (status) return;
  kill_group(SIGKILL);
  while (!reap_if_exited(0) && errno == EINTR) {
  }
}

awaitable<void> Process::State::watch_exit(Pointer self) {
  while (!self->reap_if_exited(WNOHANG)) {
    co_await self->watch.async_wait(Descriptor::wait_read, use_tuple);
  }
  error_code ignored;
  self->watch.close(ignored);
  self->input.close();
  self->output.finish();
  self->errors.finish();
  self->changed.notify_all();
}

void Process::State::note_error_line(const Line& line, LineThrottle& throttle) const {
  if (!options.on_error_line || !throttle.admit(std::chrono::steady_clock::now())) return;
  if (const std::size_t dropped = throttle.take_dropped()) {
    options.on_error_line("(" + std::to_string(dropped) + " lines dropped)");
  }
  options.on_error_line(line.text);
}

// Always read, so that a process which complains never has to wait for us.
awaitable<void> Process::State::read_errors(Pointer self) {
  LineBuffer buffer(self->options.error_line_limit);
  LineThrottle throttle(self->options.error_lines_per_second, std::chrono::steady_clock::now());
  std::array<char, 4096> bytes;
  const std::span<char> target(bytes);
  for (;;) {
    auto got = co_await self->errors.read_some(target);
    if (!got || *got == 0) break;
    buffer.append(std::string_view(bytes.data(), *got));
    while (auto line = buffer.next()) self->note_error_line(*line, throttle);
  }
  if (auto line = buffer.rest()) self->note_error_line(*line, throttle);
  const std::size_t dropped = throttle.take_dropped();
  if (dropped > 0 && self->options.on_error_line) {
    self->options.on_error_line("(" + std::to_string(dropped) + " lines dropped)");
  }
  self->errors.close();
}

// One writer for all callers: a line is never cut by a caller that is cancelled.
awaitable<void> Process::State::write_queued(Pointer self) {
  while (!self->queued.empty() && !self->unwritable) {
    const std::string bytes = std::exchange(self->queued, std::string());
    auto written = co_await self->input.write_all(bytes);
    if (written) {
      self->taken += bytes.size();
    } else {
      self->unwritable = std::move(written.error());
      self->queued.clear();
    }
    self->changed.notify_all();
  }
  self->writing = false;
  if (self->ending || self->unwritable) self->input.close();
}

Result<void> Process::State::enqueue(std::string_view line) {
  if (unwritable) return std::unexpected(*unwritable);
  if (ending || !input.is_open())
    return fail(ErrorKind::unavailable, "the process's input is closed");
  if (accepted - taken + line.size() + 1 > options.queue_limit) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                "the process does not read its input");
  }
  queued += line;
  queued += '\n';
  accepted += line.size() + 1;
  return {};
}

void Process::State::abandon() {
  options.on_error_line = nullptr;
  kill_group(SIGKILL);
  input.close();
  output.close();
  errors.close();
}

Process::Process(std::shared_ptr<State> state) : state_(std::move(state)) {}
Process::~Process() {
  state_->abandon();
}

Result<std::unique_ptr<Process>> Process::start(const Executor& executor,
                                                const ProcessOptions& options) {
  auto child = spawn(options.program);
  if (!child) return std::unexpected(std::move(child.error()));
  auto state = std::make_shared<State>(executor, *child, options);
  asio::co_spawn(executor, State::watch_exit(state), asio::detached);
  asio::co_spawn(executor, State::read_errors(state), asio::detached);
  return std::unique_ptr<Process>(new Process(std::move(state)));
}

pid_t Process::pid() const {
  return state_->pid;
}

awaitable<Result<std::optional<Line>>> Process::read_line() {
  const std::shared_ptr<State> state = state_;
  std::vector<char> bytes;
  for (;;) {
    std::optional<Line> line = state->lines.next();
    if (!line) line = state->lines.overflow();
    if (!line) {
      bytes.resize(kReadSize);
      const std::span<char> target(bytes);
      auto got = co_await state->output.read_some(target);
      if (!got) co_return std::unexpected(std::move(got.error()));
      if (*got > 0) {
        state->lines.append(std::string_view(bytes.data(), *got));
        continue;
      }
      line = state->lines.rest();
      if (!line) co_return std::optional<Line>();
    }
    if (line->too_long) {
      state->refused = *std::move(line);
      co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                     "the process wrote a line that is too long");
    }
    co_return line;
  }
}

const Line& Process::refused_line() const {
  return state_->refused;
}

Result<void> Process::post_line(std::string_view line) {
  auto queued = state_->enqueue(line);
  if (queued && !state_->writing) {
    state_->writing = true;
    asio::co_spawn(state_->executor, State::write_queued(state_), asio::detached);
  }
  return queued;
}

awaitable<Result<void>> Process::write_line(std::string_view line) {
  auto posted = post_line(line);
  if (!posted) co_return posted;
  const std::shared_ptr<State> state = state_;
  const std::uint64_t end = state->accepted;
  while (state->taken < end && !state->unwritable) co_await state->changed.wait();
  if (state->taken < end) co_return std::unexpected(*state->unwritable);
  co_return Result<void>();
}

awaitable<void> Process::wait_taken() {
  const std::shared_ptr<State> state = state_;
  const std::uint64_t end = state->accepted;
  while (state->taken < end && !state->unwritable && !state->status) {
    co_await state->changed.wait();
  }
}

awaitable<void> Process::wait_unwritable() {
  const std::shared_ptr<State> state = state_;
  while (!state->unwritable && !state->status) co_await state->changed.wait();
}

void Process::close_input() {
  state_->ending = true;
  if (!state_->writing) state_->input.close();
}

std::optional<ExitStatus> Process::exited() const {
  return state_->status;
}

awaitable<ExitStatus> Process::wait() {
  const std::shared_ptr<State> state = state_;
  while (!state->status) co_await state->changed.wait();
  co_return *state->status;
}

void Process::signal_group(int signal) {
  state_->kill_group(signal);
}

awaitable<ExitStatus> Process::terminate(Duration grace) {
  const std::shared_ptr<State> state = state_;
  state->kill_group(SIGTERM);
  Deadline deadline(state->executor, [&state] { state->changed.notify_all(); });
  deadline.expires_after(grace);
  while (!state->status && !deadline.expired()) co_await state->changed.wait();
  state->kill_group(SIGKILL);
  while (!state->status) co_await state->changed.wait();
  co_return *state->status;
}

}  // namespace interline::net

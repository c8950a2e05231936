#include "net/process.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "net/line_throttle.hpp"
#include "net/test_support.hpp"

namespace interline::net {
namespace {

using testing::run;
using testing::spawn;

ProcessOptions shell(std::string script) {
  ProcessOptions options;
  options.program.command = {"sh", "-c", std::move(script)};
  return options;
}

class ProcessTest : public ::testing::Test {
 protected:
  std::unique_ptr<Process> start(const ProcessOptions& options) {
    auto process = Process::start(context_.get_executor(), options);
    if (!process) throw std::runtime_error(process.error().message);
    return std::move(*process);
  }

  asio::io_context context_{1};
};

// Each line; "!" for one that was too long; "text~" for one that was not terminated.
awaitable<std::vector<std::string>> all_lines(Process& process) {
  std::vector<std::string> lines;
  for (;;) {
    auto line = co_await process.read_line();
    if (!line) {
      const bool too_long = line.error().reason == ErrorReason::too_large;
      if (too_long && !process.refused_line().ended) continue;
      lines.push_back("!");
      if (line.error().reason != ErrorReason::too_large) co_return lines;
      continue;
    }
    if (!*line) co_return lines;
    lines.push_back((*line)->text + ((*line)->terminated ? "" : "~"));
  }
}

using Lines = std::vector<std::string>;

// True once nobody has this process id; zombies count as alive.
bool gone(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

// True once it is no more than a zombie whose reaping is init's business.
bool dead(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  return !(file >> id >> name >> state) || state == "Z";
}

bool have_children() {
  return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD;
}

awaitable<Lines> echo_twice(Process& process) {
  auto first = co_await process.write_line("one");
  EXPECT_TRUE(first);
  auto second = co_await process.write_line("two");
  EXPECT_TRUE(second);
  process.close_input();
  co_return co_await all_lines(process);
}

TEST_F(ProcessTest, LinesGoInAndComeOut) {
  auto process = start(shell("while read -r l; do echo \"got $l\"; done; printf last; exit 3"));
  EXPECT_EQ(run(context_, echo_twice(*process)), (Lines{"got one", "got two", "last~"}));
  const ExitStatus status = run(context_, process->wait());
  EXPECT_EQ(status, (ExitStatus{3, 0}));
  EXPECT_EQ(to_string(status), "exit status 3");
  EXPECT_FALSE(have_children()) << "reaped";
}

TEST_F(ProcessTest, WhatCannotStartSaysWhy) {
  ProcessOptions options;
  EXPECT_EQ(Process::start(context_.get_executor(), options).error().kind, ErrorKind::malformed);
  const auto message = [&](std::vector<std::string> command, std::string directory = "") {
    options.program.command = std::move(command);
    options.program.directory = std::move(directory);
    auto process = Process::start(context_.get_executor(), options);
    return process ? "started" : process.error().message;
  };
  EXPECT_EQ(message({"no-such-program"}),
            "cannot start no-such-program: No such file or directory");
  EXPECT_EQ(message({"/etc/passwd"}), "cannot start /etc/passwd: Permission denied");
  EXPECT_EQ(message({"sh"}, "/no/such"), "cannot start sh in /no/such: No such file or directory");
  EXPECT_EQ(message({std::string("a\0b", 3)}), "the command has a NUL byte");
  EXPECT_FALSE(have_children());
}

TEST_F(ProcessTest, EnvironmentIsWhatWasNamedAndNothingElse) {
  ::setenv("INTERLINE_TEST_SECRET", "hidden", 1);
  ::setenv("LANG", "C.UTF-8", 1);
  ProcessOptions options = shell("env | cut -d= -f1 | sort | grep -v -e _ -e SHLVL -e PWD");
  options.program.inherit = {"PATH", "LANG", "NOTSET"};
  options.program.environment = {{"GIVEN", "a=b c"}, {"LANG", "C"}};
  auto process = start(options);
  EXPECT_EQ(run(context_, all_lines(*process)), (Lines{"GIVEN", "LANG", "PATH"}));
  options.program.command = {"sh", "-c", "echo \"$GIVEN|$LANG|$INTERLINE_TEST_SECRET\""};
  process = start(options);
  EXPECT_EQ(run(context_, all_lines(*process)), Lines{"a=b c|C|"});
}

TEST_F(ProcessTest, RunsInItsDirectoryAndItsOwnGroup) {
  const testing::TemporaryFolder folder;
  ProcessOptions options = shell("pwd; cut -d' ' -f5,6 /proc/$$/stat");
  options.program.directory = folder.file("");
  auto process = start(options);
  const std::string id = std::to_string(process->pid());
  const Lines lines = run(context_, all_lines(*process));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(std::filesystem::equivalent(lines[0], folder.file("")));
  EXPECT_EQ(lines[1], id + " " + id) << "process group and session";
}

TEST_F(ProcessTest, ItHasThreeDescriptorsAndDefaultSignals) {
  const int leaky = ::open("/dev/null", O_RDONLY);  // as a library without O_CLOEXEC would
  ::signal(SIGPIPE, SIG_IGN);
  ProcessOptions options;
  options.program.command = {"ls", "/proc/self/fd"};  // 3 is ls's own
  auto process = start(options);
  EXPECT_EQ(run(context_, all_lines(*process)), (Lines{"0", "1", "2", "3"}));
  options.program.command = {"grep", "-e", "SigIgn", "-e", "SigBlk", "/proc/self/status"};
  process = start(options);
  EXPECT_EQ(run(context_, all_lines(*process)),
            (Lines{"SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"}));
  ::signal(SIGPIPE, SIG_DFL);
  ::close(leaky);
}

TEST_F(ProcessTest, HugeLinesAreRefusedAndTheNextIsFine) {
  ProcessOptions options = shell(
      "echo before; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo after; "
      "head -c 200000 /dev/zero | tr '\\0' y");
  options.line_limit = 100'000;
  auto process = start(options);
  EXPECT_EQ(run(context_, all_lines(*process)), (Lines{"before", "!", "after", "!"}));
}

awaitable<std::size_t> count_lines(Process& process) {
  std::size_t count = 0;
  for (;;) {
    auto line = co_await process.read_line();
    if (!line || !*line) co_return count;
    ++count;
  }
}

TEST_F(ProcessTest, AFloodArrivesWholeAtTheReadersPace) {
  auto process = start(shell("seq 1 200000"));
  EXPECT_EQ(run(context_, count_lines(*process)), 200'000U);
}

TEST_F(ProcessTest, AnErrorFloodIsThrottledCountedAndHoldsNothingUp) {
  ProcessOptions options = shell("seq 1 100000 >&2; head -c 10000 /dev/zero | tr '\\0' e >&2");
  std::size_t lines = 0;
  std::size_t dropped = 0;
  options.on_error_line = [&](std::string_view line) {
    EXPECT_LE(line.size(), 4096U);
    if (line.ends_with(" lines dropped)")) {
      dropped += std::stoul(std::string(line.substr(1)));
    } else {
      ++lines;
    }
  };
  auto process = start(options);
  run(context_, process->wait());
  context_.restart();
  context_.run();  // until its error output was read to the end
  EXPECT_EQ(lines + dropped, 100'001U);
  EXPECT_GE(lines, 200U);
  EXPECT_GT(dropped, 0U);
}

TEST(LineThrottle, ARateAndABurstOfAsMany) {
  LineThrottle::TimePoint now{};
  LineThrottle throttle(10, now);
  int admitted = 0;
  for (int i = 0; i < 100; ++i) admitted += throttle.admit(now) ? 1 : 0;
  EXPECT_EQ(admitted, 10);
  EXPECT_EQ(throttle.take_dropped(), 90U);
  EXPECT_EQ(throttle.take_dropped(), 0U);
  now += std::chrono::milliseconds(500);
  for (int i = 0; i < 100; ++i) admitted += throttle.admit(now) ? 1 : 0;
  EXPECT_EQ(admitted, 15);
}

TEST_F(ProcessTest, DeathAtAnyByteGivesWhatWasWritten) {
  const std::string text = "first\nsecond\n";
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    auto process = start(
        shell("printf 'first\\nsecond\\n' | head -c " + std::to_string(bytes) + "; kill -9 $$"));
    std::string got;
    for (const std::string& line : run(context_, all_lines(*process))) {
      got += line.ends_with('~') ? line.substr(0, line.size() - 1) : line + "\n";
    }
    EXPECT_EQ(got, text.substr(0, bytes));
    EXPECT_EQ(run(context_, process->wait()), (ExitStatus{0, SIGKILL}));
  }
}

TEST_F(ProcessTest, OutputIsReadToItsEndAfterTheExit) {
  auto process = start(shell("seq 1 5000"));  // fits the pipe: it exits before we read
  run(context_, process->wait());
  EXPECT_EQ(run(context_, count_lines(*process)), 5000U);
}

awaitable<pid_t> first_line_as_pid(Process& process) {
  auto line = co_await process.read_line();
  co_return static_cast<pid_t>(std::stol((*line)->text));
}

awaitable<void> until_dead(pid_t pid) {
  const Executor executor = co_await asio::this_coro::executor;
  while (!dead(pid)) co_await asio::post(executor, asio::use_awaitable);
}

TEST_F(ProcessTest, GrandchildrenDieWithTheFirstProcessAndDoNotHoldTheOutputOpen) {
  auto process = start(shell("sleep 1000 & echo $!; exit 0"));
  const pid_t grandchild = run(context_, first_line_as_pid(*process));
  EXPECT_EQ(run(context_, process->wait()), (ExitStatus{0, 0}));
  EXPECT_EQ(run(context_, count_lines(*process)), 0U) << "ends although the pipe had a writer";
  run(context_, until_dead(grandchild));
}

TEST_F(ProcessTest, TerminateAsksFirst) {
  auto process =
      start(shell("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done"));
  const auto ready = run(context_, process->read_line());
  EXPECT_EQ((*ready)->text, "ready");
  EXPECT_EQ(run(context_, process->terminate(Duration(60'000))), (ExitStatus{7, 0}));
  EXPECT_EQ(run(context_, all_lines(*process)), Lines{"bye"});
}

TEST_F(ProcessTest, TerminateKillsTheGroupThatDoesNotListen) {
  auto process =
      start(shell("trap '' TERM; (trap '' TERM; sleep 1000) & echo $!; sleep 1000; sleep 1000"));
  const pid_t grandchild = run(context_, first_line_as_pid(*process));
  EXPECT_EQ(run(context_, process->terminate(Duration(5))), (ExitStatus{0, SIGKILL}));
  EXPECT_EQ(to_string(*process->exited()), "killed by signal 9");
  run(context_, until_dead(grandchild));
  EXPECT_EQ(run(context_, process->terminate(Duration(5))), (ExitStatus{0, SIGKILL})) << "again";
}

awaitable<Result<void>> write_until_error(Process& process) {
  const std::string line(1000, 'x');
  for (;;) {
    auto written = co_await process.write_line(line);
    if (!written) co_return written;
  }
}

TEST_F(ProcessTest, WritingToAClosedInputIsAnErrorAndNoSignal) {
  auto process = start(shell("exec 0<&-; echo closed; sleep 1000"));
  run(context_, process->read_line());
  EXPECT_EQ(run(context_, write_until_error(*process)).error().message, "write: Broken pipe");
  EXPECT_FALSE(process->exited());
  EXPECT_FALSE(process->post_line("x"));
}

TEST_F(ProcessTest, AProcessThatDoesNotReadFillsABoundedQueue) {
  ProcessOptions options = shell("sleep 1000");
  options.queue_limit = 300'000;  // the pipe itself takes 64 KiB
  auto process = start(options);
  Result<void> posted;
  std::size_t lines = 0;
  const std::string line(999, 'x');
  for (; posted; ++lines) {
    posted = process->post_line(line);
    context_.restart();
    context_.poll();
  }
  EXPECT_EQ(posted.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(posted.error().reason, ErrorReason::too_many);
  EXPECT_GT(lines, 300U);
  EXPECT_LT(lines, 400U);
  EXPECT_EQ(run(context_, process->terminate(Duration(60'000))), (ExitStatus{0, SIGTERM}));
}

awaitable<void> write_lines(Process& process, std::string line, int& running) {
  for (int i = 0; i < 50; ++i) {
    auto written = co_await process.write_line(line);
    EXPECT_TRUE(written);
  }
  if (--running == 0) process.close_input();
}

TEST_F(ProcessTest, LinesOfSeveralWritersNeverMix) {
  auto process = start(shell("cat"));
  int running = 4;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    spawn(context_.get_executor(), write_lines(*process, std::string(70'000, letter), running));
  }
  const Lines lines = run(context_, all_lines(*process));
  ASSERT_EQ(lines.size(), 200U);
  for (const std::string& line : lines) EXPECT_EQ(line, std::string(70'000, line.front()));
}

TEST_F(ProcessTest, DestroyedItIsKilledAndReaped) {
  auto process = start(shell("trap '' TERM; sleep 1000; sleep 1000"));
  const pid_t pid = process->pid();
  process.reset();
  context_.restart();
  context_.run();
  EXPECT_TRUE(gone(pid));
  EXPECT_FALSE(have_children());
}

TEST_F(ProcessTest, AContextThatEndsFirstLeavesNoZombie) {
  pid_t pid = 0;
  {
    asio::io_context context;
    auto process = Process::start(context.get_executor(), shell("sleep 1000"));
    pid = (*process)->pid();
    process->reset();  // nobody runs the context any more
  }
  EXPECT_TRUE(gone(pid));
  EXPECT_FALSE(have_children());
}

TEST_F(ProcessTest, NoDescriptorLeaks) {
  run(context_, start(shell("true"))->wait());
  context_.restart();
  context_.run();
  const std::size_t before = testing::open_descriptors();
  for (int i = 0; i < 20; ++i) {
    auto process = start(shell("echo x; echo y >&2"));
    run(context_, all_lines(*process));
    if (i % 2 == 0) run(context_, process->wait());
    ProcessOptions missing;
    missing.program.command = {"no-such-program"};
    EXPECT_FALSE(Process::start(context_.get_executor(), missing));
  }
  context_.restart();
  context_.run();
  EXPECT_EQ(testing::open_descriptors(), before);
  EXPECT_FALSE(have_children());
}

awaitable<void> start_talk_and_stop(std::atomic<int>& good) {
  const Executor executor = co_await asio::this_coro::executor;
  ProcessOptions options = shell("read -r l; echo \"$l\"; sleep 1000");
  auto process = Process::start(executor, options);
  if (!process) co_return;
  auto written = co_await (*process)->write_line("hello");
  auto line = co_await (*process)->read_line();
  const ExitStatus status = co_await (*process)->terminate(Duration(60'000));
  if (written && line && *line && (*line)->text == "hello" && status.signal == SIGTERM) ++good;
}

TEST(ProcessThreads, ManyStartAtOnceFromSeveralThreads) {
  asio::io_context context;
  std::atomic<int> good = 0;
  for (int i = 0; i < 40; ++i) {
    spawn(new_strand(context.get_executor()), start_talk_and_stop(good));
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { context.run(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 40);
  EXPECT_FALSE(have_children());
}

// A gateway that is killed takes its agents along.
TEST_F(ProcessTest, TheChildDiesWhenItsParentIsKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t gateway = ::fork();
  if (gateway == 0) {
    Program program;
    program.command = {"sleep", "1000"};
    const auto child = net::spawn(program);
    const pid_t pid = child ? child->pid : 0;
    [[maybe_unused]] const ssize_t written = ::write(ends[1], &pid, sizeof pid);
    ::pause();
  }
  pid_t child = 0;
  ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  ASSERT_GT(child, 0);
  EXPECT_FALSE(dead(child));
  ::kill(gateway, SIGKILL);
  ::waitpid(gateway, nullptr, 0);
  run(context_, until_dead(child));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace interline::net

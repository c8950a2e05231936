#include "net/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <string_view>
#include <unistd.h>

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "net/errors.hpp"

namespace interline::net {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void reset(int value = -1) {
    if (value_ >= 0) ::close(value_);
    value_ = value;
  }
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;

  // Both ends above 2, so that the child can put its own at 0, 1 and 2 without treading on others.
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read.reset(ends[0]);
    write.reset(ends[1]);
    for (Descriptor* end : {&read, &write}) {
      if (end->get() > STDERR_FILENO) continue;
      const int higher = ::fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      if (higher < 0) return false;
      end->reset(higher);
    }
    return true;
  }
};

// What exec failed at, as the child reports it.
struct Failure {
  bool in_directory = false;
  int cause = 0;
};

// Everything the child needs, laid out before the fork: after it, a child of a process with threads
// may call async-signal-safe functions only, and allocates nothing.
struct Plan {
  std::vector<std::string> strings;
  std::vector<std::string> candidates;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const char* directory = nullptr;
  std::array<int, 3> standard{};
  int report = -1;
  pid_t parent = 0;
};

[[noreturn]] void give_up(const Plan& plan, bool in_directory, int cause) {
  const Failure failure{in_directory, cause};
  [[maybe_unused]] const ssize_t ignored = ::write(plan.report, &failure, sizeof failure);
  ::_exit(127);
}

[[noreturn]] void run_child(const Plan& plan) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // it died before the line above
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int target = 0; target < 3; ++target) {
    if (::dup2(plan.standard[static_cast<std::size_t>(target)], target) < 0) {
      give_up(plan, false, errno);
    }
  }
  // Also those that some library opened without O_CLOEXEC, or has not marked yet.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (plan.directory != nullptr && ::chdir(plan.directory) != 0) give_up(plan, true, errno);
  int cause = ENOENT;
  for (const std::string& candidate : plan.candidates) {
    ::execve(candidate.c_str(), plan.arguments.data(), plan.environment.data());
    if (errno != ENOENT && errno != ENOTDIR) cause = errno;
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) break;
  }
  give_up(plan, false, cause);
}

std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> variables;
  const auto set = [&](const std::string& name, std::string_view value) {
    const std::string prefix = name + "=";
    std::erase_if(variables, [&](const std::string& entry) { return entry.starts_with(prefix); });
    variables.push_back(prefix);
    variables.back() += value;
  };
  for (const std::string& name : program.inherit) {
    if (const char* value = std::getenv(name.c_str())) set(name, value);
  }
  for (const auto& [name, value] : program.environment) set(name, value);
  return variables;
}

std::vector<std::string> candidates_of(const std::string& command,
                                       const std::vector<std::string>& environment) {
  if (command.find('/') != std::string::npos) return {command};
  constexpr std::string_view kPath = "PATH=";
  std::string_view path = kDefaultPath;
  for (const std::string& entry : environment) {
    if (entry.starts_with(kPath)) path = std::string_view(entry).substr(kPath.size());
  }
  std::vector<std::string> candidates;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string_view folder = path.substr(begin, end - begin);
    candidates.push_back(std::string(folder.empty() ? "." : folder) + "/" + command);
    begin = end + 1;
  }
  return candidates;
}

bool has_nul(const Program& program) {
  const auto bad = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  return std::ranges::any_of(program.command, bad) || bad(program.directory) ||
         std::ranges::any_of(program.environment, [&](const auto& entry) {
           return bad(entry.first) || bad(entry.second);
         });
}

void lay_out(const Program& program, Plan& plan) {
  plan.strings = environment_of(program);
  plan.candidates = candidates_of(program.command.front(), plan.strings);
  for (std::string& variable : plan.strings) plan.environment.push_back(variable.data());
  plan.environment.push_back(nullptr);
  // execve takes char* for history's sake and changes nothing.
  for (const std::string& argument : program.command) {
    plan.arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  plan.arguments.push_back(nullptr);
  if (!program.directory.empty()) plan.directory = program.directory.c_str();
  plan.parent = ::getpid();
}

// A handler of ours must not run in the child, which shares nothing it could use.
pid_t fork_with_signals_blocked(const Plan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) run_child(plan);
  const int cause = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = cause;
  return pid;
}

// glibc 2.36 declares pidfd_open without extern "C".
int open_pidfd(pid_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<Child> spawn(const Program& program) {
  if (program.command.empty() || program.command.front().empty()) {
    return fail(ErrorKind::malformed, "the command is empty");
  }
  if (has_nul(program)) return fail(ErrorKind::malformed, "the command has a NUL byte");
  const std::string what = "cannot start " + program.command.front();
  Pipe input;
  Pipe output;
  Pipe errors;
  Pipe report;
  if (!input.open() || !output.open() || !errors.open() || !report.open()) {
    return std::unexpected(to_error(what, errno));
  }
  Plan plan;
  lay_out(program, plan);
  plan.standard = {input.read.get(), output.write.get(), errors.write.get()};
  plan.report = report.write.get();
  const pid_t pid = fork_with_signals_blocked(plan);
  if (pid < 0) return std::unexpected(to_error(what, errno));
  Descriptor watch(open_pidfd(pid));
  const int watch_error = errno;
  report.write.reset();
  Failure failure;
  ssize_t got = 0;  // exec closes the pipe: the end is success
  do {
    got = ::read(report.read.get(), &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof failure)) {
    reap(pid);
    if (failure.in_directory) {
      return std::unexpected(to_error(what + " in " + program.directory, failure.cause));
    }
    return std::unexpected(to_error(what, failure.cause));
  }
  if (watch.get() < 0) {
    ::kill(-pid, SIGKILL);
    reap(pid);
    return std::unexpected(to_error(what, watch_error));
  }
  Child child;
  child.pid = pid;
  child.watch = watch.release();
  child.input = input.write.release();
  child.output = output.read.release();
  child.errors = errors.read.release();
  return child;
}

}  // namespace interline::net

// Starting a program in a process group of its own, with pipes for its standard streams; safe in a
// process with threads. What is done with it afterwards is process.hpp's business.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/error.hpp"

namespace interline::net {

struct Program {
  std::vector<std::string> command;  ///< The first is looked up in PATH unless it has a slash.
  std::string directory;             ///< Where it runs, and relative paths start; empty: ours.
  /// Names of our own variables that it gets too. Everything else, secrets included, stays here.
  std::vector<std::string> inherit = {"HOME",  "LANG",   "LC_ALL", "LOGNAME", "PATH",
                                      "SHELL", "TMPDIR", "TZ",     "USER"};
  std::vector<std::pair<std::string, std::string>> environment;  ///< Set after those.
};

/// A running child: ours to reap, and its descriptors ours to close.
struct Child {
  pid_t pid = -1;   ///< Also its process group's and session's id.
  int watch = -1;   ///< pidfd: readable once it has exited.
  int input = -1;   ///< We write its stdin.
  int output = -1;  ///< We read its stdout.
  int errors = -1;  ///< We read its stderr.
};

/// The child gets default signal handlers, no descriptors but 0, 1 and 2, and SIGKILL when the
/// *thread* that called this ends (PR_SET_PDEATHSIG): call it on threads that live as long as the
/// gateway. Returns once the program runs. Errors: malformed (no command, NUL bytes); unavailable
/// with the system's reason ("cannot start x: No such file or directory").
[[nodiscard]] Result<Child> spawn(const Program& program);

}  // namespace interline::net

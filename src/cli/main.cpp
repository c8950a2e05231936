// The program `interline`.
#include <csignal>
#include <cstdio>
#include <exception>

#include "cli/command_line.hpp"
#include "cli/streams.hpp"
#include "cli/verb.hpp"

int main(int argc, char** argv) {
  interline::cli::claim_standard_descriptors();
  // A reader that went away is an error of the write, and seen there.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return interline::cli::run_command_line(argc, argv);
  } catch (const std::exception& broken) {  // no memory, no files: nothing that input can cause
    std::fprintf(stderr, "interline: %s\n", broken.what());
    return interline::cli::kNo;
  }
}

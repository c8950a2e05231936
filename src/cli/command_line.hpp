// From argc and argv to one verb's run.
#pragma once

namespace interline::cli {

/// Reads the command line, runs the verb, and returns the process's exit code (verb.hpp).
[[nodiscard]] int run_command_line(int argc, const char* const* argv);

}  // namespace interline::cli

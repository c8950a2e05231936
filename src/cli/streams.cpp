#include "cli/streams.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

/// 0, or the errno that stopped it.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void claim_standard_descriptors() {
  // open() takes the lowest free descriptor, and those below are taken by then. Read-only: a write
  // to a stream that was closed must fail.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
  }
}

void Streams::out(std::string_view text) {
  kept_ += text;
}

void Streams::err(std::string_view text) {
  write_all(STDERR_FILENO, text);
}

void Streams::complain(std::string_view message) {
  err(std::string("interline: ") + schema::printable(message) + "\n");
}

bool Streams::flush() {
  const int error = failed_ ? 0 : write_all(STDOUT_FILENO, kept_);
  kept_.clear();
  if (error != 0) {
    failed_ = true;
    if (error != EPIPE) {
      complain("cannot write to standard output: " + std::generic_category().message(error));
    }
  }
  return !failed_;
}

}  // namespace interline::cli

#include "store/sqlite/lock_file.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sys/file.h>

namespace interline::store {
namespace {

constexpr std::chrono::milliseconds kLook(20);

std::unexpected<Error> cannot(const std::string& path, int error) {
  return fail(ErrorKind::unavailable,
              "Cannot lock the database: " + path + ": " + std::generic_category().message(error));
}

/// The number that a process wrote there.
std::string written_in(int descriptor) {
  std::array<char, 20> text{};
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  std::string number;
  for (ssize_t i = 0; i < got; ++i) {
    const char c = text.at(static_cast<std::size_t>(i));
    if (c < '0' || c > '9') break;
    number += c;
  }
  return number.empty() ? "unknown" : number;
}

}  // namespace

Result<LockFile> LockFile::acquire(const std::string& path, std::chrono::milliseconds patience,
                                   const Waiting& on_wait) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return cannot(path, errno);
  LockFile lock(descriptor);
  bool waited = false;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return cannot(path, errno);
    const std::string holder = written_in(descriptor);
    if (std::chrono::steady_clock::now() >= give_up) {
      return fail(ErrorKind::unavailable, "Another process (" + holder +
                                              ") has the database open: " + path +
                                              "; end that one, or set another [gateway] data_dir");
    }
    if (!std::exchange(waited, true) && on_wait) on_wait(holder);
    std::this_thread::sleep_for(kLook);
  }
  const std::string holder = std::to_string(::getpid()) + "\n";
  const bool noted =
      ::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, holder.data(), holder.size(), 0) >= 0;
  (void)noted;  // the lock holds without it
  return lock;
}

std::string LockFile::holder(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return {};
  const LockFile closed(descriptor);  // and let go of, where nobody has it
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  return taken ? written_in(descriptor) : std::string();
}

LockFile::LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace interline::store

#include "store/sqlite/lock_file.hpp"

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

}  // namespace

Result<LockFile> LockFile::acquire(const std::string& path, std::chrono::milliseconds patience) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return cannot(path, errno);
  LockFile lock(descriptor);
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return cannot(path, errno);
    if (std::chrono::steady_clock::now() >= give_up) {
      return fail(ErrorKind::unavailable, "Another process has the database open: " + path);
    }
    std::this_thread::sleep_for(kLook);
  }
  const std::string holder = std::to_string(::getpid()) + "\n";
  const bool noted =
      ::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, holder.data(), holder.size(), 0) >= 0;
  (void)noted;  // the lock holds without it
  return lock;
}

LockFile::LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace interline::store

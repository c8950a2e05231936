#include "app/private_write.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace interline::app {
namespace {

std::unexpected<Error> cannot(const char* what, const std::filesystem::path& path, int error) {
  return fail(ErrorKind::unavailable, std::string(what) + " " + path.string() + ": " +
                                          std::generic_category().message(error));
}

}  // namespace

Result<void> write_whole(const std::filesystem::path& path, std::string_view bytes, mode_t mode) {
  const std::string beside = path.string() + ".new";
  ::unlink(beside.c_str());  // of a process that was killed; what cannot be removed fails below
  const int file =
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) return cannot("cannot make", beside, errno);
  const bool written =
      ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
      ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  if (!written) return cannot("cannot write", beside, error);
  if (::rename(beside.c_str(), path.c_str()) != 0) return cannot("cannot make", path, errno);
  return {};
}

}  // namespace interline::app

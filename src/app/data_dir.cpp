#include "app/data_dir.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

#include "base/random.hpp"

namespace interline::app {
namespace {

constexpr std::size_t kKeyBytes = 32;

std::unexpected<Error> cannot(const char* what, const std::filesystem::path& path, int error) {
  return fail(ErrorKind::unavailable, std::string(what) + " " + path.string() + ": " +
                                          std::generic_category().message(error));
}

/// Whole, or not at all: written beside its name, then moved there.
Result<void> write_secret(const std::filesystem::path& path, const std::string& bytes) {
  const std::string beside = path.string() + ".new";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
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

}  // namespace

Result<void> make_data_dir(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  const auto parent = folder.parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(folder.c_str(), 0700) != 0) {
    return cannot("cannot make [gateway] data_dir", folder, errno);
  }
  return {};
}

Result<std::string> token_key(const std::filesystem::path& folder) {
  const auto path = folder / "token.key";
  std::ifstream stream(path, std::ios::binary);
  if (stream) {
    std::string key((std::istreambuf_iterator<char>(stream)), {});
    if (key.size() == kKeyBytes) return key;
    return fail(ErrorKind::not_acceptable,
                path.string() + " is not a key of ours; remove it, and conversations begin anew");
  }
  std::array<std::uint8_t, kKeyBytes> random{};
  random_bytes(random);
  std::string key(random.begin(), random.end());
  if (Result<void> written = write_secret(path, key); !written) {
    return std::unexpected(std::move(written.error()));
  }
  return key;
}

}  // namespace interline::app

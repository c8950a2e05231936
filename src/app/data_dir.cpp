#include "app/data_dir.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

#include "app/private_files.hpp"
#include "app/private_write.hpp"
#include "base/random.hpp"

namespace interline::app {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr mode_t kForOthers = S_IRWXG | S_IRWXO;

std::unexpected<Error> cannot(const char* what, const std::filesystem::path& path, int error) {
  return fail(ErrorKind::unavailable, std::string(what) + " " + path.string() + ": " +
                                          std::generic_category().message(error));
}

/// The bytes of a file that is ours alone. Nothing: there is none.
Result<std::optional<std::string>> read_private(const std::filesystem::path& path) {
  using Read = std::optional<std::string>;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return Read();
    return cannot("cannot read", path, errno);
  }
  struct stat status {};
  std::string bytes(kKeyBytes + 1, '\0');
  const bool seen = ::fstat(file, &status) == 0;
  const ssize_t got = ::read(file, bytes.data(), bytes.size());
  const int error = errno;
  ::close(file);
  if (!seen || got < 0) return cannot("cannot read", path, error);
  if ((status.st_mode & kForOthers) != 0) {
    return fail(ErrorKind::not_acceptable,
                path.string() +
                    " is open to other users, who may have read it; remove it, and "
                    "conversations begin anew, or, where nobody has: chmod 600 " +
                    path.string());
  }
  bytes.resize(static_cast<std::size_t>(got));
  return Read(std::move(bytes));
}

}  // namespace

Result<void> make_data_dir(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) {
    if (!is_writable_by_all(folder)) return {};
    return fail(ErrorKind::not_acceptable,
                "every user may write in [gateway] data_dir " + folder.string() +
                    " and put another database or key in the place of the gateway's; chmod 700 " +
                    folder.string() + ", and look at what is in it");
  }
  if (std::filesystem::exists(folder, error)) {
    return fail(ErrorKind::not_acceptable,
                "[gateway] data_dir " + folder.string() +
                    " is a file; move it away, or set data_dir to a directory");
  }
  const auto parent = folder.parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(folder.c_str(), 0700) != 0) {
    return cannot("cannot make [gateway] data_dir", folder, errno);
  }
  return {};
}

Result<std::string> token_key(const std::filesystem::path& folder) {
  const auto path = folder / "token.key";
  auto kept = read_private(path);
  if (!kept) return std::unexpected(std::move(kept.error()));
  if (*kept) {
    if ((*kept)->size() == kKeyBytes) return **std::move(kept);
    return fail(ErrorKind::not_acceptable,
                path.string() + " is not a key of ours; remove it, and conversations begin anew");
  }
  std::array<std::uint8_t, kKeyBytes> random{};
  random_bytes(random);
  std::string key(random.begin(), random.end());
  if (Result<void> written = write_whole(path, key, 0600); !written) {
    return std::unexpected(std::move(written.error()));
  }
  return key;
}

}  // namespace interline::app

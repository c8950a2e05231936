// What the machine gives: a directory, a disk, the time.
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>

#include "app/private_files.hpp"
#include "bindings/control/control.hpp"
#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

constexpr std::uint64_t kGigabyte = 1'000'000'000;
constexpr std::uint64_t kTooLittle = kGigabyte / 10;
constexpr std::uint64_t kLittle = kGigabyte;
constexpr std::size_t kLongestSocketPath = 107;   // of sockaddr_un, without its NUL
constexpr std::time_t kEarliest = 1'767'225'600;  // 2026-01-01: this program is younger

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// Makes a file, syncs it and removes it again; a link of that name is not followed. 0, or the
/// errno.
int try_writing(const std::filesystem::path& folder) {
  const std::string file = (folder / ".doctor").string();
  ::unlink(file.c_str());
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  const bool synced = ::write(descriptor, "x", 1) == 1 && ::fsync(descriptor) == 0;
  const int error = synced ? 0 : errno;
  ::close(descriptor);
  ::unlink(file.c_str());
  return error;
}

std::string mend_of_writing(int error) {
  if (error == ENOSPC || error == EDQUOT) return "make room there, or set [gateway] data_dir";
  if (error == EROFS) return "mount it for writing, or set [gateway] data_dir";
  return "let this user write there (chown), or run this as the gateway's user, or set [gateway] "
         "data_dir";
}

/// Who may get at what is in it.
std::optional<Finding> exposure_of(const std::filesystem::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
  const std::string remedy = "chmod 700 " + shell_word(folder.string()) +
                             " (711 lets other users reach the socket, and nothing else)";
  if (app::is_writable_by_all(folder)) {
    return Finding(Verdict::wrong, "data_dir",
                   "every user may write in " + folder.string() +
                       ", and put another database or key there: serve refuses it",
                   remedy + ", and look at what is in it");
  }
  if ((status.st_mode & S_IWGRP) != 0) {
    return Finding(Verdict::doubtful, "data_dir",
                   "its group may write in " + folder.string() +
                       ": whoever is in it can take the gateway's place",
                   remedy);
  }
  if ((status.st_mode & (S_IRGRP | S_IROTH)) == 0) return std::nullopt;
  return Finding(Verdict::doubtful, "data_dir", folder.string() + " can be read by others", remedy);
}

Finding disk_of(const std::filesystem::path& folder) {
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) {
    return {Verdict::doubtful, "disk", "its free space cannot be told: " + reason(errno),
            "look at it by hand: df " + shell_word(folder.string())};
  }
  const std::uint64_t free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  const std::string text = std::to_string(free / (kGigabyte / 1'000)) + " MB free";
  const std::string mend = "make room on the disk of " + folder.string() +
                           ", or set [gateway] data_dir to another one: a full disk refuses new "
                           "tasks";
  if (free < kTooLittle) return {Verdict::wrong, "disk", text, mend};
  if (free < kLittle) return {Verdict::doubtful, "disk", text, mend};
  return {Verdict::fine, "disk", text};
}

/// The directory's nearest ancestor that is there: where it will be made.
std::filesystem::path nearest(std::filesystem::path folder) {
  std::error_code ignored;
  folder = std::filesystem::absolute(folder, ignored);
  while (!std::filesystem::exists(folder, ignored) && folder.has_parent_path() &&
         folder.parent_path() != folder) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

Findings check_data_dir(const app::Configuration& configuration, bool runs) {
  Findings found;
  const std::filesystem::path& folder = configuration.gateway.data_dir;
  const std::filesystem::path there = nearest(folder);
  std::error_code ignored;
  const bool made = std::filesystem::equivalent(folder, there, ignored);
  if (!std::filesystem::is_directory(there, ignored)) {
    found.emplace_back(Verdict::wrong, "data_dir", there.string() + " is a file",
                       "move it away, or set [gateway] data_dir to a directory");
    return found;
  }
  if (const int error = runs ? 0 : try_writing(there); error != 0) {
    found.emplace_back(Verdict::wrong, "data_dir",
                       there.string() + " cannot be written to: " + reason(error),
                       mend_of_writing(error));
  } else {
    found.emplace_back(Verdict::fine, "data_dir",
                       folder.string() + (runs   ? " is the running gateway's"
                                          : made ? " can be written to"
                                                 : " will be made by serve"));
  }
  if (made) {
    if (auto exposure = exposure_of(folder)) found.push_back(*std::move(exposure));
  }
  const std::size_t length = (folder / control::kSocketName).string().size();
  if (length > kLongestSocketPath) {
    found.emplace_back(Verdict::wrong, "socket",
                       "the path of the socket in data_dir has " + std::to_string(length) +
                           " bytes; the system takes " + std::to_string(kLongestSocketPath),
                       "set [gateway] data_dir to a shorter path");
  }
  found.push_back(disk_of(there));
  return found;
}

Findings check_secret_files(const app::Configuration& configuration) {
  Findings found;
  for (const app::OpenSecret& one : app::open_secrets(configuration)) {
    found.emplace_back(
        Verdict::wrong, "secret",
        one.key + ": every user of this machine may read or write " + one.file.string(),
        "chmod 600 " + shell_word(one.file.string()) +
            " (640 for a group that may); where others may have read it, make "
            "another one");
  }
  return found;
}

Findings check_clock() {
  Findings found;
  const std::time_t now = std::time(nullptr);
  struct timex state {};
  const bool told = ::adjtimex(&state) != -1;
  if (now < kEarliest) {
    found.emplace_back(Verdict::wrong, "clock", "the system's time lies in the past",
                       "set it: deadlines, certificates and retention depend on it");
  } else if (told && (state.status & STA_UNSYNC) != 0) {
    found.emplace_back(Verdict::doubtful, "clock",
                       "the system says that its time is not synchronised",
                       "run an NTP client (apt install systemd-timesyncd); in a container the host "
                       "may do so unseen");
  } else {
    found.emplace_back(Verdict::fine, "clock", told ? "synchronised" : "plausible");
  }
  return found;
}

}  // namespace interline::cli

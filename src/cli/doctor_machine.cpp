// What the machine gives: a directory, a disk, the time.
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>

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

/// Makes a file, syncs it and removes it again. 0, or the errno.
int try_writing(const std::filesystem::path& folder) {
  const std::string file = (folder / ".doctor").string();
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  const bool synced = ::write(descriptor, "x", 1) == 1 && ::fsync(descriptor) == 0;
  const int error = synced ? 0 : errno;
  ::close(descriptor);
  ::unlink(file.c_str());
  return error;
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

Findings check_data_dir(const app::Configuration& configuration) {
  Findings found;
  const std::filesystem::path& folder = configuration.gateway.data_dir;
  const std::filesystem::path there = nearest(folder);
  std::error_code ignored;
  const bool made = std::filesystem::equivalent(folder, there, ignored);
  const int error = try_writing(there);
  if (error != 0) {
    found.emplace_back(Verdict::wrong, "data_dir",
                       there.string() + " cannot be written to: " + reason(error),
                       "let this user write there (chown), or set [gateway] data_dir");
  } else {
    found.emplace_back(
        Verdict::fine, "data_dir",
        made ? folder.string() + " can be written to" : folder.string() + " will be made by serve");
  }
  struct stat status {};
  if (made && ::stat(folder.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0) {
    found.emplace_back(Verdict::doubtful, "data_dir", folder.string() + " can be read by others",
                       "chmod 700 " + shell_word(folder.string()) +
                           " (711 lets other users reach the socket, and nothing else)");
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

Findings check_grants(const app::Configuration& configuration) {
  Findings found;
  if (!configuration.grants.empty()) return found;
  found.emplace_back(Verdict::doubtful, "grants", "no [[grant]]: nobody sees or calls anything",
                     "write into the configuration who may see and call what, for example:\n"
                     "[[grant]]\nprincipals = [\"local:*\"]\nendpoints = [\"*\"]\n"
                     "visible = true\ninvoke = [\"*\"]");
  return found;
}

}  // namespace interline::cli

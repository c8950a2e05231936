// The process's number in `interline.pid`, for `kill -HUP "$(cat var/interline.pid)"`.
#pragma once

#include <filesystem>
#include <utility>

#include "base/error.hpp"

namespace interline::app {

/// Removed with the object. A process that was killed leaves its file behind, and the next one
/// writes its own over it; what keeps a second process away is the database's lock.
class PidFile {
 public:
  /// Whole or not at all. Errors: unavailable, with the system's reason.
  [[nodiscard]] static Result<PidFile> write(const std::filesystem::path& folder);

  PidFile(PidFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PidFile& operator=(PidFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~PidFile();

 private:
  explicit PidFile(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty: moved from
};

}  // namespace interline::app

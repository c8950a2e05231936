// One process a database: a file beside it, locked as long as the process lives.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/error.hpp"

namespace interline::store {

class LockFile {
 public:
  using Waiting = std::function<void(const std::string& holder)>;

  /// Creates the file if need be; what it holds is the process id, for people. Errors: unavailable
  /// (another process has it, or it cannot be made). The kernel releases it with the process, which
  /// takes its time to die on a busy machine: a process that has it is waited for so long, with the
  /// thread; `on_wait` is told whom, once.
  [[nodiscard]] static Result<LockFile> acquire(const std::string& path,
                                                std::chrono::milliseconds patience,
                                                const Waiting& on_wait = {});
  /// The process id that is in the file, if somebody has it locked; "" otherwise, or where it
  /// cannot be told.
  [[nodiscard]] static std::string holder(const std::string& path);

  ~LockFile();
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace interline::store

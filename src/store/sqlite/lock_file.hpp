// One process a database: a file beside it, locked as long as the process lives.
#pragma once

#include <chrono>
#include <string>

#include "base/error.hpp"

namespace interline::store {

class LockFile {
 public:
  /// Creates the file if need be; what it holds is the process id, for people. Errors: unavailable
  /// (another process has it, or it cannot be made). The kernel releases it with the process, which
  /// takes its time to die on a busy machine: a process that has it is waited for so long, with the
  /// thread.
  [[nodiscard]] static Result<LockFile> acquire(const std::string& path,
                                                std::chrono::milliseconds patience);

  ~LockFile();
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace interline::store

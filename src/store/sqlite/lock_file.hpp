// One process a database: a file beside it, locked as long as the process lives.
#pragma once

#include <string>

#include "base/error.hpp"

namespace interline::store {

class LockFile {
 public:
  /// Creates the file if need be; what it holds is the process id, for people. Errors: unavailable
  /// (another process has it, or it cannot be made). The kernel releases it with the process.
  [[nodiscard]] static Result<LockFile> acquire(const std::string& path);

  ~LockFile();
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace interline::store

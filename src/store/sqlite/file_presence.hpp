// Whether the files of an open database are still those at their place: what is written to files
// that were removed is lost with the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace interline::store {

/// Any thread, once made. A file that was not there when it was made is not looked for.
class FilePresence {
 public:
  explicit FilePresence(const std::vector<std::string>& paths);

  /// One look at the file system a file, no memory of the last.
  [[nodiscard]] bool there() const;

 private:
  struct Identity {
    std::string path;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
  };
  std::vector<Identity> files_;
};

}  // namespace interline::store

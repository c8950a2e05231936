#include "store/sqlite/file_presence.hpp"

#include <algorithm>

#include <sys/stat.h>

namespace interline::store {

FilePresence::FilePresence(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) continue;
    files_.push_back({path, status.st_dev, status.st_ino});
  }
}

bool FilePresence::there() const {
  return std::ranges::all_of(files_, [](const Identity& file) {
    struct stat status {};
    return ::stat(file.path.c_str(), &status) == 0 && status.st_dev == file.device &&
           status.st_ino == file.inode;
  });
}

}  // namespace interline::store

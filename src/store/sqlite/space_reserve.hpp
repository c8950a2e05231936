// A file that holds disk space until the disk is full, so that then there is room to settle the
// tasks that run and to purge.
#pragma once

#include <cstddef>
#include <string>

namespace interline::store {

/// Works through the same SQLite VFS as the database, so that it shares its disk in tests too.
class SpaceReserve {
 public:
  /// `bytes` 0: there is none, and release() frees nothing.
  SpaceReserve(std::string path, const std::string& vfs, std::size_t bytes);

  /// Writes the file, unless it is there in full. Whether it is there afterwards.
  bool fill();
  void release();

 private:
  std::string path_;
  std::string vfs_;
  std::size_t bytes_;
};

}  // namespace interline::store

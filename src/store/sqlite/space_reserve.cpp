#include "store/sqlite/space_reserve.hpp"

#include <algorithm>
#include <sqlite3.h>
#include <utility>
#include <vector>

namespace interline::store {
namespace {

constexpr std::size_t kChunk = 64U << 10U;

sqlite3_vfs* find_vfs(const std::string& name) {
  return sqlite3_vfs_find(name.empty() ? nullptr : name.c_str());
}

/// A file of a VFS, closed at the end.
class File {
 public:
  File(sqlite3_vfs* vfs, const char* path)
      : memory_(static_cast<std::size_t>(vfs->szOsFile) / sizeof(std::max_align_t) + 1),
        file_(reinterpret_cast<sqlite3_file*>(memory_.data())) {
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_JOURNAL;
    open_ = vfs->xOpen(vfs, path, file_, kFlags, nullptr) == SQLITE_OK;
  }
  ~File() {
    if (file_->pMethods != nullptr) file_->pMethods->xClose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] std::size_t size() {
    sqlite3_int64 size = 0;
    const bool known = file_->pMethods->xFileSize(file_, &size) == SQLITE_OK;
    return known ? static_cast<std::size_t>(size) : 0;
  }
  [[nodiscard]] bool write(const std::string& bytes, std::size_t offset) {
    return file_->pMethods->xWrite(file_, bytes.data(), static_cast<int>(bytes.size()),
                                   static_cast<sqlite3_int64>(offset)) == SQLITE_OK;
  }
  [[nodiscard]] bool sync() {
    return file_->pMethods->xSync(file_, SQLITE_SYNC_NORMAL) == SQLITE_OK;
  }

 private:
  std::vector<std::max_align_t> memory_;
  sqlite3_file* file_;
  bool open_ = false;
};

/// SQLite wants the names it opens followed by parameters, even if there are none.
struct Filename {
  explicit Filename(const std::string& path)
      : text(sqlite3_create_filename(path.c_str(), path.c_str(), path.c_str(), 0, nullptr)) {}
  ~Filename() { sqlite3_free_filename(const_cast<char*>(text)); }
  Filename(const Filename&) = delete;
  Filename& operator=(const Filename&) = delete;
  const char* text;
};

bool write_all(File& file, std::size_t bytes) {
  // Not zeros: a file system that compresses would keep nothing free for them.
  std::string chunk(kChunk, '\0');
  unsigned state = 1;
  for (char& byte : chunk) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24U);
  }
  for (std::size_t at = 0; at < bytes; at += chunk.size()) {
    chunk.resize(std::min(chunk.size(), bytes - at));
    if (!file.write(chunk, at)) return false;
  }
  return file.sync();  // space is taken when it is written back, on some file systems
}

}  // namespace

SpaceReserve::SpaceReserve(std::string path, const std::string& vfs, std::size_t bytes)
    : path_(std::move(path)), vfs_(vfs), bytes_(bytes) {}

bool SpaceReserve::fill() {
  if (bytes_ == 0) return true;
  const Filename name(path_);
  bool filled = false;
  {
    File file(find_vfs(vfs_), name.text);
    filled = file.is_open() && (file.size() == bytes_ || write_all(file, bytes_));
  }
  if (!filled) release();
  return filled;
}

void SpaceReserve::release() {
  if (bytes_ == 0) return;
  sqlite3_vfs* const vfs = find_vfs(vfs_);
  const Filename name(path_);
  vfs->xDelete(vfs, name.text, 0);
}

}  // namespace interline::store

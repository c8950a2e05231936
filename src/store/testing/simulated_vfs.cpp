#include "store/testing/simulated_vfs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

#include "store/testing/simulated_disk.hpp"

namespace interline::store::testing {
namespace {

/// What SQLite allocates for an open file.
struct OpenFile {
  sqlite3_file base;
  void* handle;
};

}  // namespace

/// Nothing may be thrown through SQLite: all of these end the process instead.
struct FileMethods {
  using Handle = SimulatedDisk::Handle;
  using Node = SimulatedDisk::Node;

  static Handle& of(sqlite3_file* file) {
    return *static_cast<Handle*>(reinterpret_cast<OpenFile*>(file)->handle);
  }

  static int close(sqlite3_file* file) noexcept {
    Handle& handle = of(file);
    {
      const std::lock_guard lock(handle.disk->mutex_);
      handle.node->locks.erase(&handle);
    }
    delete &handle;
    return SQLITE_OK;
  }

  static int read(sqlite3_file* file, void* out, int amount, sqlite3_int64 offset) noexcept {
    Handle& handle = of(file);
    const std::lock_guard lock(handle.disk->mutex_);
    SimulatedDisk& disk = *handle.disk;
    ++disk.counts_.reads;
    if (disk.off_ || disk.strikes(Fault::read_error, disk.counts_.reads)) return SQLITE_IOERR_READ;
    const std::string& content = handle.node->file.content();
    const auto wanted = static_cast<std::size_t>(amount);
    const auto at = std::min(static_cast<std::size_t>(offset), content.size());
    const std::size_t there = std::min(wanted, content.size() - at);
    std::memcpy(out, content.data() + at, there);
    if (there == wanted) return SQLITE_OK;
    std::memset(static_cast<char*>(out) + there, 0, wanted - there);
    return SQLITE_IOERR_SHORT_READ;
  }

  static int write(sqlite3_file* file, const void* bytes, int amount,
                   sqlite3_int64 offset) noexcept {
    Handle& handle = of(file);
    const std::lock_guard lock(handle.disk->mutex_);
    return handle.disk->write(*handle.node, static_cast<std::size_t>(offset),
                              {static_cast<const char*>(bytes), static_cast<std::size_t>(amount)});
  }

  static int truncate(sqlite3_file* file, sqlite3_int64 size) noexcept {
    Handle& handle = of(file);
    const std::lock_guard lock(handle.disk->mutex_);
    return handle.disk->truncate(*handle.node, static_cast<std::size_t>(size));
  }

  static int sync(sqlite3_file* file, int /*flags*/) noexcept {
    Handle& handle = of(file);
    const std::lock_guard lock(handle.disk->mutex_);
    return handle.disk->sync(*handle.node);
  }

  static int size(sqlite3_file* file, sqlite3_int64* out) noexcept {
    Handle& handle = of(file);
    const std::lock_guard lock(handle.disk->mutex_);
    *out = static_cast<sqlite3_int64>(handle.node->file.content().size());
    return SQLITE_OK;
  }

  static int level(const Node& node, const Handle* handle) {
    const auto found = node.locks.find(handle);
    return found == node.locks.end() ? SQLITE_LOCK_NONE : found->second;
  }

  /// The strongest lock of all the others.
  static int others(const Node& node, const Handle* handle) {
    int strongest = SQLITE_LOCK_NONE;
    for (const auto& [holder, held] : node.locks) {
      if (holder != handle) strongest = std::max(strongest, held);
    }
    return strongest;
  }

  static int lock(sqlite3_file* file, int wanted) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
    Node& node = *handle.node;
    if (level(node, &handle) >= wanted) return SQLITE_OK;
    const int strongest = others(node, &handle);
    if (wanted == SQLITE_LOCK_SHARED && strongest >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
    if (wanted > SQLITE_LOCK_SHARED && strongest >= SQLITE_LOCK_RESERVED) return SQLITE_BUSY;
    if (wanted == SQLITE_LOCK_EXCLUSIVE && strongest >= SQLITE_LOCK_SHARED) {
      node.locks[&handle] = SQLITE_LOCK_PENDING;
      return SQLITE_BUSY;
    }
    node.locks[&handle] = wanted;
    return SQLITE_OK;
  }

  static int unlock(sqlite3_file* file, int wanted) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
    if (level(*handle.node, &handle) > wanted) handle.node->locks[&handle] = wanted;
    return SQLITE_OK;
  }

  static int reserved(sqlite3_file* file, int* out) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
    *out = level(*handle.node, &handle) >= SQLITE_LOCK_RESERVED ||
                   others(*handle.node, &handle) >= SQLITE_LOCK_RESERVED
               ? 1
               : 0;
    return SQLITE_OK;
  }

  static int control(sqlite3_file* /*file*/, int /*what*/, void* /*argument*/) noexcept {
    return SQLITE_NOTFOUND;
  }
  static int sector(sqlite3_file* /*file*/) noexcept { return 4096; }
  static int characteristics(sqlite3_file* /*file*/) noexcept {
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
  }

  static int shm_map(sqlite3_file* file, int region, int /*size*/, int extend,
                     void volatile** out) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
    Node& node = *handle.node;
    node.shm_users.insert(&handle);
    const auto index = static_cast<std::size_t>(region);
    *out = nullptr;
    if (index >= node.shm.size()) {
      if (extend == 0) return SQLITE_OK;
      if (const int code = handle.disk->grow_index(node, index + 1); code != SQLITE_OK) return code;
    }
    *out = node.shm[index]->data();
    return SQLITE_OK;
  }

  static int shm_lock(sqlite3_file* file, int offset, int count, int flags) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
    Node& node = *handle.node;
    const auto first = static_cast<std::size_t>(offset);
    const auto end = first + static_cast<std::size_t>(count);
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
      for (std::size_t i = first; i < end; ++i) {
        node.shm_shared.at(i).erase(&handle);
        if (node.shm_exclusive.at(i) == &handle) node.shm_exclusive.at(i) = nullptr;
      }
      return SQLITE_OK;
    }
    const bool exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
    for (std::size_t i = first; i < end; ++i) {
      const Handle* holder = node.shm_exclusive.at(i);
      if (holder != nullptr && holder != &handle) return SQLITE_BUSY;
      const auto& shared = node.shm_shared.at(i);
      if (exclusive && shared.size() > shared.count(&handle)) return SQLITE_BUSY;
    }
    for (std::size_t i = first; i < end; ++i) {
      if (exclusive) {
        node.shm_exclusive.at(i) = &handle;
      } else {
        node.shm_shared.at(i).insert(&handle);
      }
    }
    return SQLITE_OK;
  }

  static void shm_barrier(sqlite3_file* file) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
  }

  static int shm_unmap(sqlite3_file* file, int /*remove*/) noexcept {
    Handle& handle = of(file);
    const std::lock_guard guard(handle.disk->mutex_);
    Node& node = *handle.node;
    node.shm_users.erase(&handle);
    if (node.shm_users.empty()) node.shm.clear();
    return SQLITE_OK;
  }

  static const sqlite3_io_methods* table() {
    static const sqlite3_io_methods kMethods = {
        2,         close,    read,    write,  truncate,        sync,    size,     lock,
        unlock,    reserved, control, sector, characteristics, shm_map, shm_lock, shm_barrier,
        shm_unmap, nullptr,  nullptr};
    return &kMethods;
  }
};

struct VfsMethods {
  using Handle = SimulatedDisk::Handle;
  using Node = SimulatedDisk::Node;

  static SimulatedDisk& of(sqlite3_vfs* vfs) { return *static_cast<SimulatedDisk*>(vfs->pAppData); }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                  int* out_flags) noexcept {
    SimulatedDisk& disk = of(vfs);
    file->pMethods = nullptr;
    const std::lock_guard guard(disk.mutex_);
    if (disk.off_) return SQLITE_CANTOPEN;
    std::shared_ptr<Node> node;
    if (name == nullptr) {
      node = std::make_shared<Node>();
    } else {
      const auto found = disk.files_.find(name);
      if (found != disk.files_.end()) {
        node = found->second;
      } else if ((flags & SQLITE_OPEN_CREATE) == 0) {
        return SQLITE_CANTOPEN;
      } else {
        node = std::make_shared<Node>();
        disk.files_.emplace(name, node);
      }
    }
    reinterpret_cast<OpenFile*>(file)->handle = new Handle{&disk, std::move(node)};
    file->pMethods = FileMethods::table();
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int /*sync*/) noexcept {
    SimulatedDisk& disk = of(vfs);
    const std::lock_guard guard(disk.mutex_);
    return disk.remove(name);
  }

  static int access(sqlite3_vfs* vfs, const char* name, int /*flags*/, int* out) noexcept {
    SimulatedDisk& disk = of(vfs);
    const std::lock_guard guard(disk.mutex_);
    *out = disk.files_.contains(name) ? 1 : 0;
    return SQLITE_OK;
  }

  static int full_path(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) noexcept {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
  }

  static int randomness(sqlite3_vfs* /*vfs*/, int size, char* out) noexcept {
    for (int i = 0; i < size; ++i) out[i] = static_cast<char>(i * 37 + 11);
    return size;
  }

  static int sleep(sqlite3_vfs* /*vfs*/, int microseconds) noexcept {
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    return microseconds;
  }

  static int time(sqlite3_vfs* /*vfs*/, double* out) noexcept {
    *out = 2'461'042.5;  // 2026-01-01, as a Julian day
    return SQLITE_OK;
  }
  static int last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) noexcept { return 0; }
};

sqlite3_vfs make_vfs(const char* name, SimulatedDisk* disk) {
  sqlite3_vfs vfs{};
  vfs.iVersion = 1;
  vfs.szOsFile = static_cast<int>(sizeof(OpenFile));
  vfs.mxPathname = 512;
  vfs.zName = name;
  vfs.pAppData = disk;
  vfs.xOpen = VfsMethods::open;
  vfs.xDelete = VfsMethods::remove;
  vfs.xAccess = VfsMethods::access;
  vfs.xFullPathname = VfsMethods::full_path;
  vfs.xRandomness = VfsMethods::randomness;
  vfs.xSleep = VfsMethods::sleep;
  vfs.xCurrentTime = VfsMethods::time;
  vfs.xGetLastError = VfsMethods::last_error;
  return vfs;
}

}  // namespace interline::store::testing

// A disk in memory, as a SQLite VFS: it fails when the test says so, and forgets what was not
// synced when the power is cut.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/testing/simulated_file.hpp"

struct sqlite3_vfs;

namespace interline::store::testing {

enum class Fault : std::uint8_t {
  full,         ///< a write finds no space
  short_write,  ///< a write finds space for half of it
  write_error,  ///< a write fails after half of it
  sync_error,   ///< a sync fails
  read_error,   ///< a read fails
  index_error,  ///< the shared index of a write-ahead log cannot grow
  power_cut,    ///< from this write, sync, truncation or deletion on nothing works
};

class SimulatedDisk {
 public:
  SimulatedDisk();
  ~SimulatedDisk();
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;

  /// The name to open databases with. They are closed before the disk goes.
  [[nodiscard]] const std::string& vfs() const { return name_; }

  /// The `nth` operation from now (1: the next) of the fault's kind fails; `lasting`: so do all
  /// after it.
  void fail(Fault fault, std::uint64_t nth, bool lasting);
  /// Nothing fails any more.
  void heal();
  /// Whether the fault has happened, or the disk was full.
  [[nodiscard]] bool has_failed() const;
  /// Writes that would make the files larger than this together find no space.
  void set_capacity(std::optional<std::size_t> bytes);
  [[nodiscard]] std::size_t used() const;

  struct Counts {
    std::uint64_t writes = 0;
    std::uint64_t syncs = 0;
    std::uint64_t reads = 0;
    std::uint64_t index_growths = 0;
    std::uint64_t steps = 0;  ///< of any kind that changes something
  };
  [[nodiscard]] Counts counts() const;

  /// The disk as the next start finds it.
  [[nodiscard]] std::unique_ptr<SimulatedDisk> after_power_cut(Survivors survivors,
                                                               std::uint64_t seed) const;

 private:
  friend struct VfsMethods;
  friend struct FileMethods;

  static constexpr std::size_t kShmLocks = 8;
  static constexpr std::size_t kShmRegion = 32'768;

  struct Handle;
  /// A file and the locks on it; lives as long as a name or a handle has it.
  struct Node {
    SimulatedFile file;
    std::map<const Handle*, int> locks;
    std::vector<std::unique_ptr<std::array<char, kShmRegion>>> shm;
    std::array<const Handle*, kShmLocks> shm_exclusive{};
    std::array<std::set<const Handle*>, kShmLocks> shm_shared;
    std::set<const Handle*> shm_users;
  };
  struct Handle {
    SimulatedDisk* disk = nullptr;
    std::shared_ptr<Node> node;
  };

  // Each is one step of the fault's plan; they return a SQLite result code. With mutex_ held.
  [[nodiscard]] int write(Node& node, std::size_t offset, std::string_view bytes);
  [[nodiscard]] int truncate(Node& node, std::size_t size);
  [[nodiscard]] int sync(Node& node);
  [[nodiscard]] int remove(const std::string& name);
  [[nodiscard]] int grow_index(Node& node, std::size_t regions);

  /// Whether an operation of a kind that counts up to `count` is the one to fail.
  [[nodiscard]] bool strikes(Fault fault, std::uint64_t count);
  [[nodiscard]] bool power_is_cut();
  [[nodiscard]] std::size_t used_now() const;

  const std::string name_;
  std::unique_ptr<sqlite3_vfs> registration_;

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Node>> files_;  // guarded by mutex_, as all below
  std::optional<std::size_t> capacity_;
  struct Plan {
    Fault fault;
    std::uint64_t at;
    bool lasting;
  };
  std::optional<Plan> plan_;
  bool failed_ = false;
  bool off_ = false;
  Counts counts_;
};

}  // namespace interline::store::testing

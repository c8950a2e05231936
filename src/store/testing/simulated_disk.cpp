#include "store/testing/simulated_disk.hpp"

#include <sqlite3.h>

#include "store/testing/simulated_vfs.hpp"

namespace interline::store::testing {

SimulatedDisk::SimulatedDisk()
    : name_("simulated-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))),
      registration_(std::make_unique<sqlite3_vfs>(make_vfs(name_.c_str(), this))) {
  sqlite3_vfs_register(registration_.get(), 0);
}

SimulatedDisk::~SimulatedDisk() {
  sqlite3_vfs_unregister(registration_.get());
}

void SimulatedDisk::fail(Fault fault, std::uint64_t nth, bool lasting) {
  const std::lock_guard lock(mutex_);
  std::uint64_t done = counts_.writes;
  if (fault == Fault::sync_error) done = counts_.syncs;
  if (fault == Fault::read_error) done = counts_.reads;
  if (fault == Fault::index_error) done = counts_.index_growths;
  if (fault == Fault::power_cut) done = counts_.steps;
  plan_ = Plan{fault, done + nth, lasting};
  failed_ = false;
}

void SimulatedDisk::heal() {
  const std::lock_guard lock(mutex_);
  plan_.reset();
  off_ = false;
}

bool SimulatedDisk::has_failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

void SimulatedDisk::set_capacity(std::optional<std::size_t> bytes) {
  const std::lock_guard lock(mutex_);
  capacity_ = bytes;
}

std::size_t SimulatedDisk::used_now() const {
  std::size_t bytes = 0;
  for (const auto& [name, node] : files_) bytes += node->file.content().size();
  return bytes;
}

std::size_t SimulatedDisk::used() const {
  const std::lock_guard lock(mutex_);
  return used_now();
}

SimulatedDisk::Counts SimulatedDisk::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::unique_ptr<SimulatedDisk> SimulatedDisk::after_power_cut(Survivors survivors,
                                                              std::uint64_t seed) const {
  auto next = std::make_unique<SimulatedDisk>();
  std::mt19937_64 random(seed);
  const std::lock_guard lock(mutex_);
  for (const auto& [name, node] : files_) {
    if (!node->file.survives(survivors)) continue;
    auto copy = std::make_shared<Node>();
    copy->file = SimulatedFile(node->file.after_power_cut(survivors, random));
    next->files_.emplace(name, std::move(copy));
  }
  return next;
}

bool SimulatedDisk::strikes(Fault fault, std::uint64_t count) {
  if (!plan_ || plan_->fault != fault) return false;
  const bool now = plan_->lasting ? count >= plan_->at : count == plan_->at;
  failed_ = failed_ || now;
  return now;
}

bool SimulatedDisk::power_is_cut() {
  ++counts_.steps;
  if (strikes(Fault::power_cut, counts_.steps)) off_ = true;
  return off_;
}

int SimulatedDisk::write(Node& node, std::size_t offset, std::string_view bytes) {
  if (power_is_cut()) return SQLITE_IOERR_WRITE;
  ++counts_.writes;
  if (strikes(Fault::full, counts_.writes)) return SQLITE_FULL;
  if (strikes(Fault::short_write, counts_.writes)) {
    node.file.write(offset, bytes.substr(0, bytes.size() / 2));
    return SQLITE_FULL;
  }
  if (strikes(Fault::write_error, counts_.writes)) {
    node.file.write(offset, bytes.substr(0, bytes.size() / 2));
    return SQLITE_IOERR_WRITE;
  }
  const std::size_t size = node.file.content().size();
  const std::size_t end = offset + bytes.size();
  if (capacity_ && end > size && used_now() + (end - size) > *capacity_) {
    failed_ = true;
    return SQLITE_FULL;
  }
  node.file.write(offset, bytes);
  return SQLITE_OK;
}

int SimulatedDisk::truncate(Node& node, std::size_t size) {
  if (power_is_cut()) return SQLITE_IOERR_TRUNCATE;
  node.file.truncate(size);
  return SQLITE_OK;
}

int SimulatedDisk::sync(Node& node) {
  if (power_is_cut()) return SQLITE_IOERR_FSYNC;
  ++counts_.syncs;
  if (strikes(Fault::sync_error, counts_.syncs)) {
    node.file.fail_sync();
    return SQLITE_IOERR_FSYNC;
  }
  node.file.sync();
  return SQLITE_OK;
}

int SimulatedDisk::grow_index(Node& node, std::size_t regions) {
  if (power_is_cut()) return SQLITE_IOERR_SHMSIZE;
  ++counts_.index_growths;
  if (strikes(Fault::index_error, counts_.index_growths)) return SQLITE_IOERR_SHMSIZE;
  while (node.shm.size() < regions) {
    node.shm.push_back(std::make_unique<std::array<char, kShmRegion>>());
    node.shm.back()->fill(0);
  }
  return SQLITE_OK;
}

int SimulatedDisk::remove(const std::string& name) {
  if (power_is_cut()) return SQLITE_IOERR_DELETE;
  return files_.erase(name) == 1 ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
}

}  // namespace interline::store::testing

// Records of one binding that are read with every call and change rarely, kept in memory. Right as
// long as each change of them is told: this process is the only one that has the database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/work.hpp"

namespace interline::engine {

/// Thread-safe. Only what is there is kept: asking for what is not costs a read and no memory.
class RecordCache {
 public:
  /// Of that binding, and without a task or an expiry; at most so many, beyond which all go.
  explicit RecordCache(std::string_view binding, std::size_t most = 4'096)
      : binding_(binding), most_(most) {}

  /// Taken before the database is read: what was changed since then is not kept.
  class Ticket {
   private:
    friend class RecordCache;
    explicit Ticket(std::uint64_t changes) : changes_(changes) {}
    std::uint64_t changes_;
  };

  [[nodiscard]] bool keeps(const store::RecordKey& key) const { return key.binding == binding_; }
  [[nodiscard]] std::optional<store::Record> find(const store::RecordKey& key) const;
  [[nodiscard]] Ticket ticket() const;
  void put(Ticket ticket, const store::Record& record);
  /// After its change was committed, or may have been, and before anybody is told.
  void forget(std::string_view kind, std::string_view key);

 private:
  [[nodiscard]] static std::string name(std::string_view kind, std::string_view key);

  const std::string binding_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, store::Record> records_;  // guarded by mutex_, as below
  std::uint64_t changes_ = 0;
};

}  // namespace interline::engine

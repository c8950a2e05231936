// The tenants' host logs, each numbered from 1 without a gap, bounded by count and by age.
#pragma once

#include <chrono>
#include <cstddef>

#include "store/sqlite/connection.hpp"
#include "store/work.hpp"

namespace interline::store {

struct AuditLimits {
  std::size_t entries = 100'000;                         ///< kept of a tenant
  std::chrono::nanoseconds age = std::chrono::days(90);  ///< kept this long
};

/// The committer's thread only. Everything throws SqliteError.
class AuditTable {
 public:
  AuditTable(const Connection& connection, const AuditLimits& limits);

  void append(const Audit& work, SystemTime now);
  /// Drops what is beyond the limits, `most` entries at most; how many went.
  [[nodiscard]] std::size_t purge(SystemTime now, std::size_t most);

 private:
  struct Tenant {
    std::string name;
    std::uint64_t oldest;
    std::uint64_t newest;
  };
  /// The first sequence that stays.
  [[nodiscard]] std::uint64_t first_kept(const Tenant& tenant, SystemTime now, std::size_t most);

  const AuditLimits limits_;
  Statement next_;
  Statement insert_;
  Statement select_tenants_;
  Statement select_oldest_;
  Statement delete_;
  Statement set_oldest_;
};

}  // namespace interline::store

#include "store/sqlite/audit_table.hpp"

#include <algorithm>
#include <vector>

namespace interline::store {

AuditTable::AuditTable(const Connection& connection, const AuditLimits& limits)
    : limits_(limits),
      next_(connection,
            "INSERT INTO tenants (tenant, oldest, newest) VALUES (?1, 1, 1)"
            " ON CONFLICT (tenant) DO UPDATE SET newest = newest + 1 RETURNING newest"),
      insert_(connection,
              "INSERT INTO audit (tenant, sequence, time, type, body) VALUES (?1, ?2, ?3, ?4, ?5)"),
      select_tenants_(connection, "SELECT tenant, oldest, newest FROM tenants"),
      select_oldest_(connection,
                     "SELECT sequence, time FROM audit WHERE tenant = ?1 AND sequence >= ?2"
                     " ORDER BY sequence LIMIT ?3"),
      delete_(connection, "DELETE FROM audit WHERE tenant = ?1 AND sequence < ?2"),
      set_oldest_(connection, "UPDATE tenants SET oldest = ?2 WHERE tenant = ?1") {}

void AuditTable::append(const Audit& work, SystemTime now) {
  std::uint64_t sequence = 0;
  {
    Rows rows = next_.rows(work.tenant);
    if (rows.next()) sequence = rows.number(0);
    while (rows.next()) continue;  // to its end, or the statement is not done
  }
  insert_.run(work.tenant, sequence, now, work.type, work.body);
}

std::uint64_t AuditTable::first_kept(const Tenant& tenant, SystemTime now, std::size_t most) {
  std::uint64_t kept = tenant.oldest;
  Rows rows = select_oldest_.rows(tenant.name, tenant.oldest, most);
  while (rows.next()) {
    const std::uint64_t sequence = rows.number(0);
    const bool too_many = tenant.newest - sequence >= limits_.entries;
    const bool too_old = rows.time(1) + limits_.age <= now;
    if (!too_many && !too_old) return sequence;
    kept = sequence + 1;
  }
  return kept;
}

std::size_t AuditTable::purge(SystemTime now, std::size_t most) {
  std::vector<Tenant> tenants;
  {
    Rows rows = select_tenants_.rows();
    while (rows.next()) tenants.push_back(Tenant{rows.text(0), rows.number(1), rows.number(2)});
  }
  std::size_t gone = 0;
  for (const Tenant& tenant : tenants) {
    if (gone >= most) break;
    const std::uint64_t kept = first_kept(tenant, now, most - gone);
    if (kept == tenant.oldest) continue;
    delete_.run(tenant.name, kept);
    set_oldest_.run(tenant.name, kept);
    gone += static_cast<std::size_t>(kept - tenant.oldest);
  }
  return gone;
}

}  // namespace interline::store

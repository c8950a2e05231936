// A Store in memory, written for plainness: what the SQLite store is compared with, and a store for
// tests that need none of its durability.
#pragma once

#include <compare>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "store/store.hpp"

namespace interline::store::testing {

/// Thread-safe. Differences from a real one: it purges everything at once, whatever the limit, and
/// all its claims are looked at again in every purge.
class MemoryStore final : public Store {
 public:
  explicit MemoryStore(std::uint64_t boot = 1) : boot_(boot) {}

  GroupEnd commit(std::span<Work> group, CommitTime time) override;

  Result<std::optional<tasks::Task>> task(std::string_view id) override;
  Result<std::optional<Replay>> replay(std::string_view scope, std::string_view key,
                                       SystemTime kept) override;
  Result<std::vector<tasks::LogEntry>> log(std::string_view task, tasks::Sequence after,
                                           std::size_t limit) override;
  Result<std::vector<Artifact>> artifacts(std::string_view task) override;
  Result<TaskPage> list_tasks(const TaskQuery& query) override;
  Result<std::vector<std::pair<SystemTime, std::string>>> due_before(SystemTime horizon) override;
  Result<std::vector<std::string>> open_tasks(std::string_view after, std::size_t limit) override;

  Result<std::optional<Record>> record(const RecordKey& key) override;
  Result<std::vector<Record>> records(std::string_view binding, std::string_view kind,
                                      std::string_view after, std::size_t limit) override;
  Result<std::vector<Record>> records_of_task(std::string_view task,
                                              std::string_view binding) override;
  Result<std::vector<Record>> records_of_owner(std::string_view owner, std::string_view binding,
                                               std::string_view kind, std::string_view after,
                                               std::size_t limit) override;

  Result<std::vector<EndpointRow>> endpoints(std::string_view after, std::size_t limit) override;
  Result<std::vector<VersionRow>> versions(std::string_view endpoint) override;
  Result<std::optional<std::string>> manifest(std::string_view endpoint,
                                              std::string_view version) override;
  Result<std::string> loss_report(std::string_view endpoint, std::string_view version) override;
  Result<std::vector<AuditRow>> audit(std::string_view tenant, std::uint64_t after,
                                      std::size_t limit) override;

  std::uint64_t boot() const override { return boot_; }
  /// As a restart would make it.
  void count_boot() { ++boot_; }

 private:
  using RecordId = std::tuple<std::string, std::string, std::string>;
  struct TaskState {
    tasks::Task task;
    std::vector<tasks::LogEntry> log;
    std::vector<Artifact> artifacts;  // parts without the brackets
  };
  struct Claim {
    Replay replay;
    SystemTime expires{};
  };
  struct Version {
    RegisterVersion registered;
  };
  struct Endpoint {
    std::string active;
    std::string title;
    std::string agent;
    std::string origin;
    std::map<std::string, Version, std::less<>> versions;
    std::map<std::string, Digest> tombstones;
  };
  struct HostLog {
    std::uint64_t newest = 0;
    std::vector<AuditRow> entries;
  };

  void perform(Admit& work);
  void perform(Apply& work);
  void perform(ChangeRecords& work);
  void perform(RegisterVersion& work);
  void perform(Activate& work);
  void perform(Remove& work);
  void perform(Purge& work);
  void perform(Audit& work);

  [[nodiscard]] Result<void> admissible(const Admit& work) const;
  [[nodiscard]] bool lives(const Claim& claim, SystemTime kept) const;
  [[nodiscard]] Result<void> check(const std::vector<RecordChange>& changes,
                                   std::string_view admitting) const;
  void write(const std::vector<RecordChange>& changes);
  void select(Endpoint& endpoint, const std::string& version);
  [[nodiscard]] bool retained(std::string_view endpoint, std::string_view version) const;
  template <class Takes>
  [[nodiscard]] std::vector<Record> select_records(std::size_t limit, Takes takes) const;

  std::uint64_t boot_;
  mutable std::mutex mutex_;
  CommitTime time_{SystemTime()};  // guarded by mutex_, as all below
  std::map<std::string, TaskState, std::less<>> tasks_;
  std::map<std::pair<std::string, std::string>, Claim> claims_;
  std::map<RecordId, Record> records_;
  std::map<std::string, Endpoint, std::less<>> endpoints_;
  std::map<std::string, HostLog, std::less<>> host_logs_;
};

}  // namespace interline::store::testing

// The Store: where manifests, tasks, events, replay claims and binding records live.
//
// One writer (the committer's thread) and any number of readers, which never block it. Reads see
// committed state only: each is one snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/work.hpp"

namespace interline::store {

/// How a group ended.
enum class GroupEnd : std::uint8_t {
  committed,  ///< every work has its own answer
  refused,    ///< nothing was written (full disk, failing write); every work says unavailable
  uncertain,  ///< COMMIT itself failed: the outcome is unknown, the process must end
};

/// Filter and page of list_tasks; newest status first, by (updated, id) descending.
struct TaskQuery {
  std::vector<std::string> owners;  ///< principals; empty: everybody's (operators)
  std::optional<std::string> context;
  std::vector<tasks::State> states;         ///< empty: all
  std::optional<SystemTime> updated_since;  ///< status at or after
  std::optional<std::string>
      after_id;  ///< keyset: with after_time, the last row of the page before
  std::optional<SystemTime> after_time;
  std::size_t limit = 50;
};

struct TaskPage {
  std::vector<tasks::Task> tasks;
  std::size_t total = 0;  ///< of the filter, without the keyset
};

struct Artifact {
  std::string id;
  std::string parts;  ///< JSON array text, folded
  bool complete = false;
};

struct VersionRow {
  std::string version;
  Digest hash{};
  bool active = false;
  bool removable = false;  ///< not active, and no retained task depends on it
};

struct EndpointRow {
  std::string name;
  std::string active;  ///< version; "" if inactive
  std::string title;   ///< of the active version
  std::string agent;   ///< the stable name of the active version's agent
  std::string origin;
};

struct AuditRow {
  std::uint64_t sequence = 0;
  std::string type;
  std::string body;
  SystemTime time{};
};

class Store {
 public:
  virtual ~Store() = default;

  /// The committer's thread only. Fills every work's answer.
  [[nodiscard]] virtual GroupEnd commit(std::span<Work> group, CommitTime time) = 0;

  // Reads: any thread. Error: unavailable.
  [[nodiscard]] virtual Result<std::optional<tasks::Task>> task(std::string_view id) = 0;
  /// The claim, if it lives at that instant of CommitTime::kept: as an admission would find it.
  [[nodiscard]] virtual Result<std::optional<Replay>> replay(std::string_view scope,
                                                             std::string_view key,
                                                             SystemTime kept) = 0;
  /// Entries with a sequence greater than `after`, oldest first.
  [[nodiscard]] virtual Result<std::vector<tasks::LogEntry>> log(std::string_view task,
                                                                 tasks::Sequence after,
                                                                 std::size_t limit) = 0;
  [[nodiscard]] virtual Result<std::vector<Artifact>> artifacts(std::string_view task) = 0;
  [[nodiscard]] virtual Result<TaskPage> list_tasks(const TaskQuery& query) = 0;
  /// Every non-terminal task that is due before `horizon`, for the timer heap.
  [[nodiscard]] virtual Result<std::vector<std::pair<SystemTime, std::string>>> due_before(
      SystemTime horizon) = 0;
  /// Ids of all non-terminal tasks, oldest first: recovery at start.
  [[nodiscard]] virtual Result<std::vector<std::string>> open_tasks(std::string_view after,
                                                                    std::size_t limit) = 0;

  [[nodiscard]] virtual Result<std::optional<Record>> record(const RecordKey& key) = 0;
  /// In key order, keys greater than `after`.
  [[nodiscard]] virtual Result<std::vector<Record>> records(std::string_view binding,
                                                            std::string_view kind,
                                                            std::string_view after,
                                                            std::size_t limit) = 0;
  [[nodiscard]] virtual Result<std::vector<Record>> records_of_task(std::string_view task,
                                                                    std::string_view binding) = 0;
  /// As records(), of one owner.
  [[nodiscard]] virtual Result<std::vector<Record>> records_of_owner(std::string_view owner,
                                                                     std::string_view binding,
                                                                     std::string_view kind,
                                                                     std::string_view after,
                                                                     std::size_t limit) = 0;

  [[nodiscard]] virtual Result<std::vector<EndpointRow>> endpoints(std::string_view after,
                                                                   std::size_t limit) = 0;
  [[nodiscard]] virtual Result<std::vector<VersionRow>> versions(std::string_view endpoint) = 0;
  /// Canonical manifest bytes.
  [[nodiscard]] virtual Result<std::optional<std::string>> manifest(std::string_view endpoint,
                                                                    std::string_view version) = 0;
  [[nodiscard]] virtual Result<std::string> loss_report(std::string_view endpoint,
                                                        std::string_view version) = 0;
  [[nodiscard]] virtual Result<std::vector<AuditRow>> audit(std::string_view tenant,
                                                            std::uint64_t after,
                                                            std::size_t limit) = 0;

  /// This process's number, counted up durably when the store was opened; from 1.
  [[nodiscard]] virtual std::uint64_t boot() const = 0;
};

}  // namespace interline::store

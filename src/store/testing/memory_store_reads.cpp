#include <algorithm>
#include <tuple>

#include "store/testing/memory_store.hpp"

namespace interline::store::testing {
namespace {

bool takes(const TaskQuery& query, const tasks::Task& task) {
  const tasks::Admission& admission = *task.admission;
  if (!query.owners.empty() &&
      std::ranges::find(query.owners, admission.owner) == query.owners.end()) {
    return false;
  }
  if (query.context && (query.context->empty() || admission.context != *query.context)) {
    return false;
  }
  if (!query.states.empty() && std::ranges::find(query.states, task.state) == query.states.end()) {
    return false;
  }
  return !query.updated_since || task.updated >= *query.updated_since;
}

auto position(const tasks::Task& task) {
  return std::tie(task.updated, task.admission->id);
}

}  // namespace

Result<std::optional<tasks::Task>> MemoryStore::task(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) return std::optional<tasks::Task>();
  return std::optional(found->second.task);
}

Result<std::optional<Replay>> MemoryStore::replay(std::string_view scope, std::string_view key,
                                                  SystemTime kept) {
  const std::lock_guard lock(mutex_);
  const auto found = claims_.find({std::string(scope), std::string(key)});
  if (found == claims_.end() || !lives(found->second, kept)) return std::optional<Replay>();
  return std::optional(found->second.replay);
}

Result<std::vector<tasks::LogEntry>> MemoryStore::log(std::string_view task, tasks::Sequence after,
                                                      std::size_t limit) {
  const std::lock_guard lock(mutex_);
  std::vector<tasks::LogEntry> entries;
  const auto found = tasks_.find(task);
  if (found == tasks_.end()) return entries;
  for (const tasks::LogEntry& entry : found->second.log) {
    if (entry.sequence > after && entries.size() < limit) entries.push_back(entry);
  }
  return entries;
}

Result<std::vector<Artifact>> MemoryStore::artifacts(std::string_view task) {
  const std::lock_guard lock(mutex_);
  std::vector<Artifact> artifacts;
  const auto found = tasks_.find(task);
  if (found == tasks_.end()) return artifacts;
  for (const Artifact& artifact : found->second.artifacts) {
    artifacts.push_back(Artifact{artifact.id, '[' + artifact.parts + ']', artifact.complete});
  }
  return artifacts;
}

Result<TaskPage> MemoryStore::list_tasks(const TaskQuery& query) {
  const std::lock_guard lock(mutex_);
  std::vector<const tasks::Task*> taken;
  for (const auto& [id, state] : tasks_) {
    if (takes(query, state.task)) taken.push_back(&state.task);
  }
  TaskPage page;
  page.total = taken.size();
  std::ranges::sort(taken, [](const tasks::Task* a, const tasks::Task* b) {
    return position(*a) > position(*b);
  });
  const SystemTime time = query.after_time.value_or(SystemTime::max());
  const std::string id = query.after_id.value_or("");
  for (const tasks::Task* task : taken) {
    if (page.tasks.size() == query.limit) break;
    if (position(*task) < std::tie(time, id)) page.tasks.push_back(*task);
  }
  return page;
}

Result<std::vector<std::pair<SystemTime, std::string>>> MemoryStore::due_before(
    SystemTime horizon) {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<SystemTime, std::string>> due;
  for (const auto& [id, state] : tasks_) {
    const std::optional<SystemTime> at = state.task.due();
    if (at && *at < horizon) due.emplace_back(*at, id);
  }
  std::ranges::sort(due);
  return due;
}

Result<std::vector<std::string>> MemoryStore::open_tasks(std::string_view after,
                                                         std::size_t limit) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> ids;
  for (auto at = tasks_.upper_bound(after); at != tasks_.end() && ids.size() < limit; ++at) {
    if (!tasks::is_terminal(at->second.task.state)) ids.push_back(at->first);
  }
  return ids;
}

Result<std::optional<Record>> MemoryStore::record(const RecordKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find({key.binding, key.kind, key.key});
  if (found == records_.end()) return std::optional<Record>();
  return std::optional(found->second);
}

template <class Takes>
std::vector<Record> MemoryStore::select_records(std::size_t limit, Takes takes) const {
  std::vector<Record> selected;
  for (const auto& [id, record] : records_) {
    if (selected.size() < limit && takes(record)) selected.push_back(record);
  }
  return selected;
}

Result<std::vector<Record>> MemoryStore::records(std::string_view binding, std::string_view kind,
                                                 std::string_view after, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  return select_records(limit, [&](const Record& record) {
    return record.binding == binding && record.kind == kind && record.key > after;
  });
}

Result<std::vector<Record>> MemoryStore::records_of_task(std::string_view task,
                                                         std::string_view binding) {
  const std::lock_guard lock(mutex_);
  return select_records(records_.size(), [&](const Record& record) {
    return !task.empty() && record.task == task && record.binding == binding;
  });
}

Result<std::vector<Record>> MemoryStore::records_of_owner(std::string_view owner,
                                                          std::string_view binding,
                                                          std::string_view kind,
                                                          std::string_view after,
                                                          std::size_t limit) {
  const std::lock_guard lock(mutex_);
  return select_records(limit, [&](const Record& record) {
    return !owner.empty() && record.owner == owner && record.binding == binding &&
           record.kind == kind && record.key > after;
  });
}

Result<std::vector<EndpointRow>> MemoryStore::endpoints(std::string_view after, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  std::vector<EndpointRow> rows;
  for (auto at = endpoints_.upper_bound(after); at != endpoints_.end() && rows.size() < limit;
       ++at) {
    rows.push_back(EndpointRow{at->first, at->second.active, at->second.title, at->second.agent,
                               at->second.origin});
  }
  return rows;
}

Result<std::vector<VersionRow>> MemoryStore::versions(std::string_view endpoint) {
  const std::lock_guard lock(mutex_);
  std::vector<VersionRow> rows;
  const auto found = endpoints_.find(endpoint);
  if (found == endpoints_.end()) return rows;
  for (const auto& [version, content] : found->second.versions) {
    const bool active = found->second.active == version;
    rows.push_back(VersionRow{version, content.registered.hash, active,
                              !active && !retained(endpoint, version)});
  }
  return rows;
}

Result<std::optional<std::string>> MemoryStore::manifest(std::string_view endpoint,
                                                         std::string_view version) {
  const std::lock_guard lock(mutex_);
  const auto found = endpoints_.find(endpoint);
  if (found == endpoints_.end()) return std::optional<std::string>();
  const auto content = found->second.versions.find(version);
  if (content == found->second.versions.end()) return std::optional<std::string>();
  return std::optional(content->second.registered.manifest);
}

Result<std::string> MemoryStore::loss_report(std::string_view endpoint, std::string_view version) {
  const std::lock_guard lock(mutex_);
  const auto found = endpoints_.find(endpoint);
  if (found == endpoints_.end()) return std::string();
  const auto content = found->second.versions.find(version);
  if (content == found->second.versions.end()) return std::string();
  return content->second.registered.loss_report;
}

Result<std::vector<AuditRow>> MemoryStore::audit(std::string_view tenant, std::uint64_t after,
                                                 std::size_t limit) {
  const std::lock_guard lock(mutex_);
  std::vector<AuditRow> rows;
  const auto found = host_logs_.find(tenant);
  if (found == host_logs_.end()) return rows;
  for (const AuditRow& row : found->second.entries) {
    if (row.sequence > after && rows.size() < limit) rows.push_back(row);
  }
  return rows;
}

}  // namespace interline::store::testing

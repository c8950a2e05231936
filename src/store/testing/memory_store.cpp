#include "store/testing/memory_store.hpp"

#include <algorithm>
#include <utility>

namespace interline::store::testing {
namespace {

std::unexpected<Error> refused(ErrorKind kind) {
  return fail(kind, "Refused.");
}

std::string inner(const std::string& array) {
  const std::size_t open = array.find('[');
  const std::size_t close = array.rfind(']');
  std::string elements = array.substr(open + 1, close - open - 1);
  const std::size_t first = elements.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return elements.substr(first, elements.find_last_not_of(" \t\r\n") - first + 1);
}

void fold(std::vector<Artifact>& artifacts, const tasks::ArtifactChunk& chunk) {
  auto found = std::ranges::find(artifacts, chunk.artifact, &Artifact::id);
  if (found == artifacts.end()) {
    artifacts.push_back(Artifact{chunk.artifact, {}, false});
    found = artifacts.end() - 1;
  }
  if (!chunk.append) found->parts.clear();
  const std::string elements = inner(chunk.parts);
  if (!elements.empty()) found->parts.append(found->parts.empty() ? "" : ",").append(elements);
  found->complete = chunk.last;
}

}  // namespace

GroupEnd MemoryStore::commit(std::span<Work> group, CommitTime time) {
  const std::lock_guard lock(mutex_);
  time_ = time;
  for (Work& work : group) {
    std::visit([this](auto& kind) { perform(kind); }, work);
  }
  return GroupEnd::committed;
}

bool MemoryStore::lives(const Claim& claim, SystemTime kept) const {
  if (claim.expires > kept) return true;
  const auto found = tasks_.find(claim.replay.task);
  if (found == tasks_.end()) return false;
  const tasks::Task& task = found->second.task;
  return !tasks::is_terminal(task.state) || task.retain_until > kept;
}

Result<void> MemoryStore::admissible(const Admit& work) const {
  const tasks::Admission& admission = *work.admission;
  const auto endpoint = endpoints_.find(admission.endpoint);
  if (endpoint == endpoints_.end()) return refused(ErrorKind::not_found);
  const auto version = endpoint->second.versions.find(admission.version);
  if (version == endpoint->second.versions.end() ||
      version->second.registered.hash != admission.manifest_hash) {
    return refused(ErrorKind::not_found);
  }
  if (admission.deadline && admission.deadline->at <= Instant(time_.now)) {
    return fail(ErrorKind::not_acceptable, ErrorReason::expired, "Refused.");
  }
  return check(work.records, admission.id);
}

void MemoryStore::perform(Admit& work) {
  const Result<void> allowed = admissible(work);
  tasks::Task task = tasks::admitted(work.admission, work.attached);
  task.dispatched_boot = work.dispatch_boot;
  task.suspended = work.prepared;
  task.answers = work.answers;
  if (work.claim) {
    const auto found = claims_.find({work.claim->scope, work.claim->key});
    if (found != claims_.end() && lives(found->second, time_.kept)) {
      const Replay& first = found->second.replay;
      if (first.fingerprint == work.claim->fingerprint) {
        work.answer = Admit::Answer(first);
      } else {
        work.answer = fail(ErrorKind::conflict, ErrorReason::different_request, "Refused.");
      }
      return;
    }
  }
  if (!allowed) {
    work.answer = std::unexpected(allowed.error());
    return;
  }
  if (work.claim) {
    claims_[{work.claim->scope, work.claim->key}] =
        Claim{Replay{task.id(), work.claim->fingerprint, work.claim->answer},
              std::max(work.claim->expires, task.retain_until)};
  }
  work.answer = Admit::Answer(Admit::Admitted{task});
  const std::string id = task.id();
  tasks_.emplace(id, TaskState{std::move(task), {}, {}});
  write(work.records);
}

void MemoryStore::perform(Apply& work) {
  const auto found = tasks_.find(work.task);
  if (found == tasks_.end()) {
    work.answer = refused(ErrorKind::not_found);
    return;
  }
  TaskState& state = found->second;
  const tasks::Stamp stamp(time_.now, work.event_id, work.request_id);
  tasks::Outcome outcome = tasks::apply(state.task, work.command, stamp);
  const bool accepted = outcome.reply.kind == tasks::Reply::Kind::accepted;
  if (accepted) {
    if (const Result<void> records = check(work.records, {}); !records) {
      work.answer = std::unexpected(records.error());
      return;
    }
  }
  if (outcome.next) state.task = *outcome.next;
  if (outcome.entry) state.log.push_back(*outcome.entry);
  if (outcome.chunk) fold(state.artifacts, *outcome.chunk);
  if (accepted) write(work.records);
  work.answer = Apply::Applied{std::move(outcome), state.task};
}

Result<void> MemoryStore::check(const std::vector<RecordChange>& changes,
                                std::string_view admitting) const {
  for (const RecordChange& change : changes) {
    const Record& record = change.record;
    const bool named = !change.drop && !record.task.empty() && record.task != admitting;
    if (named && !tasks_.contains(record.task)) return refused(ErrorKind::not_found);
    if (change.expect == Expect::anything) continue;
    const auto found = records_.find({record.binding, record.kind, record.key});
    const bool present =
        found != records_.end() && (!found->second.expires || *found->second.expires > time_.kept);
    if (present != (change.expect == Expect::present)) return refused(ErrorKind::conflict);
  }
  return {};
}

void MemoryStore::write(const std::vector<RecordChange>& changes) {
  for (const RecordChange& change : changes) {
    const Record& record = change.record;
    const RecordId id(record.binding, record.kind, record.key);
    if (change.drop) {
      records_.erase(id);
    } else {
      records_[id] = record;
    }
  }
}

void MemoryStore::perform(ChangeRecords& work) {
  work.answer = check(work.records, {});
  if (work.answer) write(work.records);
}

bool MemoryStore::retained(std::string_view endpoint, std::string_view version) const {
  return std::ranges::any_of(tasks_, [&](const auto& entry) {
    const tasks::Admission& admission = *entry.second.task.admission;
    return admission.endpoint == endpoint && admission.version == version;
  });
}

void MemoryStore::select(Endpoint& endpoint, const std::string& version) {
  const RegisterVersion& selected = endpoint.versions.at(version).registered;
  endpoint.active = version;
  endpoint.title = selected.title;
  endpoint.agent = selected.agent;
  endpoint.origin = selected.origin;
}

void MemoryStore::perform(RegisterVersion& work) {
  Endpoint& endpoint = endpoints_[work.endpoint];
  const auto known = endpoint.versions.find(work.version);
  const auto buried = endpoint.tombstones.find(work.version);
  const bool other =
      (known != endpoint.versions.end() && known->second.registered.hash != work.hash) ||
      (buried != endpoint.tombstones.end() && buried->second != work.hash);
  if (other) {
    work.answer = refused(ErrorKind::conflict);
    return;
  }
  if (known == endpoint.versions.end()) {
    endpoint.tombstones.erase(work.version);
    endpoint.versions.emplace(work.version, Version{work});
    if (endpoint.active.empty()) endpoint.origin = work.origin;
  }
  if (work.activate && endpoint.active != work.version) select(endpoint, work.version);
  work.answer = Result<void>();
}

void MemoryStore::perform(Activate& work) {
  const auto endpoint = endpoints_.find(work.endpoint);
  if (endpoint == endpoints_.end() || endpoint->second.versions.empty()) {
    work.answer = refused(ErrorKind::not_found);
    return;
  }
  if (work.version.empty()) {
    endpoint->second.active.clear();
    endpoint->second.title.clear();
    endpoint->second.agent.clear();
    work.answer = Result<void>();
    return;
  }
  const auto version = endpoint->second.versions.find(work.version);
  if (version == endpoint->second.versions.end()) {
    work.answer = refused(ErrorKind::not_found);
  } else if (work.hash && *work.hash != version->second.registered.hash) {
    work.answer = refused(ErrorKind::conflict);
  } else {
    if (endpoint->second.active != work.version) select(endpoint->second, work.version);
    work.answer = Result<void>();
  }
}

void MemoryStore::perform(Remove& work) {
  const auto endpoint = endpoints_.find(work.endpoint);
  if (endpoint == endpoints_.end() || endpoint->second.versions.empty() ||
      (!work.version.empty() && !endpoint->second.versions.contains(work.version))) {
    work.answer = refused(ErrorKind::not_found);
    return;
  }
  Endpoint& its = endpoint->second;
  std::vector<std::string> doomed{work.version};
  if (work.version.empty()) {
    doomed.clear();
    for (const auto& [version, content] : its.versions) doomed.push_back(version);
  }
  const bool in_use = (!work.version.empty() && its.active == work.version) ||
                      std::ranges::any_of(doomed, [&](const std::string& version) {
                        return retained(work.endpoint, version);
                      });
  if (in_use) {
    work.answer = refused(ErrorKind::conflict);
    return;
  }
  if (work.version.empty()) {
    its.active.clear();
    its.title.clear();
    its.agent.clear();
  }
  for (const std::string& version : doomed) {
    its.tombstones[version] = its.versions.at(version).registered.hash;
    its.versions.erase(version);
  }
  work.answer = Result<void>();
}

void MemoryStore::perform(Purge& work) {
  const SystemTime kept = time_.kept;
  std::size_t gone = std::erase_if(tasks_, [kept](const auto& entry) {
    const tasks::Task& task = entry.second.task;
    return tasks::is_terminal(task.state) && task.retain_until <= kept;
  });
  gone += std::erase_if(records_, [this, kept](const auto& entry) {
    const Record& record = entry.second;
    return (record.expires && *record.expires <= kept) ||
           (!record.task.empty() && !tasks_.contains(record.task));
  });
  gone += std::erase_if(claims_,
                        [this, kept](const auto& entry) { return !lives(entry.second, kept); });
  work.answer = gone;
}

void MemoryStore::perform(Audit& work) {
  HostLog& log = host_logs_[work.tenant];
  log.entries.push_back(AuditRow{++log.newest, work.type, work.body, time_.now});
  work.answer = Result<void>();
}

}  // namespace interline::store::testing

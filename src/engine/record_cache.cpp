#include "engine/record_cache.hpp"

namespace interline::engine {

std::string RecordCache::name(std::string_view kind, std::string_view key) {
  return std::string(kind).append(1, '\0').append(key);
}

std::optional<store::Record> RecordCache::find(const store::RecordKey& key) const {
  const std::string wanted = name(key.kind, key.key);
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(wanted);
  if (found == records_.end()) return std::nullopt;
  return found->second;
}

RecordCache::Ticket RecordCache::ticket() const {
  const std::lock_guard lock(mutex_);
  return Ticket(changes_);
}

void RecordCache::put(Ticket ticket, const store::Record& record) {
  if (record.expires || !record.task.empty()) return;
  const std::lock_guard lock(mutex_);
  if (ticket.changes_ != changes_) return;
  if (records_.size() >= most_) records_.clear();
  records_.insert_or_assign(name(record.kind, record.key), record);
}

void RecordCache::forget(std::string_view kind, std::string_view key) {
  const std::string gone = name(kind, key);
  const std::lock_guard lock(mutex_);
  ++changes_;
  records_.erase(gone);
}

}  // namespace interline::engine

#include "store/sqlite/task_cache.hpp"

#include <utility>

namespace interline::store {
namespace {

// A list node, a hash node and what the allocator adds.
constexpr std::size_t kOverhead = 160;

std::size_t heap(const std::string& text) {
  return text.capacity() <= std::string().capacity() ? 0 : text.capacity() + 1;
}

}  // namespace

std::size_t memory_of(const tasks::Task& task) {
  const tasks::Admission& admission = *task.admission;
  std::size_t bytes = kOverhead + sizeof(TaskRow) + sizeof(tasks::Admission);
  for (const std::string* text :
       {&admission.id, &admission.owner, &admission.tenant, &admission.endpoint, &admission.version,
        &admission.tool, &admission.arguments, &admission.network, &admission.request_key,
        &admission.context, &admission.metadata, &task.memory, &task.outcome}) {
    bytes += heap(*text);
  }
  if (task.suspended) bytes += heap(*task.suspended);
  if (task.pending) {
    for (const tasks::Question& question : task.pending->questions) {
      bytes += sizeof question + heap(question.id) + heap(question.key) + heap(question.text) +
               heap(question.schema) + heap(question.url);
    }
  }
  for (const tasks::Answer& answer : task.answers) {
    bytes += sizeof answer + heap(answer.question) + heap(answer.key) + heap(answer.value);
  }
  for (const tasks::PastRequest& past : task.past) bytes += sizeof past + heap(past.id);
  return bytes;
}

const TaskRow* TaskCache::find(std::string_view id) {
  const auto found = index_.find(id);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->row;
}

const TaskRow& TaskCache::put(TaskRow row) {
  erase(row.task.id());
  const std::size_t bytes = memory_of(row.task);
  entries_.push_front(Entry{std::move(row), bytes});
  bytes_ += bytes;
  index_.emplace(entries_.front().row.task.id(), entries_.begin());
  while (bytes_ > limit_ && entries_.size() > 1) erase(entries_.back().row.task.id());
  return entries_.front().row;
}

void TaskCache::erase(std::string_view id) {
  const auto found = index_.find(id);
  if (found == index_.end()) return;
  const Entries::iterator entry = found->second;
  index_.erase(found);
  bytes_ -= entry->bytes;
  entries_.erase(entry);
}

}  // namespace interline::store

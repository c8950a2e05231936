#include "bindings/xmpp/pending_iqs.hpp"

namespace interline::xmpp {

Result<void> PendingIqs::add(std::string id, const Jid& to, SteadyTime deadline) {
  if (requests_.size() >= most_) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                "too many requests wait for answers from other servers");
  }
  by_deadline_.emplace(deadline, id);
  requests_.emplace(std::move(id), Request{to.text(), deadline});
  return {};
}

bool PendingIqs::take(std::string_view id, std::string_view from) {
  const auto found = requests_.find(std::string(id));
  if (found == requests_.end()) return false;
  const auto sender = Jid::parse(from);
  if (!sender || sender->text() != found->second.to) return false;
  by_deadline_.erase({found->second.deadline, found->first});
  requests_.erase(found);
  return true;
}

void PendingIqs::remove(std::string_view id) {
  const auto found = requests_.find(std::string(id));
  if (found == requests_.end()) return;
  by_deadline_.erase({found->second.deadline, found->first});
  requests_.erase(found);
}

std::optional<SteadyTime> PendingIqs::next_deadline() const {
  if (by_deadline_.empty()) return std::nullopt;
  return by_deadline_.begin()->first;
}

std::vector<std::string> PendingIqs::take_expired(SteadyTime now) {
  std::vector<std::string> ids;
  while (!by_deadline_.empty() && by_deadline_.begin()->first <= now) {
    ids.push_back(by_deadline_.begin()->second);
    requests_.erase(ids.back());
    by_deadline_.erase(by_deadline_.begin());
  }
  return ids;
}

std::vector<std::string> PendingIqs::take_all() {
  std::vector<std::string> ids;
  for (const auto& [deadline, id] : by_deadline_) ids.push_back(id);
  by_deadline_.clear();
  requests_.clear();
  return ids;
}

}  // namespace interline::xmpp

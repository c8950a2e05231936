// Where a task's events go: the full JID that invoked last, kept as a record of the task, since a
// restart must not silence it. A hint only: whoever gets no events can ask for the state.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/engine.hpp"
#include "policy/principal.hpp"

namespace interline::xmpp {

inline constexpr std::string_view kBinding = "xmpp";
inline constexpr std::string_view kRouteKind = "route";

/// The record of a route; an empty task is filled in by the admission it rides in.
[[nodiscard]] inline engine::Record route_record(std::string_view task, std::string_view full_jid,
                                                 const policy::Principal& owner) {
  engine::Record record;
  record.binding = kBinding;
  record.kind = kRouteKind;
  record.key = task;
  record.task = task;
  record.owner = owner.text();
  record.bytes = full_jid;
  return record;
}

/// Routes of recent tasks, the most recently used ones. Not thread-safe.
class RouteCache {
 public:
  explicit RouteCache(std::size_t capacity) : capacity_(capacity) {}

  [[nodiscard]] std::optional<std::string> find(const std::string& task) {
    const auto found = index_.find(task);
    if (found == index_.end()) return std::nullopt;
    recent_.splice(recent_.begin(), recent_, found->second);
    return recent_.front().second;
  }

  void put(const std::string& task, std::string jid) {
    forget(task);
    recent_.emplace_front(task, std::move(jid));
    index_.emplace(task, recent_.begin());
    if (recent_.size() <= capacity_) return;
    index_.erase(recent_.back().first);
    recent_.pop_back();
  }

  void forget(const std::string& task) {
    const auto found = index_.find(task);
    if (found == index_.end()) return;
    recent_.erase(found->second);
    index_.erase(found);
  }

 private:
  using Entry = std::pair<std::string, std::string>;

  const std::size_t capacity_;
  std::list<Entry> recent_;
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
};

}  // namespace interline::xmpp

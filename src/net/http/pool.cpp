#include "net/http/pool.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <boost/asio/post.hpp>

namespace interline::net::http {

void PooledConnection::drop() {
  if (!connection_) return;
  asio::post(strand_, [connection = std::move(connection_)] { connection->stream().close(); });
}

PooledConnection& PooledConnection::operator=(PooledConnection&& other) noexcept {
  if (this == &other) return *this;
  drop();
  strand_ = std::move(other.strand_);
  connection_ = std::move(other.connection_);
  return *this;
}

bool Pool::reserve(const std::string& origin) {
  const std::scoped_lock lock(mutex_);
  Origin& entry = origins_[origin];
  if (entry.reserved == limits_.max_connections_per_origin) return false;
  ++entry.reserved;
  return true;
}

void Pool::release(const std::string& origin) {
  const std::scoped_lock lock(mutex_);
  const auto entry = origins_.find(origin);
  if (--entry->second.reserved == 0 && entry->second.idle.empty()) origins_.erase(entry);
}

// Costs as much as there are waiting connections, which is bounded, and spares a timer.
void Pool::sweep(TimePoint now, std::vector<Idle>& expired) {
  for (auto origin = origins_.begin(); origin != origins_.end();) {
    auto& idle = origin->second.idle;
    const auto fresh = std::ranges::find_if(
        idle, [&](const Idle& entry) { return now - entry.since < limits_.idle_timeout; });
    idle_ -= static_cast<std::size_t>(fresh - idle.begin());
    expired.insert(expired.end(), std::move_iterator(idle.begin()), std::move_iterator(fresh));
    idle.erase(idle.begin(), fresh);
    origin = idle.empty() && origin->second.reserved == 0 ? origins_.erase(origin) : ++origin;
  }
}

PooledConnection Pool::take(const std::string& origin, TimePoint now) {
  std::vector<Idle> expired;  // destroyed after the lock
  const std::scoped_lock lock(mutex_);
  sweep(now, expired);
  const auto entry = origins_.find(origin);
  if (entry == origins_.end() || entry->second.idle.empty()) return {};
  PooledConnection connection = std::move(entry->second.idle.back().connection);
  entry->second.idle.pop_back();
  --idle_;
  return connection;
}

void Pool::put(const std::string& origin, PooledConnection connection, TimePoint now) {
  std::vector<Idle> expired;
  const std::scoped_lock lock(mutex_);
  sweep(now, expired);
  Origin& entry = origins_[origin];
  if (idle_ >= limits_.max_idle || entry.idle.size() >= limits_.max_idle_per_origin) {
    if (entry.idle.empty()) {
      expired.push_back(Idle{std::move(connection), now});
      return;
    }
    expired.push_back(std::move(entry.idle.front()));
    entry.idle.erase(entry.idle.begin());
    --idle_;
  }
  entry.idle.push_back(Idle{std::move(connection), now});
  ++idle_;
}

std::size_t Pool::idle() const {
  const std::scoped_lock lock(mutex_);
  return idle_;
}

}  // namespace interline::net::http

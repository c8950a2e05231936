#include "protocols/mcp/server/silence.hpp"

namespace interline::protocols::mcp::server {

bool Silence::is_silent(const std::string& endpoint, Time now) {
  const std::scoped_lock lock(mutex_);
  const auto found = rests_until_.find(endpoint);
  if (found == rests_until_.end()) return false;
  if (now < found->second) return true;
  found->second = now + kRest;
  return false;
}

void Silence::was_silent(const std::string& endpoint, Time now) {
  const std::scoped_lock lock(mutex_);
  rests_until_[endpoint] = now + kRest;
}

void Silence::has_answered(const std::string& endpoint) {
  const std::scoped_lock lock(mutex_);
  rests_until_.erase(endpoint);
}

}  // namespace interline::protocols::mcp::server

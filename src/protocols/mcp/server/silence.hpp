// Which agents let lists wait: what is told of all agents together does not wait for those that
// were silent the last time. Any thread.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace interline::protocols::mcp::server {

class Silence {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Who lets a list wait for longer, and in vain, was silent.
  static constexpr std::chrono::milliseconds kLong{1'000};
  /// How long a list of many agents waits for one that was silent.
  static constexpr std::chrono::milliseconds kGlance{100};
  /// So long after it was silent it is waited for again, by one list.
  static constexpr std::chrono::seconds kRest{60};

  /// Whether the agent is worth no more than a glance now. If its rest is over it is not, for the
  /// first that asks.
  [[nodiscard]] bool is_silent(const std::string& endpoint, Time now);
  void was_silent(const std::string& endpoint, Time now);
  void has_answered(const std::string& endpoint);

 private:
  std::mutex mutex_;
  std::map<std::string, Time> rests_until_;  // guarded by mutex_
};

}  // namespace interline::protocols::mcp::server

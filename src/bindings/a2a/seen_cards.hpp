// Since when a card is as it is: Last-Modified, which the gateway would not know otherwise.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/instant.hpp"

namespace interline::a2a {

/// From any thread.
class SeenCards {
 public:
  /// When the card with that tag was first served by this process. Bounded: forgets them all when
  /// there are too many, and then they count as new.
  [[nodiscard]] SystemTime since(const std::string& tag, SystemTime now) {
    const std::lock_guard lock(mutex_);
    if (since_.size() >= kMost) since_.clear();
    return since_.try_emplace(tag, now).first->second;
  }

 private:
  static constexpr std::size_t kMost = 10'000;
  std::mutex mutex_;
  std::unordered_map<std::string, SystemTime> since_;
};

}  // namespace interline::a2a

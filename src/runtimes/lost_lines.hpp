// Whose line was it? Of lines beyond the limit that name nobody: whose end never came shows by who
// else ends.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

namespace interline::runtimes {

class LostLines {
 public:
  using Names = std::set<std::string, std::less<>>;

  /// A line was lost that any of those, who are in work, may wait for. Who must have waited for it,
  /// as far as that is known by now: they are forgotten here.
  [[nodiscard]] Names lost(Names waiting) {
    ++lost_;
    suspects_.merge(waiting);
    return found();
  }
  /// That one has ended by another line, or nobody waits for it any more.
  [[nodiscard]] Names ended(const std::string& name) {
    if (suspects_.erase(name) == 0) return {};
    return found();
  }

 private:
  Names found() {
    if (suspects_.size() > lost_) return {};
    lost_ = 0;
    return std::exchange(suspects_, {});
  }

  Names suspects_;
  std::size_t lost_ = 0;
};

}  // namespace interline::runtimes

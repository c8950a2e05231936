// The requests that are on their way, for whoever has to end them all. It keeps none of them: what
// has ended is off the list when the next is put on it, so it is never longer than what is going on
// at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace interline::runtimes::mcp {

template <typename Exchange>
class Exchanges {
 public:
  void add(const std::shared_ptr<Exchange>& one) {
    std::erase_if(list_, [](const auto& weak) { return weak.expired(); });
    list_.push_back(one);
  }
  void abort_all() {
    for (const auto& weak : std::exchange(list_, {})) {
      if (const auto one = weak.lock()) one->abort();
    }
  }
  [[nodiscard]] std::size_t size() const { return list_.size(); }

 private:
  std::vector<std::weak_ptr<Exchange>> list_;
};

}  // namespace interline::runtimes::mcp

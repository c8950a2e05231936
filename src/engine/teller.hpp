// Tells callers what became of their works, group by group in commit order, beside the commits that
// come after.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "store/work.hpp"

namespace interline::engine {

class Teller {
 public:
  using Done = std::move_only_function<void(store::Work&)>;

  /// A group as its commit left it, with who is to be told of each work.
  struct Group {
    std::vector<store::Work> works;
    std::vector<Done> callbacks;
  };

  Teller();
  ~Teller();
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

  /// From one thread. Never two callbacks at once, and none of a group before the last of the group
  /// before it. With `here` they are called before this returns, unless an earlier group is still
  /// being told; else on a thread of their own. Waits while a group waits already.
  void tell(Group group, bool here);

  /// Returns once everybody was told; nothing may be given to it after that. May be repeated.
  void stop();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Group> waiting_;  // guarded by mutex_, as all below
  bool telling_ = false;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace interline::engine

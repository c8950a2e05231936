#include "engine/open_tasks.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace interline::engine {

/// Shared with the places: a coroutine that never ran on may outlive the engine.
struct OpenTasks::State {
  explicit State(std::size_t the_most) : most(the_most) {}

  void give_back(std::string_view owner) {
    const std::lock_guard lock(mutex);
    const auto found = counts.find(owner);
    if (found != counts.end() && --found->second == 0) counts.erase(found);
  }

  const std::size_t most;
  mutable std::mutex mutex;
  std::map<std::string, std::size_t, std::less<>> counts;  // guarded by mutex; none is 0
};

OpenTasks::Place::~Place() {
  if (state_) state_->give_back(owner_);
}

OpenTasks::OpenTasks(std::size_t most) : state_(std::make_shared<State>(most)) {}

Result<OpenTasks::Place> OpenTasks::reserve(std::string owner) {
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->counts.find(owner);
    if (found == state_->counts.end()) {
      state_->counts.emplace(owner, 1);
    } else if (found->second < state_->most) {
      ++found->second;
    } else {
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "Too many tasks of yours are open; end some, or wait until they have ended.");
    }
  }
  return Place(state_, std::move(owner));
}

void OpenTasks::opened(std::string_view owner) {
  const std::lock_guard lock(state_->mutex);
  ++state_->counts[std::string(owner)];
}

void OpenTasks::ended(std::string_view owner) {
  state_->give_back(owner);
}

std::size_t OpenTasks::of(std::string_view owner) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->counts.find(owner);
  return found == state_->counts.end() ? 0 : found->second;
}

}  // namespace interline::engine

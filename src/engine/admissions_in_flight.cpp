#include "engine/admissions_in_flight.hpp"

#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/suspend.hpp"

namespace interline::engine {

/// Shared with the turns: a coroutine that never ran on may outlive the engine.
struct AdmissionsInFlight::State {
  using Resume = std::move_only_function<void(Result<Ended>)>;

  explicit State(std::size_t most_waiting) : most(most_waiting) {}

  const std::size_t most;
  std::mutex mutex;
  std::unordered_map<std::string, std::vector<Resume>> entered;  // guarded by mutex, as below
  std::size_t waiting = 0;
};

AdmissionsInFlight::AdmissionsInFlight(std::size_t most_waiting)
    : state_(std::make_shared<State>(most_waiting)) {}

std::optional<AdmissionsInFlight::Turn> AdmissionsInFlight::enter(const std::string& key) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->entered.try_emplace(key).second) return std::nullopt;
  }
  return std::optional<Turn>(std::in_place, state_, key);
}

boost::asio::awaitable<Result<AdmissionsInFlight::Ended>> AdmissionsInFlight::wait(
    std::string key) {
  auto start = [state = state_, key = std::move(key)](State::Resume resume) {
    std::optional<Result<Ended>> at_once;
    {
      const std::lock_guard lock(state->mutex);
      const auto found = state->entered.find(key);
      if (found == state->entered.end()) {
        at_once.emplace(Ended());
      } else if (state->waiting >= state->most) {
        at_once.emplace(fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                             "Too many copies of calls wait for each other; try again later."));
      } else {
        ++state->waiting;
        found->second.push_back(std::move(resume));
      }
    }
    if (at_once) resume(*std::move(at_once));
  };
  co_return co_await suspend<Result<Ended>>(std::move(start));
}

void AdmissionsInFlight::Turn::end_with(const Digest& fingerprint,
                                        const Result<Admission>& answer) {
  ended_.fingerprint = fingerprint;
  ended_.answer = std::make_shared<const Result<Admission>>(answer);
}

AdmissionsInFlight::Turn::~Turn() {
  if (!state_) return;  // moved from
  std::vector<State::Resume> waiting;
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->entered.find(key_);
    waiting = std::move(found->second);
    state_->entered.erase(found);
    state_->waiting -= waiting.size();
  }
  for (State::Resume& resume : waiting) resume(ended_);
}

}  // namespace interline::engine

// How many tasks of each principal are open. A task that waits for an answer stands in no queue
// and holds no slot, so that nothing else bounds how many of them one caller can leave behind.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline::engine {

/// Thread-safe.
class OpenTasks {
  struct State;

 public:
  /// Of a task that is being admitted: given back unless it becomes one.
  class Place {
   public:
    Place(std::shared_ptr<State> state, std::string owner)
        : state_(std::move(state)), owner_(std::move(owner)) {}
    Place(Place&& other) noexcept = default;
    Place& operator=(Place&&) = delete;
    ~Place();
    /// It was committed: the place is the task's now.
    void keep() { state_.reset(); }

   private:
    std::shared_ptr<State> state_;  // none: not ours any more
    std::string owner_;
  };

  /// `most`: of one principal; 1 at least.
  explicit OpenTasks(std::size_t most);

  /// resource_constraint (too_many): the principal has as many as it may have.
  [[nodiscard]] Result<Place> reserve(std::string owner);
  /// An open task that was there before this start; it counts beyond the limit, too.
  void opened(std::string_view owner);
  void ended(std::string_view owner);
  [[nodiscard]] std::size_t of(std::string_view owner) const;

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace interline::engine

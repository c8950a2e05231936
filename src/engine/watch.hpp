// Following one task: a snapshot, then every later log entry, in order, none lost or twice.
#pragma once

#include <limits>
#include <optional>

#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "tasks/model.hpp"

namespace interline::engine {

/// Where a watch begins that wants no entry which its snapshot covers already.
inline constexpr tasks::Sequence kFromSnapshot = std::numeric_limits<tasks::Sequence>::max();

/// Owned by the one who follows; destroying it ends the following. Not for concurrent use.
class Watch {
 public:
  virtual ~Watch() = default;

  /// The task as it was when the watch began. next() goes on where the follower said that it had
  /// got to, or behind the snapshot's `sequence` for kFromSnapshot.
  [[nodiscard]] virtual const tasks::Task& snapshot() const = 0;
  /// The next entry after its commit; nothing once the task has settled and all was given. A
  /// follower may be as slow as it likes: entries are read again from the store, not buffered.
  /// Error: unavailable (the store; the engine has ended).
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::optional<tasks::LogEntry>>> next() = 0;
  /// Nobody reads any more: what waits in next() gets nothing soon, and so does every later call.
  /// From any thread, also while next() waits; the watch itself stays its owner's to destroy.
  virtual void stop() = 0;
};

}  // namespace interline::engine

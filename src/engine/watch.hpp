// Following one task: a snapshot, then every later log entry, in order, none lost or twice.
#pragma once

#include <optional>

#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "tasks/model.hpp"

namespace interline::engine {

/// Owned by the one who follows; destroying it ends the following. Not for concurrent use.
class Watch {
 public:
  virtual ~Watch() = default;

  /// The task as it was when the watch began: every entry up to its `sequence` precedes next().
  [[nodiscard]] virtual const tasks::Task& snapshot() const = 0;
  /// The next entry after its commit; nothing once the task has settled and all was given. A
  /// follower may be as slow as it likes: entries are read again from the store, not buffered.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::optional<tasks::LogEntry>>> next() = 0;
  /// Nobody reads any more: what waits in next() gets nothing soon, and so does every later call.
  /// From any thread, also while next() waits; the watch itself stays its owner's to destroy.
  virtual void stop() = 0;
};

}  // namespace interline::engine

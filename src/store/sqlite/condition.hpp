// Whether a SQLite store takes what is new, for whoever shows it to people.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "store/sqlite/file_presence.hpp"

namespace interline::store {

/// What runs is settled in any of these, as long as that can be written.
enum class State : std::uint8_t {
  open,
  full,  ///< the disk has no space: nothing new is taken
  over,  ///< as much is kept as may be: no task is admitted until some are gone
  gone,  ///< the database was removed or replaced: nothing new is taken, and what is written is
         ///< lost with this process
};

/// Shared between the store, which writes it, and its owner, who reads it from any thread.
struct Condition {
  /// As it is now: one look at the files, too.
  [[nodiscard]] State state() const {
    if (!files.there()) return State::gone;
    return no_space ? State::full : over ? State::over : State::open;
  }

  FilePresence files{std::vector<std::string>()};  ///< set when the store is opened, once
  std::atomic<bool> no_space{false};               ///< the reserve is in use
  std::atomic<bool> over{false};                   ///< more than stored_bytes is kept
};

}  // namespace interline::store

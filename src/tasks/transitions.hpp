// The transition table: ProtoXEP XMPP Agent Gateway, "Normative task transitions", row for row,
// with our re-issue of open questions. apply() asks this table and nothing else where a command may
// go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tasks/model.hpp"

namespace interline::tasks {

/// The commands that can change the state or make an event.
enum class Move : std::uint8_t {
  start,
  progress,
  ask,     ///< also re-issue: more questions, a partial answer, an expiry that is asked anew
  resume,  ///< the last open question was answered
  cancel,
  complete,
  fail,  ///< also the deadline and an expiry that is not asked anew
  confirm_cancelled,
};
inline constexpr std::size_t kMoveCount = 8;

/// A set of states, bit 1 << state.
using States = std::uint8_t;
[[nodiscard]] constexpr States in(State state) {
  return static_cast<States>(1U << static_cast<unsigned>(state));
}
template <class... S>
[[nodiscard]] constexpr States in(State first, S... rest) {
  return static_cast<States>(in(first) | in(rest...));
}
[[nodiscard]] constexpr bool contains(States states, State state) {
  return (states & in(state)) != 0;
}

inline constexpr States kOpen = in(State::accepted, State::running, State::input_required);
inline constexpr States kLive = static_cast<States>(kOpen | in(State::cancelling));

struct Transition {
  States from;
  Move on;
  std::optional<State> to;  ///< nothing: the state stays
  EntryType event;
};

// clang-format off
inline constexpr std::array<Transition, 9> kTransitions = {{
    // from                                       on                       to                      event
    {in(State::accepted),                         Move::start,             State::running,         EntryType::status},
    {in(State::running, State::cancelling),       Move::progress,          std::nullopt,           EntryType::progress},
    {in(State::accepted, State::running),         Move::ask,               State::input_required,  EntryType::input_required},
    {in(State::input_required),                   Move::ask,               std::nullopt,           EntryType::input_required},
    {in(State::input_required),                   Move::resume,            State::running,         EntryType::status},
    {kOpen,                                       Move::cancel,            State::cancelling,      EntryType::status},
    {kLive,                                       Move::complete,          State::completed,       EntryType::completed},
    {kLive,                                       Move::fail,              State::failed,          EntryType::failed},
    {kLive,                                       Move::confirm_cancelled, State::cancelled,       EntryType::cancelled},
}};
// clang-format on

/// The row for a move from a state; nullptr where the move is not allowed.
[[nodiscard]] constexpr const Transition* transition(State from, Move on) {
  for (const Transition& row : kTransitions) {
    if (row.on == on && contains(row.from, from)) return &row;
  }
  return nullptr;
}

namespace detail {

[[nodiscard]] consteval bool no_duplicates() {
  for (std::size_t a = 0; a < kTransitions.size(); ++a) {
    for (std::size_t b = a + 1; b < kTransitions.size(); ++b) {
      if (kTransitions[a].on == kTransitions[b].on &&
          (kTransitions[a].from & kTransitions[b].from) != 0) {
        return false;
      }
    }
  }
  return true;
}

[[nodiscard]] consteval bool ends_are_ends() {
  for (const Transition& row : kTransitions) {
    if ((row.from & static_cast<States>(~kLive)) != 0) return false;
    if (!has_revision(row.event)) return false;
  }
  return true;
}

[[nodiscard]] consteval bool all_reachable() {
  States reached = in(State::accepted);
  for (std::size_t round = 0; round < kStateCount; ++round) {
    for (const Transition& row : kTransitions) {
      if ((row.from & reached) != 0 && row.to) reached = static_cast<States>(reached | in(*row.to));
    }
  }
  return reached == static_cast<States>((1U << kStateCount) - 1U);
}

static_assert(no_duplicates() && ends_are_ends() && all_reachable());

}  // namespace detail

}  // namespace interline::tasks

// The subset construction behind Dfa::build.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schema/pattern_nfa.hpp"

namespace interline::schema::pattern {

/// Rows of `stride` targets: one a symbol, then the end of the text. State 0 rejects and state 1
/// accepts whatever follows.
struct TransitionTable {
  std::uint32_t stride = 0;
  std::uint32_t start = 0;
  std::vector<std::uint32_t> targets;
  /// After trim(): apart from kReject, the states before it lead to one state, mostly the next.
  std::uint32_t chains_end = 0;
  /// After trim(): apart from kReject, the states from chains_end to it lead to themselves alone.
  std::uint32_t loops_end = 0;

  [[nodiscard]] std::size_t states() const { return targets.size() / stride; }
};

inline constexpr std::uint32_t kReject = 0;
inline constexpr std::uint32_t kAccept = 1;

/// The table of the sets of NFA states that some text leads to. Nothing beyond the bounds.
[[nodiscard]] std::optional<TransitionTable> determinise(const Nfa& nfa, std::size_t max_bytes,
                                                         std::size_t max_work, std::size_t& work);

/// The same language, with every state that can no longer accept merged into kReject, every one
/// that can no longer reject into kAccept, unreachable states left out, and the others numbered as
/// matching likes them: chains_end, loops_end. Linear in the table.
[[nodiscard]] TransitionTable trim(const TransitionTable& table);

}  // namespace interline::schema::pattern

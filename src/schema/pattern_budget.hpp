// How matching counts against a budget of steps: about the work of a few nanoseconds each.
#pragma once

#include <cstddef>

#include "schema/pattern.hpp"

namespace interline::schema::pattern {

/// Characters that one step pays for, where each costs a table look-up or a comparison.
inline constexpr std::size_t kCharactersPerStep = 8;

/// What looking at so many bytes costs; never nothing.
[[nodiscard]] constexpr std::size_t scan_cost(std::size_t bytes) {
  return bytes / kCharactersPerStep + 1;
}

/// The answer, if the budget covers what it cost.
[[nodiscard]] constexpr Match charge(std::size_t& steps, std::size_t cost, Match answer) {
  if (cost > steps) {
    steps = 0;
    return Match::budget_exceeded;
  }
  steps -= cost;
  return answer;
}

}  // namespace interline::schema::pattern

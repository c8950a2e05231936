// For tests and fuzzing: one expression on every matcher that can decide it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/pattern.hpp"
#include "schema/pattern_backtrack.hpp"
#include "schema/pattern_conjunction.hpp"
#include "schema/pattern_dfa.hpp"
#include "schema/pattern_nfa.hpp"

namespace interline::schema::pattern {

class Engines {
 public:
  /// Nothing where the expression is invalid or too large for a matcher.
  [[nodiscard]] static std::optional<Engines> make(std::string_view expression,
                                                   const PatternLimits& limits = {});

  struct Answer {
    std::string_view engine;
    Match match;
  };
  /// What each says, with a budget of `steps` each.
  [[nodiscard]] std::vector<Answer> search(std::string_view text, std::size_t steps) const;

  [[nodiscard]] bool has_table() const { return dfa_.has_value(); }
  [[nodiscard]] bool has_conjunction() const { return conjunction_.has_value(); }

 private:
  BacktrackProgram backtrack_;
  std::optional<Nfa> nfa_;
  std::optional<Dfa> dfa_;
  std::optional<Conjunction> conjunction_;
};

/// The answer that all give who had steps enough; budget_exceeded if none had. Nothing if two
/// contradict each other.
[[nodiscard]] std::optional<Match> agreed(const std::vector<Engines::Answer>& answers);

}  // namespace interline::schema::pattern

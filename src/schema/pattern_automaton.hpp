// A regular expression as an automaton: the table where it is small enough, else the simulation.
#pragma once

#include <string_view>
#include <variant>

#include "schema/pattern.hpp"
#include "schema/pattern_dfa.hpp"
#include "schema/pattern_nfa.hpp"

namespace interline::schema::pattern {

class Automaton {
 public:
  /// `work` grows by what the table took, at most `max_work`, whether it came about or not.
  Automaton(Nfa nfa, std::size_t max_bytes, std::size_t max_work, std::size_t& work);

  [[nodiscard]] Match search(std::string_view text, std::size_t& steps) const;
  [[nodiscard]] bool has_table() const { return std::holds_alternative<Dfa>(either_); }
  [[nodiscard]] std::size_t memory() const;

 private:
  std::variant<Dfa, Nfa> either_;
};

}  // namespace interline::schema::pattern

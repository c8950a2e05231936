// A regular expression as an automaton: the table where it is small enough, else the simulation.
#pragma once

#include <expected>
#include <string_view>
#include <variant>

#include "schema/pattern.hpp"
#include "schema/pattern_dfa.hpp"
#include "schema/pattern_nfa.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema::pattern {

class Automaton {
 public:
  /// Of one node, which must be regular. `work` grows by what it took.
  [[nodiscard]] static std::expected<Automaton, PatternError> build(const Syntax& syntax,
                                                                    NodeId root,
                                                                    const PatternLimits& limits,
                                                                    std::size_t& work);

  [[nodiscard]] Match search(std::string_view text, std::size_t& steps) const;
  [[nodiscard]] bool has_table() const { return std::holds_alternative<Dfa>(either_); }
  [[nodiscard]] std::size_t memory() const;

 private:
  explicit Automaton(std::variant<Dfa, Nfa> either) : either_(std::move(either)) {}
  std::variant<Dfa, Nfa> either_;
};

}  // namespace interline::schema::pattern

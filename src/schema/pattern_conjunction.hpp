// Look-around at the ends: ^(?=...)(?!...)rest and rest(?<=...)(?<!...)$, which is how schemas use
// it. There each look-around decides by itself, at a place that is known, so the expression is a
// conjunction of expressions without any, each of them regular.
#pragma once

#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/pattern_automaton.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema::pattern {

struct Conjunct {
  NodeId root;
  bool negative = false;  ///< what this node matches must not be found
};

/// The nodes that all have to be found in a text, or not found; they are added to `syntax`. Nothing
/// if the expression is not of that form.
[[nodiscard]] std::optional<std::vector<Conjunct>> as_conjunction(Syntax& syntax);

class Conjunction {
 public:
  /// All within one set of limits; `work` is what parsing took, and grows.
  [[nodiscard]] static std::expected<Conjunction, PatternError> build(
      const Syntax& syntax, const std::vector<Conjunct>& conjuncts, const PatternLimits& limits,
      std::size_t& work);

  [[nodiscard]] Match search(std::string_view text, std::size_t& steps) const;
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Part {
    Automaton automaton;
    bool negative;
  };
  std::vector<Part> parts_;
};

}  // namespace interline::schema::pattern

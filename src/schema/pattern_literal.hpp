// Expressions that are plain text, with ^ or $ at their ends or without: no automaton needed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/pattern.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema::pattern {

struct Literal {
  std::string text;
  bool at_start = false;  ///< the text begins with it
  bool at_end = false;    ///< the text ends with it

  [[nodiscard]] Match search(std::string_view in, std::size_t& steps) const;
  [[nodiscard]] std::size_t memory() const { return text.capacity(); }
};

/// The expression as a literal, if it is one.
[[nodiscard]] std::optional<Literal> as_literal(const Syntax& syntax);

}  // namespace interline::schema::pattern

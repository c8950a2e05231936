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
};

/// The expression as a literal, if it is one.
[[nodiscard]] std::optional<Literal> as_literal(const Syntax& syntax);

[[nodiscard]] Match search(const Literal& literal, std::string_view text, std::size_t& steps);

}  // namespace interline::schema::pattern

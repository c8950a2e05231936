// Matching by walking the nondeterministic automaton with sets of states: for expressions whose
// deterministic table would be too large. Linear in the text, times the states that are alive.
#pragma once

#include <string_view>

#include "schema/pattern.hpp"
#include "schema/pattern_nfa.hpp"

namespace interline::schema::pattern {

/// A step pays for a few states.
[[nodiscard]] Match search(const Nfa& nfa, std::string_view text, std::size_t& steps);

}  // namespace interline::schema::pattern

#include "schema/pattern_automaton.hpp"

#include <algorithm>

#include "schema/pattern_pike.hpp"

namespace interline::schema::pattern {
namespace {

/// Enough for all but contrived expressions, and small enough that a schema can have many.
constexpr std::size_t kMostTableBytes = 256U << 10U;

}  // namespace

Automaton::Automaton(Nfa nfa, std::size_t max_bytes, std::size_t max_work, std::size_t& work)
    : either_(std::move(nfa)) {
  auto dfa =
      Dfa::build(std::get<Nfa>(either_), std::min(kMostTableBytes, max_bytes), max_work, work);
  if (dfa) either_ = std::move(*dfa);
}

Match Automaton::search(std::string_view text, std::size_t& steps) const {
  if (const Dfa* dfa = std::get_if<Dfa>(&either_)) return dfa->search(text, steps);
  return pattern::search(std::get<Nfa>(either_), text, steps);
}

std::size_t Automaton::memory() const {
  return std::visit([](const auto& automaton) { return automaton.memory(); }, either_);
}

}  // namespace interline::schema::pattern

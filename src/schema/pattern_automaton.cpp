#include "schema/pattern_automaton.hpp"

#include <algorithm>

#include "schema/pattern_pike.hpp"

namespace interline::schema::pattern {
namespace {

/// Enough for all but contrived expressions, and small enough that a schema can have many.
constexpr std::size_t kMostTableBytes = 256U << 10U;

}  // namespace

std::expected<Automaton, PatternError> Automaton::build(const Syntax& syntax, NodeId root,
                                                        const PatternLimits& limits,
                                                        std::size_t& work) {
  auto nfa = build_nfa(syntax, root, limits);
  if (!nfa) return std::unexpected(std::move(nfa.error()));
  work += nfa->work;
  const std::size_t most_work = limits.work - std::min(limits.work, work);
  const std::size_t most_bytes = std::min(kMostTableBytes, limits.program_bytes);
  if (auto dfa = Dfa::build(*nfa, most_bytes, most_work, work)) return Automaton(std::move(*dfa));
  return Automaton(std::move(*nfa));
}

Match Automaton::search(std::string_view text, std::size_t& steps) const {
  if (const Dfa* dfa = std::get_if<Dfa>(&either_)) return dfa->search(text, steps);
  return pattern::search(std::get<Nfa>(either_), text, steps);
}

std::size_t Automaton::memory() const {
  return std::visit([](const auto& automaton) { return automaton.memory(); }, either_);
}

}  // namespace interline::schema::pattern

#include "schema/pattern_engines.hpp"

#include "schema/pattern_pike.hpp"

namespace interline::schema::pattern {

std::optional<Engines> Engines::make(std::string_view expression, const PatternLimits& limits) {
  auto syntax = parse(expression, limits);
  if (!syntax) return std::nullopt;
  Engines engines;
  engines.backtrack_ = build_backtrack(*syntax);
  std::size_t work = 0;
  if (syntax->nodes[syntax->root].regular) {
    auto nfa = build_nfa(*syntax, syntax->root, limits);
    if (!nfa) return std::nullopt;
    engines.nfa_ = std::move(*nfa);
    engines.dfa_ = Dfa::build(*engines.nfa_, limits.program_bytes, limits.work, work);
  }
  if (const auto conjuncts = as_conjunction(*syntax)) {
    auto conjunction = Conjunction::build(*syntax, *conjuncts, limits, work);
    if (!conjunction) return std::nullopt;
    engines.conjunction_ = std::move(*conjunction);
  }
  return engines;
}

std::vector<Engines::Answer> Engines::search(std::string_view text, std::size_t steps) const {
  std::vector<Answer> answers;
  const auto ask = [&](std::string_view engine, const auto& how) {
    std::size_t left = steps;
    answers.push_back({engine, how(left)});
  };
  ask("backtracking", [&](std::size_t& left) { return backtrack_.search(text, left); });
  if (nfa_)
    ask("simulation", [&](std::size_t& left) { return pattern::search(*nfa_, text, left); });
  if (dfa_) ask("table", [&](std::size_t& left) { return dfa_->search(text, left); });
  if (conjunction_) {
    ask("conjunction", [&](std::size_t& left) { return conjunction_->search(text, left); });
  }
  return answers;
}

std::optional<Match> agreed(const std::vector<Engines::Answer>& answers) {
  Match answer = Match::budget_exceeded;
  for (const Engines::Answer& one : answers) {
    if (one.match == Match::budget_exceeded) continue;
    if (answer != Match::budget_exceeded && one.match != answer) return std::nullopt;
    answer = one.match;
  }
  return answer;
}

}  // namespace interline::schema::pattern

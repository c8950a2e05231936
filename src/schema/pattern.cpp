#include "schema/pattern.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "schema/pattern_automaton.hpp"
#include "schema/pattern_backtrack.hpp"
#include "schema/pattern_conjunction.hpp"
#include "schema/pattern_literal.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema {
namespace {

using pattern::Automaton;
using pattern::BacktrackProgram;
using pattern::Conjunction;
using pattern::Literal;

using Matcher = std::variant<Automaton, Literal, Conjunction, BacktrackProgram>;

/// The quickest matcher that can decide the expression.
std::expected<Matcher, PatternError> choose(pattern::Syntax& syntax, const PatternLimits& limits,
                                            std::size_t& work) {
  if (auto literal = pattern::as_literal(syntax)) return std::move(*literal);
  if (syntax.nodes[syntax.root].regular) {
    PatternLimits left = limits;
    left.work -= std::min(left.work, work);
    auto nfa = pattern::build_nfa(syntax, syntax.root, left);
    if (!nfa) return std::unexpected(std::move(nfa.error()));
    work += nfa->work;
    return Automaton(std::move(*nfa), limits.program_bytes,
                     limits.work - std::min(limits.work, work), work);
  }
  if (const auto conjuncts = pattern::as_conjunction(syntax)) {
    return Conjunction::build(syntax, *conjuncts, limits, work);
  }
  work += syntax.nodes.size();
  return pattern::build_backtrack(syntax);
}

}  // namespace

std::expected<void, PatternError> check_pattern(std::string_view expression,
                                                const PatternLimits& limits) {
  const auto syntax = pattern::parse(expression, limits);
  if (!syntax) return std::unexpected(syntax.error());
  return {};
}

struct Pattern::Program {
  Matcher matcher;
  std::size_t memory = 0;
  std::size_t work = 0;
};

std::expected<Pattern, PatternError> Pattern::compile(std::string_view expression,
                                                      const PatternLimits& limits) {
  auto syntax = pattern::parse(expression, limits);
  if (!syntax) return std::unexpected(std::move(syntax.error()));
  std::size_t work = syntax->work + expression.size();
  auto matcher = choose(*syntax, limits, work);
  if (!matcher) return std::unexpected(std::move(matcher.error()));
  const std::size_t memory =
      sizeof(Program) + std::visit([](const auto& m) { return m.memory(); }, *matcher);
  if (memory > limits.program_bytes) {
    return std::unexpected(PatternError{true, 0, "the compiled expression is too large"});
  }
  return Pattern(std::make_shared<const Program>(Program{std::move(*matcher), memory, work}));
}

Match Pattern::search(std::string_view text, std::size_t& steps) const {
  return std::visit([&](const auto& matcher) { return matcher.search(text, steps); },
                    program_->matcher);
}

bool Pattern::linear() const {
  return !std::holds_alternative<BacktrackProgram>(program_->matcher);
}

std::size_t Pattern::memory() const {
  return program_->memory;
}

std::size_t Pattern::work() const {
  return program_->work;
}

}  // namespace interline::schema

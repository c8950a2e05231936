#include "schema/pattern.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "schema/pattern_backtrack.hpp"
#include "schema/pattern_dfa.hpp"
#include "schema/pattern_literal.hpp"
#include "schema/pattern_nfa.hpp"
#include "schema/pattern_pike.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema {
namespace {

/// Enough for all but contrived expressions, and small enough that hundreds fit a schema.
constexpr std::size_t kMostTableBytes = 256U << 10U;

using Matcher =
    std::variant<pattern::Dfa, pattern::Literal, pattern::Nfa, pattern::BacktrackProgram>;

std::size_t memory_of(const Matcher& matcher) {
  return std::visit(
      [](const auto& m) -> std::size_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, pattern::Literal>) {
          return m.text.capacity();
        } else {
          return m.memory();
        }
      },
      matcher);
}

/// The quickest matcher that can decide the expression.
std::expected<Matcher, PatternError> choose(const pattern::Syntax& syntax,
                                            const PatternLimits& limits, std::size_t& work) {
  if (auto literal = pattern::as_literal(syntax)) return std::move(*literal);
  if (!syntax.regular) {
    work += syntax.nodes.size();
    return pattern::build_backtrack(syntax);
  }
  auto nfa = pattern::build_nfa(syntax, limits);
  if (!nfa) return std::unexpected(std::move(nfa.error()));
  work += nfa->work;
  const std::size_t most_work = limits.work - std::min(limits.work, work);
  const std::size_t most_bytes = std::min(kMostTableBytes, limits.program_bytes);
  if (auto dfa = pattern::Dfa::build(*nfa, most_bytes, most_work, work)) return std::move(*dfa);
  return std::move(*nfa);
}

}  // namespace

struct Pattern::Program {
  Matcher matcher;
  std::size_t memory = 0;
  std::size_t work = 0;
};

std::expected<Pattern, PatternError> Pattern::compile(std::string_view expression,
                                                      const PatternLimits& limits) {
  const auto syntax = pattern::parse(expression, limits);
  if (!syntax) return std::unexpected(syntax.error());
  std::size_t work = syntax->work + expression.size();
  auto matcher = choose(*syntax, limits, work);
  if (!matcher) return std::unexpected(std::move(matcher.error()));
  const std::size_t memory = sizeof(Program) + memory_of(*matcher);
  if (memory > limits.program_bytes) {
    return std::unexpected(PatternError{true, 0, "the compiled expression is too large"});
  }
  return Pattern(std::make_shared<const Program>(Program{std::move(*matcher), memory, work}));
}

Match Pattern::search(std::string_view text, std::size_t& steps) const {
  if (const auto* dfa = std::get_if<pattern::Dfa>(&program_->matcher)) {
    return dfa->search(text, steps);
  }
  if (const auto* literal = std::get_if<pattern::Literal>(&program_->matcher)) {
    return pattern::search(*literal, text, steps);
  }
  if (const auto* nfa = std::get_if<pattern::Nfa>(&program_->matcher)) {
    return pattern::search(*nfa, text, steps);
  }
  return pattern::search(std::get<pattern::BacktrackProgram>(program_->matcher), text, steps);
}

bool Pattern::linear() const {
  return !std::holds_alternative<pattern::BacktrackProgram>(program_->matcher);
}

std::size_t Pattern::memory() const {
  return program_->memory;
}

std::size_t Pattern::work() const {
  return program_->work;
}

}  // namespace interline::schema

// ECMA-262 regular expressions with the u flag, as JSON Schema's `pattern` asks for them: compiled
// once, matched many times, by any number of threads, within budgets.
//
// Expressions without back-references, and with look-around only directly behind ^ or before $,
// become automata that read each character once. The others run on a backtracking matcher that
// counts its steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace interline::schema {

struct PatternLimits {
  std::size_t pattern_bytes = 4'096;      ///< of the expression's text
  std::size_t depth = 100;                ///< groups inside each other; at most 500
  std::size_t program_bytes = 1U << 20U;  ///< memory of the compiled form
  /// What compiling may cost; see Pattern::work. Where the automaton would cost more, matching
  /// falls back on a slower simulation of it, still linear.
  std::size_t work = 500'000;
};

/// `offset` counts bytes from 0; `message` is a fixed sentence, without the expression's text.
struct PatternError {
  bool too_large = false;  ///< a PatternLimits bound, rather than a syntax error
  std::size_t offset = 0;
  std::string message;
};

enum class Match : std::uint8_t { no, yes, budget_exceeded };

/// Whether an expression is valid, without compiling it: linear in its length and in the Unicode
/// sets it names.
[[nodiscard]] std::expected<void, PatternError> check_pattern(std::string_view expression,
                                                              const PatternLimits& limits = {});

class Pattern {
 public:
  /// ECMA-262 (2023) Pattern with [UnicodeMode]; early errors are errors here too.
  [[nodiscard]] static std::expected<Pattern, PatternError> compile(
      std::string_view expression, const PatternLimits& limits = {});

  /// Whether the expression matches anywhere in `text` (valid UTF-8). `steps` is decreased by the
  /// work done; at 0 the answer is budget_exceeded.
  [[nodiscard]] Match search(std::string_view text, std::size_t& steps) const;

  /// Whether every match costs time linear in the text.
  [[nodiscard]] bool linear() const;
  /// Heap bytes held.
  [[nodiscard]] std::size_t memory() const;
  /// What compiling did cost, in units of a few nanoseconds: for sums over many expressions.
  [[nodiscard]] std::size_t work() const;

 private:
  struct Program;
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace interline::schema

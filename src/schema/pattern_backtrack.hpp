// The matcher for what no automaton decides: look-around and back-references. It tries one way
// after the other in the order of ECMA-262 22.2.2, with a stack of its own, and counts its steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/pattern.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema::pattern {

enum class Op : std::uint8_t {
  character,       ///< takes the code point `value`
  set,             ///< takes a member of sets[value]
  assertion,       ///< goes on if the Assertion `value` holds
  jump,            ///< goes to `target`
  split,           ///< goes on; failing that, goes to `target`
  group_open,      ///< notes where the group `value` begins to be read
  group_close,     ///< the group `value` has captured
  back_reference,  ///< takes what the group `value` captured
  run,             ///< loops[value], whose body is the one-character instruction that follows
  loop_enter,      ///< loops[value] begins
  loop_next,       ///< decides whether it goes round once more
  loop_body,       ///< before each round
  loop_back,       ///< after each round; `target` is its loop_next
  look,            ///< looks[value] begins
  look_end,        ///< its body has matched
  accept,
};

struct Instruction {
  Op op = Op::accept;
  bool backward = false;  ///< reads towards the start of the text, inside a look-behind
  std::uint32_t value = 0;
  std::uint32_t target = 0;
};

/// Registers hold 32-bit numbers, and what changes one puts the old value on the stack.
struct Loop {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  bool greedy = true;
  bool counts = false;            ///< neither * nor the like: has a counter
  bool may_be_empty = false;      ///< a round can take nothing: has a position
  std::uint32_t counter = 0;      ///< register
  std::uint32_t position = 0;     ///< register
  std::uint32_t exit = 0;         ///< the instruction after the loop
  std::uint32_t first_group = 0;  ///< groups inside, unset before each round
  std::uint32_t groups = 0;
};

struct Look {
  bool negative = false;
  std::uint32_t after = 0;  ///< the instruction after it
};

/// A set with its ASCII members as bits.
struct FastSet {
  std::array<std::uint64_t, 2> ascii{};
  CodePointSet all;

  explicit FastSet(const CodePointSet& set);
  /// False beyond ASCII, whatever the set holds.
  [[nodiscard]] bool contains_ascii(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 128 && (ascii[byte / 64] >> (byte % 64) & 1U) != 0;
  }
  [[nodiscard]] bool contains(char32_t c) const {
    if (c < 128) return (ascii[c / 64] >> (c % 64) & 1U) != 0;
    return all.contains(c);
  }
};

/// Groups are numbered from 0, and only those are kept that a back-reference names. Group g owns
/// the registers 3g (where it was opened), 3g + 1 and 3g + 2 (first and last of what it captured).
struct BacktrackProgram {
  std::vector<Instruction> code;
  std::vector<Loop> loops;
  std::vector<Look> looks;
  std::vector<FastSet> sets;
  std::uint32_t groups = 0;
  std::uint32_t registers = 0;
  bool anchored = false;  ///< can match at the start of the text alone

  /// budget_exceeded also for more than kBacktrackStackBytes, and for texts of 4 GiB.
  [[nodiscard]] Match search(std::string_view text, std::size_t& steps) const;
  [[nodiscard]] std::size_t memory() const;
};

/// Memory a search may take for the ways it has not tried yet; while it grows, twice that.
inline constexpr std::size_t kBacktrackStackBytes = 8U << 20U;

/// Any expression, regular ones too. Linear in the syntax tree.
[[nodiscard]] BacktrackProgram build_backtrack(const Syntax& syntax);

}  // namespace interline::schema::pattern

// Thompson's automaton of an expression without look-around and back-references, and the walk over
// it by sets of states. A test for a match needs no captures, and greedy or lazy makes no
// difference to it, so a plain automaton has the semantics of ECMA-262 22.2.2 here: an iteration
// that took no character (RepeatMatcher, step 2.b) leads to no state that leaving the loop does
// not lead to.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "schema/pattern_alphabet.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema::pattern {

using StateId = std::uint32_t;

enum class StateKind : std::uint8_t { symbol, set, split, assertion, accept };

struct State {
  StateKind kind = StateKind::accept;
  std::uint32_t value = 0;  ///< a Symbol, a set's index, an Assertion
  StateId next = 0;
  StateId other = 0;  ///< split
};

struct Nfa {
  std::vector<State> states;
  StateId start = 0;
  Alphabet alphabet;
  std::size_t work = 0;  ///< what building cost, in units of PatternLimits::work

  [[nodiscard]] std::size_t memory() const {
    return states.capacity() * sizeof(State) + alphabet.memory();
  }
};

/// The automaton of one node, which must be regular. Counted repetitions are written out, as far as
/// the limits allow.
[[nodiscard]] std::expected<Nfa, PatternError> build_nfa(const Syntax& syntax, NodeId root,
                                                         const PatternLimits& limits);

/// States that are waiting for a character or for an assertion to be decided.
using StateSet = std::vector<StateId>;

/// Moves sets of states along a text. Functions that return bool say whether the expression has
/// matched; the set they made is then of no use. One walker serves one thread.
class NfaWalker {
 public:
  explicit NfaWalker(const Nfa& nfa);

  /// The set before the first character.
  [[nodiscard]] bool begin(StateSet& to);
  /// Goes through the assertions that hold between `before` and `after`; the others end there.
  [[nodiscard]] bool decide(std::span<const StateId> from, Edge before, Edge after, StateSet& to);
  /// Takes a character. `from` holds no assertions. A match may also begin after the character.
  [[nodiscard]] bool advance(std::span<const StateId> from, Symbol symbol, StateSet& to);

  /// Whether something in the set waits to be decided.
  [[nodiscard]] bool has_assertion(std::span<const StateId> set) const;

  /// States looked at so far.
  [[nodiscard]] std::size_t work() const { return work_; }
  [[nodiscard]] bool can_restart() const { return !restart_.empty(); }

 private:
  struct Sides {
    Edge before;
    Edge after;
  };
  [[nodiscard]] bool follow(StateId from, const Sides* sides, StateSet& to);
  void start_set(StateSet& to);
  [[nodiscard]] bool mark(StateId state) {
    if (marks_[state] == mark_) return false;
    marks_[state] = mark_;
    return true;
  }

  const Nfa& nfa_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::vector<StateId> stack_;
  StateSet restart_;  ///< the set of a match that begins after the first character
  std::size_t work_ = 0;
};

}  // namespace interline::schema::pattern

#include "schema/pattern_nfa.hpp"

#include <algorithm>

namespace interline::schema::pattern {
namespace {

bool holds(Assertion assertion, Edge before, Edge after) {
  switch (assertion) {
    case Assertion::text_start:
      return before == Edge::text;
    case Assertion::text_end:
      return after == Edge::text;
    case Assertion::word_boundary:
      return (before == Edge::word) != (after == Edge::word);
    case Assertion::no_word_boundary:
      return (before == Edge::word) == (after == Edge::word);
  }
  return false;
}

/// Builds from the end to the start: each node is given the state that follows it.
class Builder {
 public:
  Builder(const Syntax& syntax, Nfa& nfa, std::size_t max_states, std::size_t max_work)
      : syntax_(syntax), nfa_(nfa), max_states_(max_states), max_work_(max_work) {}

  StateId build(NodeId id, StateId next) {
    const Node& node = syntax_.nodes[id];
    const auto children = syntax_.children_of(node);
    if (exceeded()) return next;
    ++nfa_.work;
    switch (node.kind) {
      case NodeKind::character:
        return add({StateKind::symbol, nfa_.alphabet.of(node.value), next});
      case NodeKind::set:
        return add({StateKind::set, node.value, next});
      case NodeKind::assertion:
        return add({StateKind::assertion, node.value, next});
      case NodeKind::capture:
        return build(children[0], next);
      case NodeKind::sequence:
        for (std::size_t i = children.size(); i-- > 0;) next = build(children[i], next);
        return next;
      case NodeKind::alternation:
        return alternation(children, next);
      case NodeKind::repeat:
        return repeat(node, children[0], next);
      default:
        return next;
    }
  }

  StateId add(State state) {
    nfa_.states.push_back(state);
    return static_cast<StateId>(nfa_.states.size() - 1);
  }

  [[nodiscard]] bool exceeded() const {
    return nfa_.states.size() > max_states_ || nfa_.work > max_work_;
  }

 private:
  StateId alternation(std::span<const NodeId> children, StateId next) {
    StateId entry = build(children.back(), next);
    for (std::size_t i = children.size() - 1; i-- > 0;) {
      const StateId first = build(children[i], next);
      entry = add({StateKind::split, 0, first, entry});
    }
    return entry;
  }

  StateId repeat(const Node& node, NodeId body, StateId next) {
    if (node.max == 0) return next;
    std::uint32_t min = node.min;
    std::uint32_t max = node.max;
    if (syntax_.nodes[body].is_empty) {
      // Assertions alone: what holds once holds any number of times.
      min = std::min(min, 1U);
      max = 1;
    }
    StateId entry = next;
    if (max == kNoMaximum) {
      const StateId loop = add({StateKind::split, 0, 0, next});
      const StateId first = build(body, loop);
      nfa_.states[loop].next = first;
      entry = loop;
      if (min > 0) {
        entry = first;
        --min;
      }
    } else {
      for (std::uint32_t i = min; i < max && !exceeded(); ++i) {
        const StateId first = build(body, entry);
        entry = add({StateKind::split, 0, first, next});
      }
    }
    for (std::uint32_t i = 0; i < min && !exceeded(); ++i) entry = build(body, entry);
    return entry;
  }

  const Syntax& syntax_;
  Nfa& nfa_;
  std::size_t max_states_;
  std::size_t max_work_;
};

/// What the alphabet of a node has to tell apart.
struct Vocabulary {
  std::vector<bool> used_sets;  ///< by index into Syntax::sets
  std::vector<char32_t> characters;
  bool word_boundaries = false;

  Vocabulary(const Syntax& syntax, NodeId root) : used_sets(syntax.sets.size(), false) {
    std::vector<NodeId> queue = {root};
    while (!queue.empty()) {
      const Node& node = syntax.nodes[queue.back()];
      queue.pop_back();
      const auto children = syntax.children_of(node);
      queue.insert(queue.end(), children.begin(), children.end());
      if (node.kind == NodeKind::set) used_sets[node.value] = true;
      if (node.kind == NodeKind::character) characters.push_back(node.value);
      if (node.kind == NodeKind::assertion) {
        const auto assertion = static_cast<Assertion>(node.value);
        word_boundaries = word_boundaries || assertion == Assertion::word_boundary ||
                          assertion == Assertion::no_word_boundary;
      }
    }
    std::ranges::sort(characters);
    const auto repeated = std::ranges::unique(characters);
    characters.erase(repeated.begin(), repeated.end());
  }
};

}  // namespace

std::expected<Nfa, PatternError> build_nfa(const Syntax& syntax, NodeId root,
                                           const PatternLimits& limits) {
  Nfa nfa;
  const Vocabulary vocabulary(syntax, root);
  nfa.alphabet = Alphabet(syntax.sets, vocabulary.used_sets, vocabulary.characters,
                          vocabulary.word_boundaries, nfa.work, limits.work);
  if (nfa.alphabet.size() == 0) {
    return std::unexpected(PatternError{true, 0, "the expression's classes take too much work"});
  }
  const std::size_t max_states = limits.program_bytes / sizeof(State);
  Builder builder(syntax, nfa, max_states, limits.work);
  const StateId accept = builder.add({});
  nfa.start = builder.build(root, accept);
  if (builder.exceeded()) {
    return std::unexpected(
        PatternError{true, 0, "the expression's repetitions, written out, are too large"});
  }
  nfa.states.shrink_to_fit();
  return nfa;
}

NfaWalker::NfaWalker(const Nfa& nfa) : nfa_(nfa), marks_(nfa.states.size(), 0) {
  start_set(restart_);
  if (follow(nfa_.start, nullptr, restart_)) restart_.clear();  // begin() will say so
  std::erase_if(restart_, [&](StateId id) {
    const State& state = nfa_.states[id];
    return state.kind == StateKind::assertion &&
           static_cast<Assertion>(state.value) == Assertion::text_start;
  });
}

void NfaWalker::start_set(StateSet& to) {
  to.clear();
  if (++mark_ != 0) return;
  std::ranges::fill(marks_, 0);  // four thousand million sets later
  mark_ = 1;
}

bool NfaWalker::begin(StateSet& to) {
  start_set(to);
  return follow(nfa_.start, nullptr, to);
}

bool NfaWalker::decide(std::span<const StateId> from, Edge before, Edge after, StateSet& to) {
  start_set(to);
  const Sides sides{before, after};
  return std::ranges::any_of(from, [&](StateId state) { return follow(state, &sides, to); });
}

bool NfaWalker::advance(std::span<const StateId> from, Symbol symbol, StateSet& to) {
  start_set(to);
  work_ += from.size() + restart_.size();
  for (const StateId id : from) {
    const State& state = nfa_.states[id];
    const bool takes = state.kind == StateKind::symbol
                           ? state.value == symbol
                           : nfa_.alphabet.contains(state.value, symbol);
    if (takes && follow(state.next, nullptr, to)) return true;
  }
  for (const StateId id : restart_) {
    if (mark(id)) to.push_back(id);
  }
  // Past the first character ^ holds nowhere.
  std::erase_if(to, [&](StateId id) {
    const State& state = nfa_.states[id];
    return state.kind == StateKind::assertion &&
           static_cast<Assertion>(state.value) == Assertion::text_start;
  });
  return false;
}

/// Adds what `from` leads to without a character: undecided assertions too, or, with `sides`, what
/// lies behind those that hold.
bool NfaWalker::follow(StateId from, const Sides* sides, StateSet& to) {
  stack_.assign(1, from);
  while (!stack_.empty()) {
    const StateId id = stack_.back();
    stack_.pop_back();
    if (!mark(id)) continue;
    ++work_;
    const State& state = nfa_.states[id];
    switch (state.kind) {
      case StateKind::accept:
        return true;
      case StateKind::split:
        stack_.push_back(state.other);
        stack_.push_back(state.next);
        break;
      case StateKind::assertion:
        if (sides == nullptr) {
          to.push_back(id);
        } else if (holds(static_cast<Assertion>(state.value), sides->before, sides->after)) {
          stack_.push_back(state.next);
        }
        break;
      case StateKind::symbol:
      case StateKind::set:
        to.push_back(id);
        break;
    }
  }
  return false;
}

bool NfaWalker::has_assertion(std::span<const StateId> set) const {
  return std::ranges::any_of(
      set, [&](StateId id) { return nfa_.states[id].kind == StateKind::assertion; });
}

}  // namespace interline::schema::pattern

#include "schema/pattern_conjunction.hpp"

#include <algorithm>
#include <array>

namespace interline::schema::pattern {
namespace {

/// How many of the terms are `anchor` or look-arounds in one direction, with an anchor among them.
template <class Terms>
std::size_t anchored_run(const Syntax& syntax, const Terms& terms, Assertion anchor, bool behind) {
  std::size_t length = 0;
  bool has_anchor = false;
  for (const NodeId id : terms) {
    const Node& node = syntax.nodes[id];
    const bool is_anchor = syntax.is_assertion(id, anchor);
    if (!is_anchor && (node.kind != NodeKind::look || node.behind != behind)) break;
    has_anchor = has_anchor || is_anchor;
    ++length;
  }
  return has_anchor ? length : 0;
}

}  // namespace

std::optional<std::vector<Conjunct>> as_conjunction(Syntax& syntax) {
  const Node root = syntax.nodes[syntax.root];
  if (root.kind != NodeKind::sequence) return std::nullopt;
  const auto children = syntax.children_of(root);
  const std::vector<NodeId> terms(children.begin(), children.end());
  const std::vector<NodeId> reversed(terms.rbegin(), terms.rend());
  const std::size_t front = anchored_run(syntax, terms, Assertion::text_start, false);
  const std::size_t back =
      std::min(anchored_run(syntax, reversed, Assertion::text_end, true), terms.size() - front);

  const NodeId start = syntax.add(
      {.kind = NodeKind::assertion, .value = static_cast<std::uint32_t>(Assertion::text_start)},
      {});
  const NodeId end = syntax.add(
      {.kind = NodeKind::assertion, .value = static_cast<std::uint32_t>(Assertion::text_end)}, {});
  std::vector<Conjunct> conjuncts;
  std::vector<NodeId> rest;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Node look = syntax.nodes[terms[i]];
    const bool at_an_end = i < front || i >= terms.size() - back;
    if (look.kind != NodeKind::look || !at_an_end) {
      rest.push_back(terms[i]);
      continue;
    }
    const NodeId body = syntax.children_of(look)[0];
    const std::array<NodeId, 2> parts =
        look.behind ? std::array{body, end} : std::array{start, body};
    conjuncts.push_back({syntax.add({.kind = NodeKind::sequence}, parts), look.negative});
  }
  conjuncts.insert(conjuncts.begin(), {syntax.add({.kind = NodeKind::sequence}, rest), false});
  const auto is_regular = [&](NodeId id) { return syntax.nodes[id].regular; };
  if (!std::ranges::all_of(conjuncts, is_regular, &Conjunct::root)) return std::nullopt;
  return conjuncts;
}

std::expected<Conjunction, PatternError> Conjunction::build(const Syntax& syntax,
                                                            const std::vector<Conjunct>& conjuncts,
                                                            const PatternLimits& limits,
                                                            std::size_t& work) {
  // The small automata first, so that a table that fails cannot use up what they need.
  std::vector<Nfa> small;
  PatternLimits left = limits;
  for (const Conjunct& conjunct : conjuncts) {
    left.work = limits.work - std::min(limits.work, work);
    auto nfa = build_nfa(syntax, conjunct.root, left);
    if (!nfa) return std::unexpected(std::move(nfa.error()));
    work += nfa->work;
    left.program_bytes -= std::min(left.program_bytes, nfa->memory());
    small.push_back(std::move(*nfa));
  }
  Conjunction conjunction;
  conjunction.parts_.reserve(conjuncts.size());
  std::size_t bytes = limits.program_bytes;
  for (std::size_t i = 0; i < small.size(); ++i) {
    const std::size_t share = (limits.work - std::min(limits.work, work)) / (small.size() - i);
    Automaton automaton(std::move(small[i]), bytes / (small.size() - i), share, work);
    bytes -= std::min(bytes, automaton.memory());
    conjunction.parts_.push_back({std::move(automaton), conjuncts[i].negative});
  }
  return conjunction;
}

Match Conjunction::search(std::string_view text, std::size_t& steps) const {
  for (const Part& part : parts_) {
    const Match match = part.automaton.search(text, steps);
    if (match == Match::budget_exceeded) return match;
    if ((match == Match::yes) == part.negative) return Match::no;
  }
  return Match::yes;
}

std::size_t Conjunction::memory() const {
  std::size_t bytes = parts_.capacity() * sizeof(Part);
  for (const Part& part : parts_) bytes += part.automaton.memory();
  return bytes;
}

}  // namespace interline::schema::pattern

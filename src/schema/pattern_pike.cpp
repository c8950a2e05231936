#include "schema/pattern_pike.hpp"

#include "base/utf8.hpp"
#include "schema/pattern_budget.hpp"

namespace interline::schema::pattern {
namespace {

constexpr std::size_t kStatesPerStep = 2;
constexpr std::size_t kMarksPerStep = 64;  ///< cleared memory

}  // namespace

Match search(const Nfa& nfa, std::string_view text, std::size_t& steps) {
  NfaWalker walker(nfa);
  const std::size_t set_up = nfa.states.size() / kMarksPerStep;
  const auto cost = [&] { return set_up + walker.work() / kStatesPerStep + 1; };
  const auto finish = [&](bool matched) {
    return charge(steps, cost(), matched ? Match::yes : Match::no);
  };
  StateSet set;
  StateSet scratch;
  if (walker.begin(set)) return finish(true);
  Edge before = Edge::text;
  std::size_t at = 0;
  while (at < text.size()) {
    if (cost() > steps) return finish(false);
    const Utf8CodePoint next = decode_valid_utf8(text.data() + at);
    const Symbol symbol = nfa.alphabet.of(next.value);
    const Edge after = nfa.alphabet.edge_of(symbol);
    if (walker.has_assertion(set)) {
      if (walker.decide(set, before, after, scratch)) return finish(true);
      set.swap(scratch);
    }
    if (walker.advance(set, symbol, scratch)) return finish(true);
    set.swap(scratch);
    if (set.empty() && !walker.can_restart()) return finish(false);
    before = after;
    at += next.size;
  }
  return finish(walker.decide(set, before, Edge::text, scratch));
}

}  // namespace interline::schema::pattern

#include "schema/pattern_literal.hpp"

#include <cstring>

#include "base/utf8.hpp"
#include "schema/pattern_budget.hpp"

namespace interline::schema::pattern {
namespace {

constexpr bool is_surrogate(std::uint32_t code_point) {
  return code_point >= 0xD800 && code_point <= 0xDFFF;
}

}  // namespace

std::optional<Literal> as_literal(const Syntax& syntax) {
  const Node& root = syntax.nodes[syntax.root];
  const NodeId alone[] = {syntax.root};
  auto terms = root.kind == NodeKind::sequence ? syntax.children_of(root) : std::span(alone);
  Literal literal;
  const auto node = [&](NodeId id) -> const Node& { return syntax.nodes[id]; };
  if (!terms.empty() && syntax.is_assertion(terms.front(), Assertion::text_start)) {
    literal.at_start = true;
    terms = terms.subspan(1);
  }
  if (!terms.empty() && syntax.is_assertion(terms.back(), Assertion::text_end)) {
    literal.at_end = true;
    terms = terms.first(terms.size() - 1);
  }
  for (const NodeId id : terms) {
    // A lone surrogate matches nothing in valid UTF-8, and cannot be written in it.
    if (node(id).kind != NodeKind::character || is_surrogate(node(id).value)) return std::nullopt;
    append_utf8(literal.text, node(id).value);
  }
  return literal;
}

Match Literal::search(std::string_view in, std::size_t& steps) const {
  const std::size_t seen = at_start || at_end ? std::min(text.size(), in.size()) : in.size();
  const Match match = charge(steps, scan_cost(seen), Match::yes);
  if (match == Match::budget_exceeded) return match;
  bool found = false;
  if (at_start || at_end) {
    found = (!at_start || in.starts_with(text)) && (!at_end || in.ends_with(text)) &&
            (!at_start || !at_end || in.size() == text.size());
  } else {
    // Unlike string_view::find, memmem is linear whatever the texts are.
    found = memmem(in.data(), in.size(), text.data(), text.size()) != nullptr;
  }
  return found ? Match::yes : Match::no;
}

}  // namespace interline::schema::pattern

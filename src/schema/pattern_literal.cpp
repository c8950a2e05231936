#include "schema/pattern_literal.hpp"

#include <cstring>

#include "base/utf8.hpp"
#include "schema/pattern_budget.hpp"

namespace interline::schema::pattern {
namespace {

bool is_assertion(const Node& node, Assertion which) {
  return node.kind == NodeKind::assertion && node.value == static_cast<std::uint32_t>(which);
}

constexpr bool is_surrogate(std::uint32_t code_point) {
  return code_point >= 0xD800 && code_point <= 0xDFFF;
}

bool found(const Literal& literal, std::string_view text) {
  const std::string_view wanted = literal.text;
  if (literal.at_start && literal.at_end) return text == wanted;
  if (literal.at_start) return text.starts_with(wanted);
  if (literal.at_end) return text.ends_with(wanted);
  // Unlike string_view::find, memmem is linear whatever the texts are.
  return memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace

std::optional<Literal> as_literal(const Syntax& syntax) {
  const Node& root = syntax.nodes[syntax.root];
  const NodeId alone[] = {syntax.root};
  auto terms = root.kind == NodeKind::sequence ? syntax.children_of(root) : std::span(alone);
  Literal literal;
  const auto node = [&](NodeId id) -> const Node& { return syntax.nodes[id]; };
  if (!terms.empty() && is_assertion(node(terms.front()), Assertion::text_start)) {
    literal.at_start = true;
    terms = terms.subspan(1);
  }
  if (!terms.empty() && is_assertion(node(terms.back()), Assertion::text_end)) {
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

Match search(const Literal& literal, std::string_view text, std::size_t& steps) {
  const bool at_an_end = literal.at_start || literal.at_end;
  const std::size_t seen = at_an_end ? std::min(literal.text.size(), text.size()) : text.size();
  const Match match = charge(steps, scan_cost(seen), Match::yes);
  if (match == Match::budget_exceeded) return match;
  return found(literal, text) ? Match::yes : Match::no;
}

}  // namespace interline::schema::pattern

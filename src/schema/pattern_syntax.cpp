#include "schema/pattern_syntax.hpp"

#include <algorithm>

#include "schema/pattern_parser.hpp"
#include "schema/pattern_property.hpp"

namespace interline::schema::pattern {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Derives what a node can match from its children, which are complete.
void derive_extent(const Syntax& syntax, Node& node) {
  const auto children = syntax.children_of(node);
  const auto child = [&](NodeId id) -> const Node& { return syntax.nodes[id]; };
  node.regular = node.kind != NodeKind::look && node.kind != NodeKind::back_reference &&
                 std::ranges::all_of(children, &Node::regular, child);
  switch (node.kind) {
    case NodeKind::character:
    case NodeKind::set:
      node.may_be_empty = node.is_empty = false;
      break;
    case NodeKind::sequence:
      for (const NodeId id : children) {
        node.anchored = node.anchored || child(id).anchored;  // a match never goes back
        node.may_be_empty = node.may_be_empty && child(id).may_be_empty;
        node.is_empty = node.is_empty && child(id).is_empty;
      }
      break;
    case NodeKind::alternation:
      node.may_be_empty = std::ranges::any_of(children, &Node::may_be_empty, child);
      node.is_empty = std::ranges::all_of(children, &Node::is_empty, child);
      node.anchored = std::ranges::all_of(children, &Node::anchored, child);
      break;
    case NodeKind::repeat:
      node.may_be_empty = node.min == 0 || child(children[0]).may_be_empty;
      node.is_empty = node.max == 0 || child(children[0]).is_empty;
      node.anchored = node.min > 0 && child(children[0]).anchored;
      break;
    case NodeKind::capture:
      node.may_be_empty = child(children[0]).may_be_empty;
      node.is_empty = child(children[0]).is_empty;
      node.anchored = child(children[0]).anchored;
      break;
    case NodeKind::assertion:
      node.anchored = node.value == static_cast<std::uint32_t>(Assertion::text_start);
      break;
    case NodeKind::back_reference:
      node.is_empty = false;
      break;
    case NodeKind::empty:
    case NodeKind::look:
      break;
  }
}

}  // namespace

NodeId Syntax::add(Node node, std::span<const NodeId> with_children) {
  node.first_child = static_cast<std::uint32_t>(children.size());
  node.children = static_cast<std::uint32_t>(with_children.size());
  children.insert(children.end(), with_children.begin(), with_children.end());
  derive_extent(*this, node);
  nodes.push_back(node);
  return static_cast<NodeId>(nodes.size() - 1);
}

std::expected<Syntax, PatternError> Parser::run() {
  groups_.push_back({});
  while (!at_end()) {
    if (!term()) return std::unexpected(std::move(error_));
  }
  if (groups_.size() > 1) {
    (void)fail(groups_.back().offset, "the group is not closed");
    return std::unexpected(std::move(error_));
  }
  syntax_.root = end_disjunction(groups_.back());
  if (!resolve_references()) return std::unexpected(std::move(error_));
  return std::move(syntax_);
}

bool Parser::term() {
  const std::size_t offset = at_;
  const auto assertion = [&](std::size_t length, Assertion which) {
    at_ += length;
    add_term(add({.kind = NodeKind::assertion, .value = static_cast<std::uint32_t>(which)}));
    return true;
  };
  switch (peek()) {
    case '|':
      ++at_;
      alternatives_.push_back(end_alternative(groups_.back().terms));
      return true;
    case '^':
      return assertion(1, Assertion::text_start);
    case '$':
      return assertion(1, Assertion::text_end);
    case '(':
      return open_group();
    case ')':
      return close_group();
    case '[':
      return character_class();
    case '\\':
      if (peek(1) == 'b') return assertion(2, Assertion::word_boundary);
      if (peek(1) == 'B') return assertion(2, Assertion::no_word_boundary);
      return atom_escape();
    case '.':
      ++at_;
      return set_atom(line_terminators().complement(), offset);
    case '*':
    case '+':
    case '?':
    case '{':
      return fail(offset, "a quantifier has nothing to repeat");
    case ']':
    case '}':
      return fail(offset, "a closing bracket or brace stands alone; escape it");
    default: {
      const char32_t code_point = take_code_point();
      const NodeId atom = add({.kind = NodeKind::character, .value = code_point});
      return quantifier(atom, syntax_.captures);
    }
  }
}

bool Parser::open_group() {
  Group group{.captures_before = syntax_.captures, .offset = at_++};
  if (groups_.size() > std::min(limits_.depth, kDeepest)) {
    return too_large(group.offset, "groups are nested too deeply");
  }
  if (peek() == '?') {
    ++at_;
    if (!open_question_group(group)) return false;
  } else {
    group.kind = NodeKind::capture;
  }
  if (group.kind == NodeKind::capture) group.number = ++syntax_.captures;
  group.terms = terms_.size();
  group.alternatives = alternatives_.size();
  syntax_.depth = std::max(syntax_.depth, static_cast<std::uint32_t>(groups_.size()));
  groups_.push_back(group);
  return true;
}

bool Parser::open_question_group(Group& group) {
  if (take(":")) return true;
  const bool behind = next_is("<=") || next_is("<!");
  if (behind || next_is("=") || next_is("!")) {
    at_ += behind ? 2 : 1;
    group.kind = NodeKind::look;
    group.behind = behind;
    group.negative = text_[at_ - 1] == '!';
    return true;
  }
  if (peek() != '<') return fail(group.offset, "the group is of no known kind");
  group.kind = NodeKind::capture;
  const std::size_t offset = at_;
  std::u32string name;
  if (!group_name(name)) return false;
  if (find_name(name) != names_.end()) return fail(offset, "two groups have the same name");
  names_.emplace_back(std::move(name), syntax_.captures + 1);
  return true;
}

bool Parser::close_group() {
  if (groups_.size() == 1) return fail(at_, "a closing parenthesis has no opening one");
  ++at_;
  const Group group = groups_.back();
  const NodeId body = end_disjunction(group);
  groups_.pop_back();
  switch (group.kind) {
    case NodeKind::look:
      // 22.2.1: a QuantifiableAssertion exists only without [UnicodeMode].
      add_term(add_parent(
          {.kind = NodeKind::look, .behind = group.behind, .negative = group.negative}, body));
      return true;
    case NodeKind::capture:
      return quantifier(add_parent({.kind = NodeKind::capture, .value = group.number}, body),
                        group.captures_before);
    default:
      return quantifier(body, group.captures_before);
  }
}

bool Parser::quantifier(NodeId atom, std::uint32_t captures_before) {
  Node repeat{.kind = NodeKind::repeat, .max = kNoMaximum, .first_capture = captures_before};
  switch (peek()) {
    case '*':
      ++at_;
      break;
    case '+':
      ++at_;
      repeat.min = 1;
      break;
    case '?':
      ++at_;
      repeat.max = 1;
      break;
    case '{':
      if (!counts(repeat.min, repeat.max)) return false;
      break;
    default:
      add_term(atom);
      return true;
  }
  repeat.greedy = !take("?");
  repeat.captures = syntax_.captures - captures_before;
  add_term(add_parent(repeat, atom));
  return true;
}

bool Parser::counts(std::uint32_t& min, std::uint32_t& max) {
  const std::size_t offset = at_++;
  const auto count = [&](Count& out) {
    const std::size_t begin = at_;
    while (is_digit(peek())) {
      const std::uint64_t value = std::uint64_t{out.value} * 10U + std::uint64_t(peek() - '0');
      out.value = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, kMostRepeats));
      ++at_;
    }
    out.digits = text_.substr(begin, at_ - begin);
    out.digits.remove_prefix(std::min(out.digits.find_first_not_of('0'), out.digits.size()));
    return at_ > begin;
  };
  Count least;
  Count most;
  if (!count(least)) return fail(offset, "a brace opens no quantifier; escape it");
  min = max = least.value;
  if (take(",")) {
    max = kNoMaximum;
    if (count(most)) {
      max = most.value;
      const auto magnitude = [](const Count& c) { return std::pair(c.digits.size(), c.digits); };
      if (magnitude(least) > magnitude(most)) {
        return fail(offset, "a quantifier's maximum is below its minimum");
      }
    }
  }
  return take("}") || fail(offset, "a brace opens no quantifier; escape it");
}

// GroupName, ECMA-262 22.2.1: < RegExpIdentifierName >.
bool Parser::group_name(std::u32string& name) {
  const std::size_t offset = at_++;
  while (!take(">")) {
    if (at_end()) return fail(offset, "the group's name is not closed");
    char32_t code_point = 0;
    if (take("\\")) {
      if (!take("u")) return fail(offset, "the group's name is not an identifier");
      if (!unicode_escape(code_point)) return false;
    } else {
      code_point = take_code_point();
    }
    if (name.empty() ? !is_identifier_start(code_point) : !is_identifier_part(code_point)) {
      return fail(offset, "the group's name is not an identifier");
    }
    name.push_back(code_point);
  }
  return !name.empty() || fail(offset, "the group's name is empty");
}

bool Parser::resolve_references() {
  for (const Reference& reference : references_) {
    Node& node = syntax_.nodes[reference.node];
    if (reference.name.empty()) {
      if (node.value > syntax_.captures) {
        return fail(reference.offset, "a back-reference's number is above the number of groups");
      }
      continue;
    }
    const auto named = find_name(reference.name);
    if (named == names_.end()) {
      return fail(reference.offset, "a back-reference names a group that does not exist");
    }
    node.value = named->second;
  }
  return true;
}

NodeId Parser::end_alternative(std::size_t terms_base) {
  const std::span terms = std::span(terms_).subspan(terms_base);
  NodeId node = 0;
  if (terms.size() == 1) {
    node = terms[0];
  } else {
    node = add({.kind = terms.empty() ? NodeKind::empty : NodeKind::sequence}, terms);
  }
  terms_.resize(terms_base);
  return node;
}

NodeId Parser::end_disjunction(const Group& group) {
  const NodeId last = end_alternative(group.terms);
  if (alternatives_.size() == group.alternatives) return last;
  alternatives_.push_back(last);
  const NodeId node =
      add({.kind = NodeKind::alternation}, std::span(alternatives_).subspan(group.alternatives));
  alternatives_.resize(group.alternatives);
  return node;
}

bool Parser::fail(std::size_t offset, const char* message) {
  error_ = {.too_large = false, .offset = offset, .message = message};
  return false;
}

bool Parser::too_large(std::size_t offset, const char* message) {
  error_ = {.too_large = true, .offset = offset, .message = message};
  return false;
}

bool Parser::spend(std::size_t units, std::size_t offset) {
  syntax_.work += units;
  return syntax_.work <= limits_.work ||
         too_large(offset, "the expression's classes take too much work");
}

std::expected<Syntax, PatternError> parse(std::string_view expression,
                                          const PatternLimits& limits) {
  if (expression.size() > limits.pattern_bytes) {
    return std::unexpected(PatternError{true, 0, "the expression is too long"});
  }
  if (const std::size_t valid = valid_utf8_prefix(expression); valid != expression.size()) {
    return std::unexpected(PatternError{false, valid, "the expression is not valid UTF-8"});
  }
  return Parser(expression, limits).run();
}

}  // namespace interline::schema::pattern

// The parser behind pattern::parse. Escapes and classes are in pattern_escape.cpp, the rest of the
// grammar in pattern_syntax.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema::pattern {

class Parser {
 public:
  Parser(std::string_view text, const PatternLimits& limits) : text_(text), limits_(limits) {}

  [[nodiscard]] std::expected<Syntax, PatternError> run();

 private:
  /// A group that is open, or the whole expression; its terms and alternatives so far lie on top
  /// of `terms_` and `alternatives_`.
  struct Group {
    NodeKind kind = NodeKind::empty;  ///< capture, look, or empty: neither
    bool behind = false;
    bool negative = false;
    std::uint32_t number = 0;           ///< capture
    std::uint32_t captures_before = 0;  ///< groups opened to the left of it
    std::size_t offset = 0;
    std::size_t terms = 0;
    std::size_t alternatives = 0;
  };

  /// What a class may hold: one code point or a set. The set outlives the parser.
  struct ClassAtom {
    char32_t code_point = 0;
    const CodePointSet* set = nullptr;
  };

  struct Reference {
    NodeId node;
    std::size_t offset;
    std::u32string name;  ///< empty: by number
  };

  struct Count {
    std::uint32_t value = 0;
    std::string_view digits;  ///< without leading zeros
  };

  // Each of these reads from at_ on; false: error_ says why not.
  [[nodiscard]] bool term();
  [[nodiscard]] bool open_group();
  [[nodiscard]] bool open_question_group(Group& group);
  [[nodiscard]] bool close_group();
  [[nodiscard]] bool quantifier(NodeId atom, std::uint32_t captures_before);
  [[nodiscard]] bool counts(std::uint32_t& min, std::uint32_t& max);
  [[nodiscard]] bool group_name(std::u32string& name);
  [[nodiscard]] bool resolve_references();
  [[nodiscard]] auto find_name(const std::u32string& name) const {
    return std::ranges::find(names_, name, &std::pair<std::u32string, std::uint32_t>::first);
  }

  // pattern_escape.cpp
  [[nodiscard]] bool atom_escape();
  [[nodiscard]] bool back_reference_by_name(std::size_t offset);
  [[nodiscard]] bool back_reference_by_number(std::size_t offset);
  [[nodiscard]] bool character_class();
  [[nodiscard]] bool class_atom(ClassAtom& atom);
  [[nodiscard]] bool class_escape(ClassAtom& atom);
  [[nodiscard]] bool set_escape(char letter, ClassAtom& atom);
  [[nodiscard]] bool property_escape(bool negated, std::size_t offset, ClassAtom& atom);
  [[nodiscard]] bool character_escape(ClassAtom& atom);
  [[nodiscard]] bool hex_escape(char32_t& code_point);
  [[nodiscard]] bool unicode_escape(char32_t& code_point);
  [[nodiscard]] std::optional<std::uint32_t> hex_digits(std::size_t count);
  [[nodiscard]] bool set_atom(CodePointSet set, std::size_t offset);

  // Building the tree.
  NodeId add(Node node, std::span<const NodeId> children = {}) {
    return syntax_.add(node, children);
  }
  NodeId add_parent(Node node, NodeId child) { return add(node, std::span(&child, 1)); }
  void add_term(NodeId node) { terms_.push_back(node); }
  NodeId end_alternative(std::size_t terms_base);
  NodeId end_disjunction(const Group& group);
  /// Counts `units` of PatternLimits::work.
  [[nodiscard]] bool spend(std::size_t units, std::size_t offset);

  [[nodiscard]] bool fail(std::size_t offset, const char* message);
  [[nodiscard]] bool too_large(std::size_t offset, const char* message);

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] bool next_is(std::string_view word) const {
    return text_.substr(at_).starts_with(word);
  }
  [[nodiscard]] bool take(std::string_view word) {
    if (!next_is(word)) return false;
    at_ += word.size();
    return true;
  }
  /// The next byte, 0 at the end; all that steers the grammar is ASCII, and U+0000 is not syntax.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0';
  }
  char32_t take_code_point() {
    const Utf8CodePoint next = decode_valid_utf8(text_.data() + at_);
    at_ += next.size;
    return next.value;
  }

  std::string_view text_;
  const PatternLimits& limits_;
  std::size_t at_ = 0;
  Syntax syntax_;
  PatternError error_;
  std::vector<Group> groups_;
  std::vector<NodeId> terms_;
  std::vector<NodeId> alternatives_;
  std::vector<std::pair<std::u32string, std::uint32_t>> names_;
  std::vector<Reference> references_;
  std::map<std::string, CodePointSet, std::less<>> properties_;  ///< by what \p and its braces hold
  std::size_t set_bytes_ = 0;
  std::vector<std::uint64_t> set_hashes_;  ///< of Syntax::sets, to find equal ones quickly
};

}  // namespace interline::schema::pattern

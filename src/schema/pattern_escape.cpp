// AtomEscape, CharacterClass and ClassEscape of ECMA-262 22.2.1, with [UnicodeMode].
#include <array>
#include <string>

#include "schema/pattern_parser.hpp"
#include "schema/pattern_property.hpp"

namespace interline::schema::pattern {
namespace {

constexpr std::string_view kSyntaxCharacters = "^$\\.*+?()[]{}|/";  // and / (IdentityEscape)

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_lead_surrogate(std::uint32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

constexpr bool is_trail_surrogate(std::uint32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

const CodePointSet& complement_of(const CodePointSet& (*set)()) {
  // One for each of \D, \S, \W: immutable once made.
  static const std::array<CodePointSet, 3> complements = {
      digits().complement(), white_space().complement(), word_characters().complement()};
  return complements[set == &digits ? 0U : set == &white_space ? 1U : 2U];
}

}  // namespace

bool Parser::atom_escape() {
  const std::size_t offset = at_++;
  const char letter = peek();
  const std::uint32_t captures = syntax_.captures;
  if (letter >= '1' && letter <= '9') return back_reference_by_number(offset);
  if (letter == 'k') return back_reference_by_name(offset);
  ClassAtom atom;
  if (set_escape(letter, atom)) return set_atom(*atom.set, offset);
  if (!error_.message.empty() || !character_escape(atom)) return false;
  return quantifier(add({.kind = NodeKind::character, .value = atom.code_point}), captures);
}

bool Parser::back_reference_by_number(std::size_t offset) {
  std::uint64_t number = 0;
  for (; is_digit(peek()); ++at_) {
    number = std::min<std::uint64_t>(number * 10U + std::uint64_t(peek() - '0'), kMostRepeats);
  }
  const NodeId node =
      add({.kind = NodeKind::back_reference, .value = static_cast<std::uint32_t>(number)});
  references_.push_back({node, offset, {}});
  return quantifier(node, syntax_.captures);
}

bool Parser::back_reference_by_name(std::size_t offset) {
  ++at_;
  if (peek() != '<') return fail(offset, "\\k names no group");
  std::u32string name;
  if (!group_name(name)) return false;
  const NodeId node = add({.kind = NodeKind::back_reference});
  references_.push_back({node, offset, std::move(name)});
  return quantifier(node, syntax_.captures);
}

// ClassContents. The ranges collect as they come and are put in order whenever they have doubled,
// so that neither memory nor time follows from naming the same large set again and again.
bool Parser::character_class() {
  const std::size_t offset = at_++;
  const bool negated = take("^");
  std::vector<CodePointRange> ranges;
  std::size_t tidy = 1'024;
  while (!take("]")) {
    if (at_end()) return fail(offset, "the class is not closed");
    const std::size_t start = at_;
    ClassAtom first;
    if (!class_atom(first)) return false;
    if (peek() == '-' && peek(1) != ']') {
      ++at_;
      if (at_end()) return fail(offset, "the class is not closed");
      ClassAtom last;
      if (!class_atom(last)) return false;
      if (first.set != nullptr || last.set != nullptr) {
        return fail(start, "a range of characters begins or ends with a set");
      }
      if (first.code_point > last.code_point) {
        return fail(start, "a range of characters ends before it begins");
      }
      ranges.push_back({first.code_point, last.code_point});
    } else if (first.set != nullptr) {
      const auto more = first.set->ranges();
      if (!spend(4 * more.size(), start)) return false;
      ranges.insert(ranges.end(), more.begin(), more.end());
    } else {
      ranges.push_back({first.code_point, first.code_point});
    }
    if (ranges.size() > tidy) {
      const CodePointSet tidied(std::move(ranges));
      ranges.assign(tidied.ranges().begin(), tidied.ranges().end());
      tidy = std::max(tidy, 2 * ranges.size());
    }
  }
  CodePointSet set(std::move(ranges));
  return set_atom(negated ? set.complement() : std::move(set), offset);
}

bool Parser::class_atom(ClassAtom& atom) {
  if (peek() == '\\') return class_escape(atom);
  atom.code_point = take_code_point();
  return true;
}

bool Parser::class_escape(ClassAtom& atom) {
  ++at_;
  const char letter = peek();
  if (letter == 'b' || letter == '-') {
    ++at_;
    atom.code_point = letter == 'b' ? U'\b' : U'-';
    return true;
  }
  if (set_escape(letter, atom)) return true;
  return error_.message.empty() && character_escape(atom);
}

/// CharacterClassEscape. False with no error: it is not one.
bool Parser::set_escape(char letter, ClassAtom& atom) {
  const std::size_t offset = at_ - 1;
  switch (letter) {
    case 'd':
      atom.set = &digits();
      break;
    case 'D':
      atom.set = &complement_of(digits);
      break;
    case 's':
      atom.set = &white_space();
      break;
    case 'S':
      atom.set = &complement_of(white_space);
      break;
    case 'w':
      atom.set = &word_characters();
      break;
    case 'W':
      atom.set = &complement_of(word_characters);
      break;
    case 'p':
    case 'P':
      ++at_;
      return property_escape(letter == 'P', offset, atom);
    default:
      return false;
  }
  ++at_;
  return true;
}

bool Parser::property_escape(bool negated, std::size_t offset, ClassAtom& atom) {
  const std::size_t close = text_.find('}', at_);
  if (peek() != '{' || close == std::string_view::npos) {
    return fail(offset, "\\p and \\P need a property's name in braces");
  }
  const std::string_view name = text_.substr(at_ + 1, close - at_ - 1);
  at_ = close + 1;
  std::string key(1, negated ? 'P' : 'p');
  key += name;
  auto known = properties_.find(key);
  if (known == properties_.end()) {
    constexpr std::size_t kLookUpUnits = 10'000;  // about what ICU takes
    if (!spend(kLookUpUnits, offset)) return false;
    const std::size_t equals = name.find('=');
    auto set = equals == std::string_view::npos
                   ? property_set(name)
                   : property_set(name.substr(0, equals), name.substr(equals + 1));
    if (!set) return fail(offset, "ECMA-262 knows no such Unicode property");
    known =
        properties_.emplace(std::move(key), negated ? set->complement() : std::move(*set)).first;
  }
  atom.set = &known->second;
  return true;
}

bool Parser::character_escape(ClassAtom& atom) {
  const std::size_t offset = at_ - 1;
  if (at_end()) return fail(offset, "a backslash ends the expression");
  const char letter = text_[at_++];
  const auto is = [&atom](char32_t code_point) {
    atom.code_point = code_point;
    return true;
  };
  switch (letter) {
    case 'f':
      return is('\f');
    case 'n':
      return is('\n');
    case 'r':
      return is('\r');
    case 't':
      return is('\t');
    case 'v':
      return is('\v');
    case 'c':
      if (!is_letter(peek())) return fail(offset, "\\c needs a letter");
      return is(static_cast<char32_t>(text_[at_++] % 32));
    case '0':
      if (is_digit(peek())) return fail(offset, "octal escapes are not allowed");
      return is(0);
    case 'x':
      return hex_escape(atom.code_point);
    case 'u':
      return unicode_escape(atom.code_point);
    default:
      if (kSyntaxCharacters.find(letter) != std::string_view::npos) {
        return is(static_cast<char32_t>(letter));
      }
      return fail(offset, "the escape has no meaning");
  }
}

bool Parser::hex_escape(char32_t& code_point) {
  const std::size_t offset = at_ - 2;
  const auto value = hex_digits(2);
  if (!value) return fail(offset, "\\x needs two hexadecimal digits");
  code_point = *value;
  return true;
}

// RegExpUnicodeEscapeSequence, after its \u: a pair of surrogates is one code point, and alone
// each stands for itself.
bool Parser::unicode_escape(char32_t& code_point) {
  const std::size_t offset = at_ - 2;
  if (take("{")) {
    std::uint32_t value = 0;
    const std::size_t begin = at_;
    while (const auto digit = hex_digits(1)) {
      value = value * 16 + *digit;
      if (value > kLastCodePoint) return fail(offset, "the code point is above 10FFFF");
    }
    if (at_ == begin || !take("}")) return fail(offset, "\\u{ needs hexadecimal digits and }");
    code_point = value;
    return true;
  }
  const auto unit = hex_digits(4);
  if (!unit) return fail(offset, "\\u needs four hexadecimal digits, or braces");
  code_point = *unit;
  const std::size_t after = at_;
  if (is_lead_surrogate(*unit) && take("\\u")) {
    const auto trail = hex_digits(4);
    if (trail && is_trail_surrogate(*trail)) {
      code_point = 0x10000U + ((*unit - 0xD800U) << 10U) + (*trail - 0xDC00U);
    } else {
      at_ = after;
    }
  }
  return true;
}

/// Takes that many digits, or none.
std::optional<std::uint32_t> Parser::hex_digits(std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const char c = peek(i);
    const auto lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  at_ += count;
  return value;
}

/// A term that matches one character of a set, and its quantifier.
bool Parser::set_atom(CodePointSet set, std::size_t offset) {
  if (!spend(syntax_.sets.size() + set.ranges().size(), offset)) return false;
  const std::uint64_t hash = set.hash();
  std::uint32_t index = 0;
  while (index < syntax_.sets.size() &&
         (set_hashes_[index] != hash || syntax_.sets[index] != set)) {
    ++index;
  }
  if (index == syntax_.sets.size()) {
    set_bytes_ += set.memory();
    if (set_bytes_ > limits_.program_bytes) {
      return too_large(offset, "the expression's classes are too large");
    }
    syntax_.sets.push_back(std::move(set));
    set_hashes_.push_back(hash);
  }
  return quantifier(add({.kind = NodeKind::set, .value = index}), syntax_.captures);
}

}  // namespace interline::schema::pattern

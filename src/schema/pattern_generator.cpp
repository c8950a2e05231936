#include "schema/pattern_generator.hpp"

#include <algorithm>
#include <iterator>

#include "base/utf8.hpp"

namespace interline::schema::pattern {
namespace {

constexpr std::string_view kCharacters[] = {
    "a",  "b",  "c", "A", "Z",  "1",      "9",      "_",      "-",      " ", "\n", "\t", "\r",
    "é",  "ß",  "Ж", "λ", "日", "\u2028", "\u00A0", "\uFEFF", "\u3000", "😀", "🐲",  "𝒜",  "\x01",
    "\b", "/",  "ı", "İ", "ſ",  "K",      "€",      "~",      "@",      "#", ",",  "=",  "!",
    ":",  "\v", "&", "%", "\"", "'",      ";",      "<",      ">",      "`",
};

/// The same characters as they can be escaped.
constexpr std::string_view kEscapes[] = {
    "\\x61",
    "\\u0061",
    "\\u{61}",
    "\\u{0000000062}",
    "\\x0a",
    "\\n",
    "\\t",
    "\\r",
    "\\v",
    "\\f",
    "\\0",
    "\\cA",
    "\\cj",
    "\\/",
    "\\.",
    "\\^",
    "\\$",
    "\\|",
    "\\uD83D\\uDE00",
    "\\u{1F600}",
    "\\u{1F432}",
    "\\u{D83D}",
    "\\uD83D",
    "\\uDE00",
    "\\uD83D\\u0061",
    "\\u2028",
    "\\xe9",
    "\\x00",
    "\\u{10FFFF}",
};

/// Sets on whose members among kCharacters all versions of Unicode in use agree.
constexpr std::string_view kSets[] = {
    "\\d",
    "\\D",
    "\\s",
    "\\S",
    "\\w",
    "\\W",
    "\\p{L}",
    "\\P{L}",
    "\\p{Lu}",
    "\\p{Ll}",
    "\\p{N}",
    "\\p{Nd}",
    "\\p{ASCII}",
    "\\P{ASCII}",
    "\\p{Any}",
    "\\P{Any}",
    "\\p{Assigned}",
    "\\p{Alphabetic}",
    "\\p{Lowercase}",
    "\\p{Script=Latin}",
    "\\p{sc=Grek}",
    "\\P{Script=Cyrillic}",
    "\\p{scx=Han}",
    "\\p{General_Category=Uppercase_Letter}",
    "\\p{White_Space}",
    "\\p{Emoji}",
    "\\p{Cc}",
    "\\p{gc=Zs}",
    "\\p{Punctuation}",
    "\\p{Sm}",
};

constexpr std::string_view kTokens[] = {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "\\",
    "^",
    "$",
    "*",
    "+",
    "?",
    ".",
    ",",
    "-",
    ":",
    "=",
    "!",
    "<",
    ">",
    "k",
    "p",
    "P",
    "u",
    "x",
    "c",
    "d",
    "w",
    "s",
    "b",
    "B",
    "0",
    "1",
    "2",
    "9",
    "a",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?<n>",
    "\\k<n>",
    "\\1",
    "\\2",
    "\\p{",
    "{1}",
    "{2,}",
    "{1,3}",
    "{3,1}",
    "\\u{",
    "\\u{61}",
    "\\x4",
    "\\u00",
    "[^",
    "[]",
    "[^]",
    "[a-",
    "-]",
    "\\-",
    "\\c",
    "\\cA",
    "\\d-",
    "-\\w",
    "\\B",
    "\\0",
    "\\00",
    "Lu}",
    "sc=Latin}",
    "é",
    "😀",
    "\\uD83D",
    "\\uDE00",
    "(?i:",
    "\\K",
    "\\_",
    "\\k",
    "\\k<",
    "(?<",
    "(?<𝒜>",
    "(?<\\u{61}>",
    "(?<a\\u0062>",
    "(?<1a>",
    "(?<$_\u200D>",
    "(?<>",
    "\\8",
    "{,5}",
    "{ 1}",
    "{1, 2}",
    "(?",
    "(?)",
    "\\a",
    "\\e",
    "\\ ",
    "\\\n",
    "&&",
    "[[",
    "]]",
};

constexpr std::string_view kQuantifiers[] = {
    "*",    "+",     "?",     "{0}",    "{1}",    "{2}",    "{3}",     "{0,}", "{1,}",
    "{2,}", "{0,1}", "{0,2}", "{1,2}",  "{1,3}",  "{2,3}",  "*?",      "+?",   "??",
    "{2}?", "{0,}?", "{1,}?", "{0,2}?", "{1,2}?", "{1,3}?", "{00,02}",
};

constexpr std::string_view kNames[] = {"n", "name", "$", "_a1", "é", "𝒜", "日本", "a\u200D"};

}  // namespace

std::string Generator::expression() {
  out_.clear();
  alphabet_.clear();
  groups_ = 0;
  names_.clear();
  const std::size_t letters = 2 + below(3);
  for (std::size_t i = 0; i < letters; ++i) {
    alphabet_.push_back(one_in(2) ? kCharacters[below(3)] : any(kCharacters));
  }
  disjunction(1 + below(4));
  if (one_in(4)) damage();
  return out_;
}

std::string Generator::token_soup() {
  std::string soup;
  alphabet_ = {"a", "1", "😀"};
  for (std::size_t i = 1 + below(6); i > 0; --i) soup += any(kTokens);
  return soup;
}

std::string Generator::subject() {
  std::string text;
  for (std::size_t i = below(one_in(4) ? 12 : 6); i > 0; --i) {
    text += one_in(8) ? any(kCharacters) : any(alphabet_);
  }
  return text;
}

void Generator::disjunction(std::size_t depth) {
  const std::size_t alternatives = one_in(3) ? 1 + below(3) : 1;
  for (std::size_t i = 0; i < alternatives; ++i) {
    if (i > 0) out_ += '|';
    for (std::size_t terms = below(4) + (one_in(6) ? 0 : 1); terms > 0; --terms) term(depth);
  }
}

void Generator::term(std::size_t depth) {
  constexpr std::string_view kAssertions[] = {"^", "$", "\\b", "\\B"};
  switch (below(depth > 0 ? 14 : 9)) {
    case 0:
    case 1:
    case 2:
      character();
      break;
    case 3:
      out_ += '.';
      break;
    case 4:
      out_ += any(kSets);
      break;
    case 5:
    case 6:
      character_class();
      break;
    case 7:
      if (!one_in(2)) return back_reference();
      [[fallthrough]];
    case 8:
      out_ += any(kAssertions);
      return;
    default:
      return group(depth - 1);
  }
  quantifier();
}

void Generator::group(std::size_t depth) {
  constexpr std::string_view kLooks[] = {"(?=", "(?!", "(?<=", "(?<!"};
  const std::size_t kind = below(10);
  if (kind < 2) {
    out_ += any(kLooks);
  } else if (kind < 5) {
    out_ += "(?:";
  } else {
    ++groups_;
    out_ += '(';
    if (kind == 5) {
      std::string name(any(kNames));
      if (std::ranges::find(names_, name) == names_.end()) {
        out_ += "?<" + name + ">";
        names_.push_back(std::move(name));
      }
    }
  }
  disjunction(depth);
  out_ += ')';
  if (kind >= 2) quantifier();
}

void Generator::character() {
  out_ += one_in(12) ? any(kEscapes) : any(alphabet_);
}

void Generator::character_class() {
  out_ += one_in(3) ? "[^" : "[";
  for (std::size_t members = below(4); members > 0; --members) {
    switch (below(6)) {
      case 0:
        out_ += any(kSets);
        break;
      case 1: {
        std::string_view first = any(kCharacters);
        std::string_view last = any(kCharacters);
        if (first > last) std::swap(first, last);  // UTF-8 sorts like code points
        if (first == "-" || last == "-" || first == "^") break;
        (out_ += first) += '-';
        out_ += last;
        break;
      }
      case 2:
        out_ += one_in(3) ? std::string_view("\\b") : any(kEscapes);
        break;
      default:
        out_ += any(alphabet_);
        break;
    }
  }
  out_ += ']';
}

void Generator::back_reference() {
  if (!names_.empty() && one_in(2)) {
    out_ += "\\k<" + names_[below(names_.size())] + ">";
  } else if (groups_ > 0) {
    out_ += "\\" + std::to_string(1 + below(groups_));
    if (one_in(2)) out_ += "(?:)";  // so that no digit follows
  } else {
    return character();
  }
  quantifier();
}

void Generator::quantifier() {
  if (one_in(3)) out_ += any(kQuantifiers);
}

/// Between two code points something goes, comes or changes places.
void Generator::damage() {
  std::vector<std::string_view> parts;
  const std::string whole = out_;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t size = decode_valid_utf8(whole.data() + at).size;
    parts.push_back(std::string_view(whole).substr(at, size));
    at += size;
  }
  const std::size_t where = below(parts.size() + 1);
  const auto place = parts.begin() + static_cast<std::ptrdiff_t>(where);
  switch (below(3)) {
    case 0:
      parts.insert(place, any(kTokens));
      break;
    case 1:
      if (place != parts.end()) parts.erase(place);
      break;
    default:
      if (place != parts.end()) *place = any(kTokens);
      break;
  }
  out_.clear();
  for (const std::string_view part : parts) out_ += part;
}

}  // namespace interline::schema::pattern

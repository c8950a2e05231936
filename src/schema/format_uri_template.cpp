// URI Templates: RFC 6570 section 2, with erratum 6937 (the apostrophe is a literal). Operators
// that section 2.2 reserves for extensions are in the grammar, hence accepted.
#include "base/utf8.hpp"
#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"

namespace interline::schema::grammar {
namespace {

constexpr AsciiSet kNotLiteral = {"\"%<>\\^`{|} "};
constexpr AsciiSet kOperators = {"+#./;?&=,!@|"};
constexpr AsciiSet kVariableCharacters = {kLetters, kDigits, "_"};

/// varname = varchar *( ["."] varchar ). How many bytes it takes; 0 if there is none.
std::size_t variable_name(std::string_view text) {
  std::size_t at = 0;
  bool dot = true;  // no varchar since the last dot
  while (at < text.size()) {
    if (kVariableCharacters.contains(text[at])) {
      ++at;
    } else if (percent_encoded_at(text, at)) {
      at += 3;
    } else if (text[at] == '.' && !dot) {
      ++at;
      dot = true;
      continue;
    } else {
      break;
    }
    dot = false;
  }
  return dot ? 0 : at;
}

/// modifier-level4, or nothing: "*", or ":" and a number below 10000 without leading zeros.
std::size_t modifier(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '*') return 1;
  if (text.front() != ':') return 0;
  std::size_t at = 1;
  while (at < text.size() && at < 5 && is_digit(text[at])) ++at;
  return at == 1 || text[1] == '0' ? 0 : at;
}

/// What stands between the braces.
bool expression(std::string_view text) {
  if (!text.empty() && kOperators.contains(text.front())) text.remove_prefix(1);
  while (true) {
    const std::size_t name = variable_name(text);
    if (name == 0) return false;
    text.remove_prefix(name);
    text.remove_prefix(modifier(text));
    if (text.empty()) return true;
    if (text.front() != ',') return false;
    text.remove_prefix(1);
  }
}

}  // namespace

bool uri_template(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '{') {
      const std::size_t end = text.find('}', at);
      if (end == std::string_view::npos) return false;
      if (!expression(text.substr(at + 1, end - at - 1))) return false;
      at = end + 1;
    } else if (c == '%') {
      if (!percent_encoded_at(text, at)) return false;
      at += 3;
    } else if (is_ascii(c)) {
      if (c < 0x20 || c == 0x7F || kNotLiteral.contains(c)) return false;
      ++at;
    } else {
      const Utf8CodePoint point = decode_utf8(text.substr(at));
      if (!is_ucschar(point.value) && !is_iprivate(point.value)) return false;
      at += point.size;
    }
  }
  return true;
}

}  // namespace interline::schema::grammar

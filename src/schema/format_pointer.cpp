// UUIDs (RFC 4122 section 3), JSON Pointers (RFC 6901 section 3) and Relative JSON Pointers
// (draft-bhutton-relative-json-pointer-00 section 3, with index manipulation, in draft-07 too).
#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"

namespace interline::schema::grammar {
namespace {

/// Takes a non-negative integer without leading zeros off the front.
bool skip_integer(std::string_view& text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || (text.front() == '0' && digits > 1)) return false;
  text.remove_prefix(digits);
  return true;
}

}  // namespace

bool uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen ? text[i] != '-' : !is_hex_digit(text[i])) return false;
  }
  return true;
}

bool json_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 2)) {
    if (at + 1 == text.size() || (text[at + 1] != '0' && text[at + 1] != '1')) return false;
  }
  return true;
}

bool relative_json_pointer(std::string_view text) {
  if (!skip_integer(text)) return false;
  if (text.starts_with('+') || text.starts_with('-')) {  // index manipulation
    text.remove_prefix(1);
    if (!skip_integer(text)) return false;
  }
  return text == "#" || json_pointer(text);
}

}  // namespace interline::schema::grammar

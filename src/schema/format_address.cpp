// IPv4 dotted quads (RFC 2673 section 3.2, read as RFC 3986's dec-octet: no leading zeros) and IPv6
// text forms (RFC 4291 section 2.2), without zones and prefixes.
#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"

namespace interline::schema::grammar {

bool ipv4(std::string_view text) {
  std::size_t at = 0;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && (at == text.size() || text[at++] != '.')) return false;
    const std::size_t first = at;
    int number = 0;
    while (at < text.size() && at - first < 3 && is_digit(text[at])) {
      number = number * 10 + (text[at++] - '0');
    }
    if (at == first || number > 255 || (text[first] == '0' && at - first > 1)) return false;
  }
  return at == text.size();
}

bool ipv6(std::string_view text) {
  constexpr std::size_t kLongest = 45;  // six full groups and a full IPv4 address
  if (text.size() < 2 || text.size() > kLongest) return false;
  int groups = 0;
  bool elided = false;
  std::size_t at = 0;
  if (text.starts_with("::")) {
    elided = true;
    at = 2;
  }
  while (at < text.size()) {
    const std::size_t first = at;
    while (at < text.size() && is_hex_digit(text[at])) ++at;
    if (at < text.size() && text[at] == '.') {  // the rest is an IPv4 address, two groups
      if (!ipv4(text.substr(first))) return false;
      groups += 2;
      at = text.size();
      break;
    }
    if (at == first || at - first > 4) return false;
    ++groups;
    if (at == text.size()) break;
    if (text[at++] != ':' || at == text.size()) return false;
    if (text[at] == ':') {
      if (elided) return false;
      elided = true;
      ++at;
    }
  }
  return elided ? groups <= 7 : groups == 8;
}

}  // namespace interline::schema::grammar

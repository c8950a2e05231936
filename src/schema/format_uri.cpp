// URIs (RFC 3986 appendix A) and IRIs (RFC 3987 section 2.2). The text is cut into components as in
// RFC 3986 appendix B, which is unambiguous, and each component is held against its grammar.
#include <algorithm>

#include "base/utf8.hpp"
#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"

namespace interline::schema::grammar {
namespace {

constexpr std::string_view kUnreservedMarks = "-._~";
constexpr std::string_view kSubDelimiters = "!$&'()*+,;=";

constexpr AsciiSet kSchemeCharacters = {kLetters, kDigits, "+-."};
constexpr AsciiSet kUserInfo = {kLetters, kDigits, kUnreservedMarks, kSubDelimiters, ":"};
constexpr AsciiSet kRegisteredName = {kLetters, kDigits, kUnreservedMarks, kSubDelimiters};
constexpr AsciiSet kPath = {kLetters, kDigits, kUnreservedMarks, kSubDelimiters, ":@/"};
constexpr AsciiSet kQuery = {kLetters, kDigits, kUnreservedMarks, kSubDelimiters, ":@/?"};

/// What stands above ASCII in a component.
enum class Beyond : std::uint8_t { nothing, ucschar, ucschar_or_iprivate };

/// *( allowed / pct-encoded / beyond )
bool consists_of(std::string_view text, const AsciiSet& allowed, Beyond beyond) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (allowed.contains(c)) {
      ++at;
    } else if (c == '%') {
      if (!percent_encoded_at(text, at)) return false;
      at += 3;
    } else {
      if (is_ascii(c) || beyond == Beyond::nothing) return false;
      const Utf8CodePoint point = decode_utf8(text.substr(at));
      const bool fits = is_ucschar(point.value) ||
                        (beyond == Beyond::ucschar_or_iprivate && is_iprivate(point.value));
      if (!fits) return false;
      at += point.size;
    }
  }
  return true;
}

bool scheme(std::string_view text) {
  if (text.empty() || !is_alpha(text.front())) return false;
  for (const char c : text) {
    if (!kSchemeCharacters.contains(c)) return false;
  }
  return true;
}

/// IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
bool future_address(std::string_view text) {
  if (text.empty() || to_lower(text.front()) != 'v') return false;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot < 2 || dot + 1 == text.size()) return false;
  for (const char c : text.substr(1, dot - 1)) {
    if (!is_hex_digit(c)) return false;
  }
  for (const char c : text.substr(dot + 1)) {
    if (!kUserInfo.contains(c)) return false;
  }
  return true;
}

/// What follows the host: nothing, or ":" and a port of any number of digits.
bool port(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != ':') return false;
  for (const char c : text.substr(1)) {
    if (!is_digit(c)) return false;
  }
  return true;
}

/// [ userinfo "@" ] host [ ":" port ]
bool authority(std::string_view text, Beyond beyond) {
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    if (!consists_of(text.substr(0, at), kUserInfo, beyond)) return false;
    text.remove_prefix(at + 1);
  }
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view literal = text.substr(1, end - 1);
    return (ipv6(literal) || future_address(literal)) && port(text.substr(end + 1));
  }
  const std::size_t colon = std::min(text.find(':'), text.size());
  return consists_of(text.substr(0, colon), kRegisteredName, beyond) && port(text.substr(colon));
}

enum class Kind : std::uint8_t { absolute, reference };

bool identifier(std::string_view text, Kind kind, bool international) {
  const Beyond beyond = international ? Beyond::ucschar : Beyond::nothing;
  const Beyond in_query = international ? Beyond::ucschar_or_iprivate : Beyond::nothing;

  // A colon before any "/", "?" or "#" ends a scheme: the first segment of a relative reference
  // holds none (path-noscheme).
  const std::size_t first = text.find_first_of(":/?#");
  if (first != std::string_view::npos && text[first] == ':') {
    if (!scheme(text.substr(0, first))) return false;
    text.remove_prefix(first + 1);
  } else if (kind == Kind::absolute) {
    return false;
  }
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    if (!consists_of(text.substr(hash + 1), kQuery, beyond)) return false;
    text = text.substr(0, hash);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    if (!consists_of(text.substr(mark + 1), kQuery, in_query)) return false;
    text = text.substr(0, mark);
  }
  if (text.starts_with("//")) {
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find('/'), text.size());
    if (!authority(text.substr(0, end), beyond)) return false;
    text.remove_prefix(end);
  }
  return consists_of(text, kPath, beyond);
}

}  // namespace

bool uri(std::string_view text) {
  return identifier(text, Kind::absolute, false);
}
bool uri_reference(std::string_view text) {
  return identifier(text, Kind::reference, false);
}
bool iri(std::string_view text) {
  return identifier(text, Kind::absolute, true);
}
bool iri_reference(std::string_view text) {
  return identifier(text, Kind::reference, true);
}

}  // namespace interline::schema::grammar

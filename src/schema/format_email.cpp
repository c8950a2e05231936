// Mail addresses: RFC 5321 section 4.1.2 (Mailbox) with the sizes of section 4.5.3.1, and RFC 6531
// section 3.3, which lets UTF-8 into both sides.
#include <string>

#include <unicode/errorcode.h>
#include <unicode/normalizer2.h>

#include "base/utf8.hpp"
#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"

namespace interline::schema::grammar {
namespace {

constexpr std::size_t kLocalPartOctets = 64;
/// No name of 253 characters takes more in UTF-8, in whatever normal form.
constexpr std::size_t kDomainOctets = 16'384;

/// RFC 5322 section 3.2.3: atext.
constexpr AsciiSet kAtom = {kLetters, kDigits, "!#$%&'*+-/=?^_`{|}~"};

/// RFC 6531 section 3.3: UTF8-non-ascii, which is any; the text is valid UTF-8.
enum class Beyond : std::uint8_t { nothing, utf8 };

bool fits(char c, Beyond beyond) {
  return is_ascii(c) ? kAtom.contains(c) : beyond == Beyond::utf8;
}

/// Dot-string, up to what cannot belong to it. How long it is; 0 if it is none.
std::size_t dot_string(std::string_view text, Beyond beyond) {
  std::size_t at = 0;
  bool dot = true;  // no atom since the last dot
  for (; at < text.size(); ++at) {
    if (text[at] == '.') {
      if (dot) return 0;
      dot = true;
    } else if (fits(text[at], beyond)) {
      dot = false;
    } else {
      break;
    }
  }
  return dot ? 0 : at;
}

/// Quoted-string with its quotes. How long it is; 0 if it is none.
std::size_t quoted_string(std::string_view text, Beyond beyond) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"') return at + 1;
    if (c == '\\') {  // quoted-pairSMTP: an ASCII graphic or space
      if (++at == text.size()) return 0;
      c = text[at];
      if (!is_ascii(c)) return 0;
    }
    if (is_ascii(c) ? c < 0x20 || c == 0x7F : beyond == Beyond::nothing) return 0;
  }
  return 0;
}

/// address-literal. IPv6 is the one tag that is registered for General-address-literal.
bool address_literal(std::string_view text) {
  if (text.size() < 2 || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  constexpr std::string_view kTag = "ipv6:";
  if (text.size() < kTag.size()) return false;
  for (std::size_t i = 0; i < kTag.size(); ++i) {
    if (to_lower(text[i]) != kTag[i]) return ipv4(text);
  }
  return ipv6(text.substr(kTag.size()));
}

/// A domain in Unicode need not be in NFC: mail programs normalize it before they look it up.
bool unicode_domain(std::string_view text) {
  if (text.size() > kDomainOctets) return false;
  icu::ErrorCode status;
  const icu::Normalizer2* const nfc = icu::Normalizer2::getNFCInstance(status);
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  if (status.isSuccess() && nfc->isNormalizedUTF8(piece, status) != 0) return idn_hostname(text);
  std::string normalized;
  icu::StringByteSink<std::string> sink(&normalized);
  nfc->normalizeUTF8(0, piece, sink, nullptr, status);
  return status.isSuccess() && idn_hostname(normalized);
}

bool mailbox(std::string_view text, Beyond beyond) {
  const bool quoted = text.starts_with('"');
  const std::size_t local = quoted ? quoted_string(text, beyond) : dot_string(text, beyond);
  if (local == 0 || local > kLocalPartOctets) return false;
  if (local == text.size() || text[local] != '@') return false;
  const std::string_view domain = text.substr(local + 1);
  if (domain.starts_with('[')) return address_literal(domain);
  if (beyond == Beyond::nothing || ascii_prefix(domain) == domain.size()) return ldh_name(domain);
  return unicode_domain(domain);
}

}  // namespace

bool email(std::string_view text) {
  return mailbox(text, Beyond::nothing);
}
bool idn_email(std::string_view text) {
  return mailbox(text, Beyond::utf8);
}

}  // namespace interline::schema::grammar

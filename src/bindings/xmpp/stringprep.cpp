#include "bindings/xmpp/stringprep.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/unorm2.h>
#include <unicode/usprep.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

namespace interline::xmpp {
namespace {

// NFKC turns one UTF-16 unit into 18 at most, and a UTF-8 byte is at most one unit.
constexpr std::size_t kUnits = kMaxJidPart * 18;
constexpr std::string_view kAcePrefix = "xn--";
constexpr int kMaxEndpointName = 64;  // code points

[[nodiscard]] std::unexpected<Error> refused(const char* why) {
  return fail(ErrorKind::malformed, why);
}

const UStringPrepProfile* open_profile(UStringPrepProfileType type) {
  UErrorCode status = U_ZERO_ERROR;
  const UStringPrepProfile* profile = usprep_openByType(type, &status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU lacks its stringprep profiles");
  return profile;
}

// ICU keeps profiles for the life of the process and reads them from any thread.
const UStringPrepProfile* nodeprep() {
  static const UStringPrepProfile* const profile = open_profile(USPREP_RFC3920_NODEPREP);
  return profile;
}
const UStringPrepProfile* resourceprep() {
  static const UStringPrepProfile* const profile = open_profile(USPREP_RFC3920_RESOURCEPREP);
  return profile;
}
const UStringPrepProfile* nameprep() {
  static const UStringPrepProfile* const profile = open_profile(USPREP_RFC3491_NAMEPREP);
  return profile;
}

const UIDNA* uts46() {
  static const UIDNA* const idna = [] {
    UErrorCode status = U_ZERO_ERROR;
    // Non-transitional: an A-label of ß stays apart from "ss", as it is in the DNS.
    const UIDNA* opened = uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_UNICODE | UIDNA_CHECK_BIDI |
                                              UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII,
                                          &status);
    if (U_FAILURE(status)) throw std::runtime_error("ICU lacks UTS 46");
    return opened;
  }();
  return idna;
}

Result<std::u16string> to_utf16(std::string_view text) {
  if (text.size() > kMaxJidPart) return refused("part of the address is longer than 1023 bytes");
  std::u16string out(text.size(), u'\0');
  int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8(out.data(), static_cast<int32_t>(out.size()), &length, text.data(),
                static_cast<int32_t>(text.size()), &status);
  if (U_FAILURE(status)) return refused("address is not UTF-8");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

Result<std::string> to_utf8(std::u16string_view text) {
  std::string out(kMaxJidPart + 1, '\0');
  int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strToUTF8(out.data(), static_cast<int32_t>(out.size()), &length, text.data(),
              static_cast<int32_t>(text.size()), &status);
  if (status == U_BUFFER_OVERFLOW_ERROR || (U_SUCCESS(status) && length > int32_t{kMaxJidPart})) {
    return refused("part of the address is longer than 1023 bytes");
  }
  if (U_FAILURE(status)) return refused("address is not Unicode text");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

Result<std::u16string> run(const UStringPrepProfile* profile, std::u16string_view text,
                           Unassigned unassigned) {
  std::u16string out(std::max<std::size_t>(text.size() * 18, 1), u'\0');
  UErrorCode status = U_ZERO_ERROR;
  UParseError where{};
  const int32_t length = usprep_prepare(
      profile, text.data(), static_cast<int32_t>(text.size()), out.data(),
      static_cast<int32_t>(std::min(out.size(), kUnits)),
      unassigned == Unassigned::allow ? USPREP_ALLOW_UNASSIGNED : USPREP_DEFAULT, &where, &status);
  if (U_FAILURE(status)) return refused("address has characters that stringprep prohibits");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

Result<std::string> prepare_once(const UStringPrepProfile* profile, std::string_view text,
                                 Unassigned unassigned) {
  auto wide = to_utf16(text);
  if (!wide) return std::unexpected(wide.error());
  auto prepared = run(profile, *wide, unassigned);
  if (!prepared) return std::unexpected(prepared.error());
  if (prepared->empty()) return refused("part of the address is empty");
  return to_utf8(*prepared);
}

Result<std::string> prepare_stable(const UStringPrepProfile* profile, std::string_view text,
                                   Unassigned unassigned) {
  auto once = prepare_once(profile, text, unassigned);
  if (!once || *once == text) return once;
  auto twice = prepare_once(profile, *once, unassigned);
  if (!twice) return twice;
  if (*twice != *once) return refused("address has no stable prepared form");
  return once;
}

constexpr bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// RFC 3920 appendix A.5 over printable ASCII: what nodeprep prohibits beyond stringprep's tables.
constexpr bool allowed_in_localpart(char c) {
  return c > ' ' && c < '\x7f' && std::string_view("\"&'/:<>@").find(c) == std::string_view::npos;
}
constexpr bool allowed_in_label(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}
constexpr bool allowed_in_ipv6(char c) {
  return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

/// UTS 46 ToUnicode of one label that nameprep has seen.
Result<std::u16string> label_to_unicode(std::u16string_view label) {
  std::array<char16_t, kMaxJidPart> out;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UErrorCode status = U_ZERO_ERROR;
  const int32_t length =
      uidna_labelToUnicode(uts46(), label.data(), static_cast<int32_t>(label.size()), out.data(),
                           static_cast<int32_t>(out.size()), &info, &status);
  if (U_FAILURE(status) || info.errors != 0) return refused("domain has a label outside of UTS 46");
  std::u16string decoded(out.data(), static_cast<std::size_t>(length));
  // UTS 46 alone would pass "@" and "/", which compatibility forms turn into.
  const bool host_name = std::ranges::all_of(
      decoded, [](char16_t c) { return c >= 0x80 || allowed_in_label(static_cast<char>(c)); });
  if (!host_name) return refused("domain has a character that host names cannot have");
  return decoded;
}

/// An A-label becomes its U-label, unless nameprep would respell that one (ß, final sigma,
/// joiners): then the A-label is its only spelling and stays.
Result<std::string> decode_a_label(std::string_view label) {
  auto wide = to_utf16(label);
  if (!wide) return std::unexpected(wide.error());
  auto decoded = label_to_unicode(*wide);
  if (!decoded) return std::unexpected(decoded.error());
  const bool has_non_ascii = std::ranges::any_of(*decoded, [](char16_t c) { return c >= 0x80; });
  if (!has_non_ascii) return refused("domain has an A-label of plain ASCII");
  auto prepared = run(nameprep(), *decoded, Unassigned::allow);
  if (!prepared || *prepared != *decoded) return std::string(label);
  return to_utf8(*decoded);
}

Result<std::string> prepare_label(std::string_view label, Unassigned unassigned) {
  if (label.empty()) return refused("domain has an empty label");
  std::string plain(label);
  if (!is_ascii(plain)) {
    auto named = prepare_once(nameprep(), plain, unassigned);
    if (!named) return named;
    plain = *std::move(named);
  }
  if (is_ascii(plain)) {
    std::ranges::transform(plain, plain.begin(), lower);
    if (!std::ranges::all_of(plain, allowed_in_label)) {
      return refused("domain has a character that host names cannot have");
    }
    return plain.starts_with(kAcePrefix) ? decode_a_label(plain) : Result<std::string>(plain);
  }
  auto wide = to_utf16(plain);
  if (!wide) return std::unexpected(wide.error());
  auto decoded = label_to_unicode(*wide);
  if (!decoded) return std::unexpected(decoded.error());
  return to_utf8(*decoded);
}

Result<std::string> prepare_ipv6(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  const std::string_view inner = std::string_view(out).substr(1, out.size() - 2);
  if (inner.size() < 2 || !std::ranges::all_of(inner, allowed_in_ipv6)) {
    return refused("domain is no IPv6 literal");
  }
  return out;
}

Result<std::string> prepare_domain_once(std::string_view text, Unassigned unassigned) {
  if (text.size() > kMaxJidPart) return refused("part of the address is longer than 1023 bytes");
  if (text.ends_with('.')) text.remove_suffix(1);
  if (text.starts_with('[') && text.ends_with(']')) return prepare_ipv6(text);
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    auto label = prepare_label(text.substr(begin, end - begin), unassigned);
    if (!label) return label;
    if (begin > 0) out += '.';
    out += *label;
    begin = end + 1;
  }
  if (out.size() > kMaxJidPart) return refused("part of the address is longer than 1023 bytes");
  return out;
}

/// RFC 8264 section 8: the code points of the PRECIS IdentifierClass that need no context, below
/// the lower-case and width mappings of RFC 8265 section 3.3.
bool precis_identifier(UChar32 c) {
  switch (u_charType(c)) {
    case U_LOWERCASE_LETTER:
    case U_OTHER_LETTER:
    case U_MODIFIER_LETTER:
    case U_DECIMAL_DIGIT_NUMBER:
    case U_NON_SPACING_MARK:
    case U_COMBINING_SPACING_MARK:
      break;
    default:
      return false;
  }
  return !u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) && u_tolower(c) == c;
}

bool is_nfkc(std::u16string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* nfkc = unorm2_getNFKCInstance(&status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU lacks NFKC");
  const UBool same =
      unorm2_isNormalized(nfkc, text.data(), static_cast<int32_t>(text.size()), &status);
  return U_SUCCESS(status) && same != 0;
}

}  // namespace

Result<std::string> prepare_localpart(std::string_view text, Unassigned unassigned) {
  if (text.empty()) return refused("address has an empty localpart");
  if (text.size() > kMaxJidPart) return refused("part of the address is longer than 1023 bytes");
  if (!is_ascii(text)) return prepare_stable(nodeprep(), text, unassigned);
  if (!std::ranges::all_of(text, allowed_in_localpart)) {
    return refused("localpart has a character that nodeprep prohibits");
  }
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

Result<std::string> prepare_resource(std::string_view text, Unassigned unassigned) {
  if (text.empty()) return refused("address has an empty resource");
  if (text.size() > kMaxJidPart) return refused("part of the address is longer than 1023 bytes");
  if (!is_ascii(text)) return prepare_stable(resourceprep(), text, unassigned);
  if (!std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; })) {
    return refused("resource has a character that resourceprep prohibits");
  }
  return std::string(text);
}

Result<std::string> prepare_domain(std::string_view text, Unassigned unassigned) {
  auto once = prepare_domain_once(text, unassigned);
  if (!once || *once == text) return once;
  auto twice = prepare_domain_once(*once, unassigned);
  if (!twice) return twice;
  if (*twice != *once) return refused("address has no stable prepared form");
  return once;
}

bool stable_in_both_profiles(std::string_view name) {
  auto prepared = prepare_localpart(name, Unassigned::refuse);
  if (!prepared || *prepared != name) return false;
  auto wide = to_utf16(name);
  if (!wide || !is_nfkc(*wide)) return false;
  const auto length = static_cast<int32_t>(wide->size());
  int points = 0;
  for (int32_t i = 0; i < length; ++points) {
    UChar32 c = 0;
    U16_NEXT(wide->data(), i, length, c);
    const bool ascii = c < 0x80;
    if (ascii ? !(allowed_in_label(static_cast<char>(c)) || c == '.') : !precis_identifier(c)) {
      return false;
    }
  }
  // The Bidi Rule (RFC 5893) and contexts of joiners, by reading the name as a host name.
  return points <= kMaxEndpointName &&
         (is_ascii(name) || prepare_domain(name, Unassigned::refuse) == *prepared);
}

}  // namespace interline::xmpp

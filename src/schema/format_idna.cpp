#include "schema/format_idna.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

#include "schema/format_punycode.hpp"

namespace interline::schema {
namespace {

enum class Derived : std::uint8_t { pvalid, contextj, contexto, disallowed };

struct Exception {
  char32_t first;
  char32_t last;
  Derived derived;
};

/// RFC 5892 section 2.6. Sorted by code point.
constexpr std::array kExceptions = {
    Exception{0x00B7, 0x00B7, Derived::contexto},    // MIDDLE DOT
    Exception{0x00DF, 0x00DF, Derived::pvalid},      // LATIN SMALL LETTER SHARP S
    Exception{0x0375, 0x0375, Derived::contexto},    // GREEK LOWER NUMERAL SIGN
    Exception{0x03C2, 0x03C2, Derived::pvalid},      // GREEK SMALL LETTER FINAL SIGMA
    Exception{0x05F3, 0x05F4, Derived::contexto},    // HEBREW PUNCTUATION GERESH, GERSHAYIM
    Exception{0x0640, 0x0640, Derived::disallowed},  // ARABIC TATWEEL
    Exception{0x0660, 0x0669, Derived::contexto},    // ARABIC-INDIC DIGITS
    Exception{0x06F0, 0x06F9, Derived::contexto},    // EXTENDED ARABIC-INDIC DIGITS
    Exception{0x06FD, 0x06FE, Derived::pvalid},  // ARABIC SIGN SINDHI AMPERSAND, POSTPOSITION MEN
    Exception{0x07FA, 0x07FA, Derived::disallowed},  // NKO LAJANYALAN
    Exception{0x0F0B, 0x0F0B, Derived::pvalid},      // TIBETAN MARK INTERSYLLABIC TSHEG
    Exception{0x3007, 0x3007, Derived::pvalid},      // IDEOGRAPHIC NUMBER ZERO
    Exception{0x302E, 0x302F, Derived::disallowed},  // HANGUL TONE MARKS
    Exception{0x3031, 0x3035, Derived::disallowed},  // VERTICAL KANA REPEAT MARKS
    Exception{0x303B, 0x303B, Derived::disallowed},  // VERTICAL IDEOGRAPHIC ITERATION MARK
    Exception{0x30FB, 0x30FB, Derived::contexto},    // KATAKANA MIDDLE DOT
};

UChar32 icu(char32_t c) {
  return static_cast<UChar32>(c);
}

bool has(char32_t c, UProperty property) {
  return u_hasBinaryProperty(icu(c), property) != 0;
}

/// RFC 5892 section 2.5.
bool in_ignorable_block(char32_t c) {
  const UBlockCode block = ublock_getCode(icu(c));
  return block == UBLOCK_COMBINING_MARKS_FOR_SYMBOLS || block == UBLOCK_MUSICAL_SYMBOLS ||
         block == UBLOCK_ANCIENT_GREEK_MUSICAL_NOTATION;
}

/// RFC 5892 section 2.9.
bool is_old_hangul_jamo(char32_t c) {
  const int32_t type = u_getIntPropertyValue(icu(c), UCHAR_HANGUL_SYLLABLE_TYPE);
  return type == U_HST_LEADING_JAMO || type == U_HST_VOWEL_JAMO || type == U_HST_TRAILING_JAMO;
}

/// RFC 5892 section 3. Unassigned code points have general category Cn, so they end as disallowed,
/// which is what a label may not hold either. The category Unstable is the Unicode property
/// Changes_When_NFKC_Casefolded: the two differ on default ignorables only, which are disallowed.
Derived derive(char32_t c) {
  const auto* const row = std::ranges::lower_bound(kExceptions, c, {}, &Exception::last);
  if (row != kExceptions.end() && row->first <= c) return row->derived;
  if (c < 0x80) {
    const bool ldh = c == U'-' || (c >= U'0' && c <= U'9') || (c >= U'a' && c <= U'z');
    return ldh ? Derived::pvalid : Derived::disallowed;
  }
  if (has(c, UCHAR_JOIN_CONTROL)) return Derived::contextj;
  constexpr std::uint32_t kLetterDigits = U_GC_LL_MASK | U_GC_LU_MASK | U_GC_LO_MASK |
                                          U_GC_ND_MASK | U_GC_LM_MASK | U_GC_MN_MASK | U_GC_MC_MASK;
  if ((U_GET_GC_MASK(icu(c)) & kLetterDigits) == 0) return Derived::disallowed;
  const bool excluded = has(c, UCHAR_CHANGES_WHEN_NFKC_CASEFOLDED) ||
                        has(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || in_ignorable_block(c) ||
                        is_old_hangul_jamo(c);
  return excluded ? Derived::disallowed : Derived::pvalid;
}

bool is_script(char32_t c, UScriptCode script) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(icu(c), &status) == script;
}

bool after_virama(std::u32string_view label, std::size_t at) {
  constexpr std::uint8_t kVirama = 9;
  return at > 0 && u_getCombiningClass(icu(label[at - 1])) == kVirama;
}

int32_t joining_type(char32_t c) {
  return u_getIntPropertyValue(icu(c), UCHAR_JOINING_TYPE);
}

/// RFC 5892 appendix A.1: (Joining_Type:{L,D})(Joining_Type:T)* ZWNJ (T)*(Joining_Type:{R,D})
bool joins_on_both_sides(std::u32string_view label, std::size_t at) {
  std::size_t left = at;
  while (left > 0 && joining_type(label[left - 1]) == U_JT_TRANSPARENT) --left;
  if (left == 0) return false;
  const int32_t before = joining_type(label[left - 1]);
  if (before != U_JT_LEFT_JOINING && before != U_JT_DUAL_JOINING) return false;
  std::size_t right = at + 1;
  while (right < label.size() && joining_type(label[right]) == U_JT_TRANSPARENT) ++right;
  if (right == label.size()) return false;
  const int32_t after = joining_type(label[right]);
  return after == U_JT_RIGHT_JOINING || after == U_JT_DUAL_JOINING;
}

bool any_in(std::u32string_view label, char32_t first, char32_t last) {
  return std::ranges::any_of(label, [=](char32_t c) { return c >= first && c <= last; });
}

/// RFC 5892 appendix A: whether the contextual rule of the character at `at` holds.
bool context_holds(std::u32string_view label, std::size_t at) {
  const char32_t c = label[at];
  const char32_t before = at > 0 ? label[at - 1] : U'\0';
  const char32_t after = at + 1 < label.size() ? label[at + 1] : U'\0';
  switch (c) {
    case 0x200C:  // A.1 ZERO WIDTH NON-JOINER
      return after_virama(label, at) || joins_on_both_sides(label, at);
    case 0x200D:  // A.2 ZERO WIDTH JOINER
      return after_virama(label, at);
    case 0x00B7:  // A.3 MIDDLE DOT
      return before == U'l' && after == U'l';
    case 0x0375:  // A.4 GREEK LOWER NUMERAL SIGN
      return is_script(after, USCRIPT_GREEK);
    case 0x05F3:  // A.5 HEBREW PUNCTUATION GERESH
    case 0x05F4:  // A.6 HEBREW PUNCTUATION GERSHAYIM
      return is_script(before, USCRIPT_HEBREW);
    case 0x30FB:  // A.7 KATAKANA MIDDLE DOT
      return std::ranges::any_of(label, [](char32_t other) {
        return is_script(other, USCRIPT_HIRAGANA) || is_script(other, USCRIPT_KATAKANA) ||
               is_script(other, USCRIPT_HAN);
      });
    default:  // A.8, A.9: the two sets of Arabic-Indic digits do not mix
      return c <= 0x0669 ? !any_in(label, 0x06F0, 0x06F9) : !any_in(label, 0x0660, 0x0669);
  }
}

bool is_normalized(std::u32string_view label) {
  std::array<UChar, 2 * kLabelOctets> utf16;
  int32_t size = 0;
  for (const char32_t c : label) {
    U16_APPEND_UNSAFE(utf16.data(), size, icu(c));
  }
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* const nfc = unorm2_getNFCInstance(&status);
  const UBool normalized = unorm2_isNormalized(nfc, utf16.data(), size, &status);
  return U_SUCCESS(status) && normalized != 0;
}

UCharDirection direction(char32_t c) {
  return u_charDirection(icu(c));
}

bool is_right_to_left(char32_t c) {
  const UCharDirection d = direction(c);
  return d == U_RIGHT_TO_LEFT || d == U_RIGHT_TO_LEFT_ARABIC || d == U_ARABIC_NUMBER;
}

bool is_neutral(UCharDirection d) {
  return d == U_EUROPEAN_NUMBER_SEPARATOR || d == U_COMMON_NUMBER_SEPARATOR ||
         d == U_EUROPEAN_NUMBER_TERMINATOR || d == U_OTHER_NEUTRAL || d == U_BOUNDARY_NEUTRAL ||
         d == U_DIR_NON_SPACING_MARK;
}

}  // namespace

bool is_unicode_label(std::u32string_view label) {
  if (label.empty() || label.size() > kLabelOctets) return false;
  if (label.front() == U'-' || label.back() == U'-') return false;
  if (label.size() >= 4 && label[2] == U'-' && label[3] == U'-') return false;
  if ((U_GET_GC_MASK(icu(label.front())) & U_GC_M_MASK) != 0) return false;
  for (std::size_t at = 0; at < label.size(); ++at) {
    const Derived derived = derive(label[at]);
    if (derived == Derived::disallowed) return false;
    if (derived != Derived::pvalid && !context_holds(label, at)) return false;
  }
  return is_normalized(label);
}

bool is_right_to_left(std::u32string_view label) {
  return std::ranges::any_of(label, [](char32_t c) { return is_right_to_left(c); });
}

bool satisfies_bidi_rule(std::u32string_view label) {
  if (label.empty()) return false;
  const UCharDirection first = direction(label.front());
  const bool right_to_left = first == U_RIGHT_TO_LEFT || first == U_RIGHT_TO_LEFT_ARABIC;
  if (!right_to_left && first != U_LEFT_TO_RIGHT) return false;

  bool european = false;
  bool arabic = false;
  bool may_end = false;
  for (const char32_t c : label) {
    const UCharDirection d = direction(c);
    const bool letter =
        right_to_left ? d == U_RIGHT_TO_LEFT || d == U_RIGHT_TO_LEFT_ARABIC : d == U_LEFT_TO_RIGHT;
    const bool number = d == U_EUROPEAN_NUMBER || (right_to_left && d == U_ARABIC_NUMBER);
    if (!letter && !number && !is_neutral(d)) return false;
    european = european || d == U_EUROPEAN_NUMBER;
    arabic = arabic || d == U_ARABIC_NUMBER;
    if (d != U_DIR_NON_SPACING_MARK) may_end = letter || number;
  }
  return may_end && !(right_to_left && european && arabic);
}

}  // namespace interline::schema

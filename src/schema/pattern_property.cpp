#include "schema/pattern_property.hpp"

#include <memory>
#include <stdexcept>
#include <string>

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

namespace interline::schema::pattern {
namespace {

struct BinaryProperty {
  std::string_view name;
  std::string_view alias;  ///< the name itself where there is no alias
  UProperty property;
};

// ECMA-262 (2023), table "Binary Unicode property aliases and their canonical property names", row
// for row; Any, ASCII and Assigned are not ICU's and stand in property_set().
constexpr BinaryProperty kBinaryProperties[] = {
    {"ASCII_Hex_Digit", "AHex", UCHAR_ASCII_HEX_DIGIT},
    {"Alphabetic", "Alpha", UCHAR_ALPHABETIC},
    {"Bidi_Control", "Bidi_C", UCHAR_BIDI_CONTROL},
    {"Bidi_Mirrored", "Bidi_M", UCHAR_BIDI_MIRRORED},
    {"Case_Ignorable", "CI", UCHAR_CASE_IGNORABLE},
    {"Cased", "Cased", UCHAR_CASED},
    {"Changes_When_Casefolded", "CWCF", UCHAR_CHANGES_WHEN_CASEFOLDED},
    {"Changes_When_Casemapped", "CWCM", UCHAR_CHANGES_WHEN_CASEMAPPED},
    {"Changes_When_Lowercased", "CWL", UCHAR_CHANGES_WHEN_LOWERCASED},
    {"Changes_When_NFKC_Casefolded", "CWKCF", UCHAR_CHANGES_WHEN_NFKC_CASEFOLDED},
    {"Changes_When_Titlecased", "CWT", UCHAR_CHANGES_WHEN_TITLECASED},
    {"Changes_When_Uppercased", "CWU", UCHAR_CHANGES_WHEN_UPPERCASED},
    {"Dash", "Dash", UCHAR_DASH},
    {"Default_Ignorable_Code_Point", "DI", UCHAR_DEFAULT_IGNORABLE_CODE_POINT},
    {"Deprecated", "Dep", UCHAR_DEPRECATED},
    {"Diacritic", "Dia", UCHAR_DIACRITIC},
    {"Emoji", "Emoji", UCHAR_EMOJI},
    {"Emoji_Component", "EComp", UCHAR_EMOJI_COMPONENT},
    {"Emoji_Modifier", "EMod", UCHAR_EMOJI_MODIFIER},
    {"Emoji_Modifier_Base", "EBase", UCHAR_EMOJI_MODIFIER_BASE},
    {"Emoji_Presentation", "EPres", UCHAR_EMOJI_PRESENTATION},
    {"Extended_Pictographic", "ExtPict", UCHAR_EXTENDED_PICTOGRAPHIC},
    {"Extender", "Ext", UCHAR_EXTENDER},
    {"Grapheme_Base", "Gr_Base", UCHAR_GRAPHEME_BASE},
    {"Grapheme_Extend", "Gr_Ext", UCHAR_GRAPHEME_EXTEND},
    {"Hex_Digit", "Hex", UCHAR_HEX_DIGIT},
    {"IDS_Binary_Operator", "IDSB", UCHAR_IDS_BINARY_OPERATOR},
    {"IDS_Trinary_Operator", "IDST", UCHAR_IDS_TRINARY_OPERATOR},
    {"ID_Continue", "IDC", UCHAR_ID_CONTINUE},
    {"ID_Start", "IDS", UCHAR_ID_START},
    {"Ideographic", "Ideo", UCHAR_IDEOGRAPHIC},
    {"Join_Control", "Join_C", UCHAR_JOIN_CONTROL},
    {"Logical_Order_Exception", "LOE", UCHAR_LOGICAL_ORDER_EXCEPTION},
    {"Lowercase", "Lower", UCHAR_LOWERCASE},
    {"Math", "Math", UCHAR_MATH},
    {"Noncharacter_Code_Point", "NChar", UCHAR_NONCHARACTER_CODE_POINT},
    {"Pattern_Syntax", "Pat_Syn", UCHAR_PATTERN_SYNTAX},
    {"Pattern_White_Space", "Pat_WS", UCHAR_PATTERN_WHITE_SPACE},
    {"Quotation_Mark", "QMark", UCHAR_QUOTATION_MARK},
    {"Radical", "Radical", UCHAR_RADICAL},
    {"Regional_Indicator", "RI", UCHAR_REGIONAL_INDICATOR},
    {"Sentence_Terminal", "STerm", UCHAR_S_TERM},
    {"Soft_Dotted", "SD", UCHAR_SOFT_DOTTED},
    {"Terminal_Punctuation", "Term", UCHAR_TERMINAL_PUNCTUATION},
    {"Unified_Ideograph", "UIdeo", UCHAR_UNIFIED_IDEOGRAPH},
    {"Uppercase", "Upper", UCHAR_UPPERCASE},
    {"Variation_Selector", "VS", UCHAR_VARIATION_SELECTOR},
    {"White_Space", "space", UCHAR_WHITE_SPACE},
    {"XID_Continue", "XIDC", UCHAR_XID_CONTINUE},
    {"XID_Start", "XIDS", UCHAR_XID_START},
};

struct CloseUSet {
  void operator()(USet* set) const { uset_close(set); }
};

void require(UErrorCode status) {
  // Only missing or broken ICU data gets here: nothing an expression can cause.
  if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU: ") + u_errorName(status));
}

CodePointSet from_icu(const USet* set) {
  std::vector<CodePointRange> ranges;
  const int count = uset_getRangeCount(set);
  ranges.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    UChar32 first = 0;
    UChar32 last = 0;
    UErrorCode status = U_ZERO_ERROR;
    uset_getItem(set, i, &first, &last, nullptr, 0, &status);
    require(status);
    ranges.push_back({static_cast<char32_t>(first), static_cast<char32_t>(last)});
  }
  return CodePointSet(std::move(ranges));
}

CodePointSet with_value(UProperty property, std::int32_t value) {
  const std::unique_ptr<USet, CloseUSet> set(uset_openEmpty());
  UErrorCode status = U_ZERO_ERROR;
  uset_applyIntPropertyValue(set.get(), property, value, &status);
  require(status);
  return from_icu(set.get());
}

/// The value of that exact name, by any of the aliases of PropertyValueAliases.txt. (ICU's own
/// look-up ignores case, spaces, hyphens and underscores.)
std::optional<std::int32_t> value_named(UProperty property, const std::string& name) {
  const std::int32_t value = u_getPropertyValueEnum(property, name.c_str());
  if (value == UCHAR_INVALID_CODE) return std::nullopt;
  for (int choice = U_SHORT_PROPERTY_NAME;; ++choice) {
    const char* alias =
        u_getPropertyValueName(property, value, static_cast<UPropertyNameChoice>(choice));
    if (alias != nullptr && name == alias) return value;
    if (alias == nullptr && choice > U_LONG_PROPERTY_NAME) return std::nullopt;
  }
}

std::optional<CodePointSet> general_category(const std::string& value) {
  const auto mask = value_named(UCHAR_GENERAL_CATEGORY_MASK, value);
  if (!mask) return std::nullopt;
  return with_value(UCHAR_GENERAL_CATEGORY_MASK, *mask);
}

std::optional<CodePointSet> script(UProperty property, const std::string& value) {
  const auto code = value_named(UCHAR_SCRIPT, value);
  if (!code) return std::nullopt;
  CodePointSet set = with_value(property, *code);
  // ICU also knows codes of ISO 15924 that are no Script value of Unicode's (Jpan, Hans). No code
  // point has them; of the real values that holds for Katakana_Or_Hiragana alone.
  if (set.ranges().empty() && *code != USCRIPT_KATAKANA_OR_HIRAGANA) return std::nullopt;
  return set;
}

}  // namespace

std::optional<CodePointSet> property_set(std::string_view name) {
  if (name == "Any") return CodePointSet({{0, kLastCodePoint}});
  if (name == "ASCII") return CodePointSet({{0, 0x7F}});
  if (name == "Assigned") return property_set("Cn")->complement();
  for (const BinaryProperty& row : kBinaryProperties) {
    if (name != row.name && name != row.alias) continue;
    UErrorCode status = U_ZERO_ERROR;
    const USet* set = u_getBinaryPropertySet(row.property, &status);
    require(status);
    return from_icu(set);
  }
  return general_category(std::string(name));
}

std::optional<CodePointSet> property_set(std::string_view name, std::string_view value) {
  if (name == "General_Category" || name == "gc") return general_category(std::string(value));
  if (name == "Script" || name == "sc") return script(UCHAR_SCRIPT, std::string(value));
  if (name == "Script_Extensions" || name == "scx") {
    return script(UCHAR_SCRIPT_EXTENSIONS, std::string(value));
  }
  return std::nullopt;
}

bool is_identifier_start(char32_t code_point) {
  return code_point == '$' || code_point == '_' ||
         u_hasBinaryProperty(static_cast<UChar32>(code_point), UCHAR_ID_START) != 0;
}

bool is_identifier_part(char32_t code_point) {
  constexpr char32_t kZeroWidthNonJoiner = 0x200C;
  constexpr char32_t kZeroWidthJoiner = 0x200D;
  return code_point == '$' || code_point == kZeroWidthNonJoiner || code_point == kZeroWidthJoiner ||
         u_hasBinaryProperty(static_cast<UChar32>(code_point), UCHAR_ID_CONTINUE) != 0;
}

}  // namespace interline::schema::pattern

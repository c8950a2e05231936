// The grammar of ECMA-262 (2023) 22.2.1 with [UnicodeMode] and [NamedCaptureGroups], and its early
// errors (22.2.1.1).
#include "schema/pattern_syntax.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace interline::schema::pattern {
namespace {

std::string error_of(std::string_view expression) {
  const auto syntax = parse(expression, {});
  if (syntax) return "";
  EXPECT_FALSE(syntax.error().too_large) << expression;
  EXPECT_LE(syntax.error().offset, expression.size()) << expression;
  return syntax.error().message;
}

template <class... Expressions>
void expect_valid(Expressions... expressions) {
  for (const std::string_view expression : {std::string_view(expressions)...}) {
    EXPECT_EQ(error_of(expression), "") << expression;
  }
}

template <class... Expressions>
void expect_error(std::string_view message, Expressions... expressions) {
  for (const std::string_view expression : {std::string_view(expressions)...}) {
    EXPECT_EQ(error_of(expression), message) << expression;
  }
}

TEST(Ecma262_22_2_1_Disjunction, MayBeEmptyAnywhere) {
  expect_valid("", "|", "||", "a|", "|a", "()", "(|)", "(?:)", "(?=)", "(?<!|)");
}

TEST(Ecma262_22_2_1_PatternCharacter, IsAnyButSyntaxCharacters) {
  expect_valid("a", "-", "/", ",", ":", "=", "!", "<", ">", "\n", "\u2028", "é", "日本", "😀",
               std::string_view("\0", 1));
  expect_error("a closing bracket or brace stands alone; escape it", "]", "}", "a]", "a}", "a{1}}");
  expect_error("a quantifier has nothing to repeat", "*", "+", "?", "{", "{1}", "|*", "(*)",
               "(?:+)", "a**", "a+*", "a{1}{2}", "a?{1}", "a???", "x{1}?{2}");
}

TEST(Ecma262_22_2_1_Quantifier, Forms) {
  expect_valid("a*", "a+", "a?", "a{0}", "a{1}", "a{1,}", "a{1,2}", "a{007,8}", "a*?", "a+?", "a??",
               "a{1}?", "a{1,}?", "a{1,2}?", "(a)*", "(?:a)*", "[a]*", ".*", "\\d*", "\\p{L}*",
               "\\u{61}*", "(a)\\1*", "(?<n>a)\\k<n>*", "a{99999999999999999999}");
  expect_error("a brace opens no quantifier; escape it", "a{", "a{}", "a{,}", "a{,1}", "a{1",
               "a{1,", "a{1,2", "a{a}", "a{ 1}", "a{1 }", "a{1, 2}", "a{-1}", "a{1,2,3}");
}

TEST(Ecma262_22_2_1_1_EarlyErrors, QuantifierOutOfOrder) {
  expect_valid("a{2,2}", "a{0,0}", "a{02,2}", "a{2,02}",
               "a{99999999999999999998,99999999999999999999}");
  expect_error("a quantifier's maximum is below its minimum", "a{2,1}", "a{1,0}", "a{10,9}",
               "a{99999999999999999999,99999999999999999998}", "a{99999999999999999999,5}");
}

TEST(Ecma262_22_2_1_Assertion, CannotBeRepeatedInUnicodeMode) {
  expect_valid("^", "$", "\\b", "\\B", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "^^", "$$", "(?:^)*");
  expect_error("a quantifier has nothing to repeat", "^*", "$+", "\\b?", "\\B{1}", "(?=a)*",
               "(?!a)+", "(?<=a)?", "(?<!a){2}");
}

TEST(Ecma262_22_2_1_Atom, Groups) {
  expect_valid("(a)", "(?:a)", "(?<a>a)", "((((a))))", "(?=(?!(?<=(?<!a))))");
  expect_error("the group is not closed", "(", "(a", "((a)", "(?:", "(?=a", "(?<n>a");
  expect_error("a closing parenthesis has no opening one", ")", "a)", "(a))");
  expect_error("the group is of no known kind", "(?", "(?)", "(?a)", "(?i:a)", "(?-i:a)", "(?#a)",
               "(?>a)", "(?|a)", "(?P<n>a)", "(?'n'a)", "(? :a)");
}

TEST(Ecma262_22_2_1_GroupName, IsARegExpIdentifierName) {
  expect_valid("(?<a>)", "(?<a1>)", "(?<$>)", "(?<_>)", "(?<$_1>)", "(?<é>)", "(?<日本>)", "(?<𝒜>)",
               "(?<\\u0061>)", "(?<\\u{61}>)", "(?<\\u{1d49c}>)", "(?<\\uD835\\uDC9C>)",
               "(?<a\\u200D>)", "(?<a\u200C>)", "(?<a\\u{31}>)");
  expect_error("the group's name is not an identifier", "(?<1>)", "(?<a b>)", "(?<-a>)", "(?<a->)",
               "(?<\\x61>)", "(?<\u200D>)", "(?<😀>)", "(?<\\uD835>)", "(?<\\u{20}>)", "(?< a>)");
  expect_error("the group's name is empty", "(?<>)");
  expect_error("the group's name is not closed", "(?<", "(?<a", "(?<abc");
}

TEST(Ecma262_22_2_1_1_EarlyErrors, DuplicateGroupNames) {
  expect_error("two groups have the same name", "(?<a>)(?<a>)", "(?<a>(?<a>))", "(?<a>)|(?<a>)",
               "(?<a>)(?<\\u{61}>)");
  expect_valid("(?<a>)(?<A>)");
}

TEST(Ecma262_22_2_1_BackReference, NamesAnExistingGroup) {
  expect_valid("(a)\\1", "\\1(a)", "(a\\1)", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10", "(?<n>)\\k<n>",
               "\\k<n>(?<n>)", "(?<n>)\\1", "(?<\\u{61}>)\\k<a>", "(?<a>)\\k<\\u0061>");
  expect_error("a back-reference's number is above the number of groups", "\\1", "(a)\\2",
               "(?:a)\\1", "(a)\\10", "\\99999999999999999999");
  expect_error("a back-reference names a group that does not exist", "\\k<n>", "(?<a>)\\k<b>");
  expect_error("\\k names no group", "\\k", "\\ka", "(?<n>)\\k");
  expect_error("the group's name is not closed", "(?<n>)\\k<", "(?<n>)\\k<n");
}

TEST(Ecma262_22_2_1_CharacterEscape, Forms) {
  expect_valid("\\f\\n\\r\\t\\v", "\\cA\\cz", "\\0", "\\0a", "\\x00\\xfF", "\\u0000\\uFfFf",
               "\\u{0}\\u{10FFFF}\\u{0000000000000061}", "\\uD83D\\uDE00", "\\uD83D", "\\uDE00",
               "\\uD83Da", "\\uD83D\\u0061");
  expect_error("octal escapes are not allowed", "\\00", "\\01", "\\07", "\\09", "[\\00]");
  expect_error("\\c needs a letter", "\\c", "\\c1", "\\c_", "\\cé", "[\\c]", "[\\c1]");
  expect_error("\\x needs two hexadecimal digits", "\\x", "\\x1", "\\xg0", "\\x0g", "[\\x1]");
  expect_error("\\u needs four hexadecimal digits, or braces", "\\u", "\\u1", "\\u123", "\\u123g");
  expect_error("\\u{ needs hexadecimal digits and }", "\\u{", "\\u{}", "\\u{1", "\\u{g}", "\\u{ 1}",
               "\\u{1_0}");
  expect_error("the code point is above 10FFFF", "\\u{110000}", "\\u{FFFFFFFFFFFFFFFFFF}");
  expect_error("a backslash ends the expression", "\\", "a\\", "(\\");
}

TEST(Ecma262_22_2_1_IdentityEscape, IsForSyntaxCharactersAlone) {
  expect_valid("\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/",
               "[\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/]");
  expect_error("the escape has no meaning", "\\-", "\\a", "\\e", "\\g", "\\_", "\\ ", "\\:", "\\,",
               "\\\"", "\\'", "\\@", "\\%", "\\&", "\\<", "\\=", "\\A", "\\z", "\\Z", "\\Q", "\\G",
               "\\R", "\\h", "\\é", "\\😀", "\\\n", "[\\a]", "[\\B]", "[\\k]", "[\\1]", "[\\8]");
}

TEST(Ecma262_22_2_1_CharacterClass, Forms) {
  expect_valid("[]", "[^]", "[a]", "[^a]", "[a-z]", "[-]", "[-a]", "[a-]", "[^-a]", "[a-b-c]",
               "[--a]", "[+--]", "[[]", "[.*+?(){}|$]", "[a^]", "[\\b]", "[\\-]", "[\\d-]",
               "[-\\d]", "[\\]]", "[\\u{61}-\\u{7A}]", "[\\uD83D\\uDE00-\\uD83D\\uDE4F]", "[😀-😏]",
               "[\\0]", "[\\cA]", "[\n]", "[a-a]", "[\\p{L}\\P{L}]", "[&&]", "[!--]");
  expect_error("the class is not closed", "[", "[a", "[^", "[a-", "[^a", "[\\]");
  expect_error("a backslash ends the expression", "[a\\");
}

TEST(Ecma262_22_2_1_1_EarlyErrors, RangesInClasses) {
  expect_error("a range of characters ends before it begins", "[b-a]", "[a--]", "[\\u{62}-a]",
               "[😏-😀]", "[\\uD83D\\uDE00-\\uD83D\\uDD00]");
  expect_error("a range of characters begins or ends with a set", "[\\d-a]", "[a-\\d]", "[\\d-\\w]",
               "[\\w--]", "[\\p{L}-z]", "[a-\\P{L}]");
}

TEST(Ecma262_22_2_1_UnicodePropertyEscape, SpellingIsExact) {
  expect_valid("\\p{L}", "\\p{Letter}", "\\p{gc=L}", "\\p{General_Category=Letter}", "\\p{LC}",
               "\\p{digit}", "\\p{punct}", "\\p{cntrl}", "\\p{Any}", "\\p{ASCII}", "\\p{Assigned}",
               "\\p{Alphabetic}", "\\p{Alpha}", "\\p{White_Space}", "\\p{space}",
               "\\p{Script=Greek}", "\\p{sc=Grek}", "\\p{Script_Extensions=Grek}", "\\p{scx=Greek}",
               "\\P{L}", "\\p{sc=Qaac}", "\\p{sc=Zinh}", "\\p{sc=Qaai}", "\\p{sc=Zzzz}",
               "\\p{IDST}");
  expect_error("ECMA-262 knows no such Unicode property", "\\p{}", "\\p{l}", "\\p{LETTER}",
               "\\p{letter}", "\\p{ L}", "\\p{L }", "\\p{Uppercase Letter}",
               "\\p{Uppercase-Letter}", "\\p{UppercaseLetter}", "\\p{L&}", "\\p{isL}",
               "\\p{IsGreek}", "\\p{Greek}", "\\p{InGreek}", "\\p{Block=Greek}", "\\p{gc}",
               "\\p{gc=}", "\\p{=L}", "\\p{gc=Greek}", "\\p{sc=L}", "\\p{sc=}",
               "\\p{Script=Greek=x}", "\\p{script=Greek}", "\\p{Age=5.0}",
               "\\p{Line_Break=Alphabetic}", "\\p{^L}", "\\p{Alphabetic=Y}", "\\p{L\n}",
               "\\p{sc=Jpan}", "\\p{sc=Hans}", "\\p{Other_Alphabetic}", "\\p{Hyphen}",
               "\\p{Expands_On_NFC}", "\\p{RGI_Emoji}", "\\p{Basic_Emoji}", "[\\p{Nope}]");
  expect_error("\\p and \\P need a property's name in braces", "\\p", "\\pL", "\\p{", "\\p{L",
               "\\P", "[\\p]", "[\\pL]");
}

TEST(Ecma262_22_2_1_UnicodePropertyEscape, HasNoNamesBeyondTheTable) {
  // V8 takes this alias, which PropertyAliases.txt has and ECMA-262's table has not.
  expect_error("ECMA-262 knows no such Unicode property", "\\p{WSpace}");
  // V8 refuses this value, which PropertyValueAliases.txt has: no character has it.
  expect_valid("\\p{sc=Hrkt}", "\\p{Script=Katakana_Or_Hiragana}");
}

TEST(PatternSyntax, RefusesWhatIsNotUtf8AtItsPlace) {
  for (const std::string_view bytes :
       {"ab\xFF", "ab\xC0\x80", "ab\xED\xA0\x80", "ab\xF0\x9F\x98"}) {
    const auto syntax = parse(bytes, {});
    ASSERT_FALSE(syntax.has_value());
    EXPECT_EQ(syntax.error().message, "the expression is not valid UTF-8");
    EXPECT_EQ(syntax.error().offset, 2U);
  }
}

TEST(PatternSyntax, ErrorsPointAtTheirPlace) {
  const auto offset_of = [](std::string_view expression) {
    const auto syntax = parse(expression, {});
    return syntax ? 999 : syntax.error().offset;
  };
  EXPECT_EQ(offset_of("ab*+"), 3U);
  EXPECT_EQ(offset_of("éé("), 4U);
  EXPECT_EQ(offset_of("ab[c"), 2U);
  EXPECT_EQ(offset_of("ab\\q"), 2U);
  EXPECT_EQ(offset_of("ab\\xz"), 2U);
  EXPECT_EQ(offset_of("ab\\u{110000}"), 2U);
  EXPECT_EQ(offset_of("[ab\\q]"), 3U);
  EXPECT_EQ(offset_of("[abz-a]"), 3U);
  EXPECT_EQ(offset_of("(a)\\2"), 3U);
  EXPECT_EQ(offset_of("ab\\p{Nope}"), 2U);
  EXPECT_EQ(offset_of("a{2,1}"), 1U);
}

TEST(PatternSyntax, DepthIsLimited) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  EXPECT_TRUE(parse(nested(100), {}).has_value());
  const auto deeper = parse(nested(101), {});
  ASSERT_FALSE(deeper.has_value());
  EXPECT_TRUE(deeper.error().too_large);
  EXPECT_EQ(deeper.error().offset, 100U);
  EXPECT_TRUE(parse(nested(500), {.depth = 100'000}).has_value());
  EXPECT_FALSE(parse(nested(501), {.depth = 100'000}).has_value());
}

TEST(PatternSyntax, LengthIsLimited) {
  EXPECT_TRUE(parse(std::string(4'096, 'a'), {}).has_value());
  const auto longer = parse(std::string(4'097, 'a'), {});
  ASSERT_FALSE(longer.has_value());
  EXPECT_TRUE(longer.error().too_large);
}

}  // namespace
}  // namespace interline::schema::pattern

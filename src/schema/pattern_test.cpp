// What expressions match, by clause of ECMA-262 (2023) 22.2.2. Each row is checked on every matcher
// that can decide it: through Pattern, and, where that is an automaton, by backtracking as well.
#include "schema/pattern.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "schema/pattern_backtrack.hpp"
#include "schema/pattern_syntax.hpp"

namespace interline::schema {
namespace {

constexpr std::size_t kSteps = 1'000'000;

Match search(const Pattern& pattern, std::string_view text) {
  std::size_t steps = kSteps;
  return pattern.search(text, steps);
}

Match search_by_backtracking(std::string_view expression, std::string_view text) {
  const auto syntax = pattern::parse(expression, {});
  std::size_t steps = kSteps;
  return pattern::build_backtrack(syntax.value()).search(text, steps);
}

void expect(Match expected, std::string_view expression,
            std::initializer_list<std::string_view> texts) {
  const auto compiled = Pattern::compile(expression);
  ASSERT_TRUE(compiled.has_value()) << expression << ": " << compiled.error().message;
  for (const std::string_view text : texts) {
    EXPECT_EQ(search(*compiled, text), expected) << expression << " on \"" << text << '"';
    EXPECT_EQ(search_by_backtracking(expression, text), expected)
        << expression << " on \"" << text << "\", by backtracking";
  }
}

void matches(std::string_view expression, std::initializer_list<std::string_view> texts) {
  expect(Match::yes, expression, texts);
}

void rejects(std::string_view expression, std::initializer_list<std::string_view> texts) {
  expect(Match::no, expression, texts);
}

TEST(Ecma262_22_2_7_2_RegExpBuiltinExec, SearchesFromEveryCodePoint) {
  matches("b", {"b", "ab", "ba", "aba", "😀b"});
  rejects("b", {"", "a", "B"});
  matches("", {"", "a"});
  matches("a*", {"", "b"});
  rejects("\\B", {"1😀a"});  // not between the halves of a surrogate pair
}

TEST(Ecma262_22_2_2_3_Disjunction, EitherAlternative) {
  matches("a|bc", {"a", "bc", "xbc"});
  rejects("a|bc", {"b", "c", ""});
  matches("^(?:a|ab)(?:c|bcd)(?:d*)$", {"abcd", "ac", "abc"});
  matches("^(?:|a)$", {"", "a"});
}

TEST(Ecma262_22_2_2_3_1_RepeatMatcher, Counts) {
  matches("^a{2,3}$", {"aa", "aaa"});
  rejects("^a{2,3}$", {"", "a", "aaaa"});
  matches("^a{2}$", {"aa"});
  rejects("^a{2}$", {"a", "aaa"});
  matches("^a{2,}$", {"aa", "aaaaa"});
  rejects("^a{2,}$", {"a"});
  matches("^a{0}$", {""});
  rejects("^a{0}$", {"a"});
  matches("^(?:a{0,2}b){2}$", {"bb", "abb", "aabab"});
  rejects("^(?:a{0,2}b){2}$", {"b", "aaabb"});
  matches("^(?:ab?){1,1000}$", {"ab", "aaab"});
  rejects("^(?:ab?){1,1000}$", {"", "abb"});
}

TEST(Ecma262_22_2_2_3_1_RepeatMatcher, GreedyAndLazyFindTheSameTexts) {
  for (const std::string_view expression :
       {"^a+b$", "^a+?b$", "^a*ab$", "^a*?ab$", "^(?:a|b)*b$", "^(?:a|b)*?b$", "^a{1,9}?b$"}) {
    matches(expression, {"ab", "aaab"});
    rejects(expression, {"a", "aba", ""});
  }
}

TEST(Ecma262_22_2_2_3_1_RepeatMatcher, EmptyIterationsEndTheLoop) {
  matches("^(?:a*)*$", {"", "aaa"});
  rejects("^(?:a*)*$", {"b", "ab"});
  matches("^(?:a*)+b$", {"b", "ab"});
  matches("^(?:a?){5}$", {"", "aaaaa"});
  rejects("^(?:a?){5}$", {"aaaaaa"});
  matches("(?:)*", {""});
  matches("^(?:|a)+$", {"", "aa"});
  // Note 4 of the clause: (z)((a+)?(b+)?(c))* on "zaacbbbcac" leaves \3 "a" and \4 unset.
  matches("^(z)((a+)?(b+)?(c))*\\3$", {"zaacbbbcaca"});
  rejects("^(z)((a+)?(b+)?(c))*\\4b$", {"zaacbbbcacbb"});
  matches("^(a*)*\\1$", {"", "aa"});
  matches("^(?:(a)|b)*\\1$", {"ab", "b", "aaa"});
}

TEST(Ecma262_22_2_2_3_1_RepeatMatcher, CapturesAreUnsetBeforeEachIteration) {
  matches("^(?:(a)|(b))*\\1\\2$", {"ab"
                                   "b",
                                   "ba"
                                   "a"});
  rejects("^(?:(a)|b)+\\1c$", {"abac"});  // the last iteration took b, so \1 is empty
  matches("^(?:(a)|b)+\\1c$", {"abc", "abaac"});
  matches("^(?:(?=(a))|b)*?\\1c$", {"c", "bc"});
}

TEST(Ecma262_22_2_2_4_Assertion, StartAndEndAreThoseOfTheText) {
  matches("^a$", {"a"});
  rejects("^a$", {"a\n", "\na", "a\nb", "b\na"});
  matches("a$", {"a", "ba"});
  rejects("a$", {"ab", "a\n"});
  rejects("a^", {"a", "aa"});
  rejects("$a", {"a", "aa"});
  matches("^$", {""});
  rejects("^$", {"a"});
  matches("(?:^|,)b(?:,|$)", {"b", "a,b", "b,c", "a,b,c"});
  rejects("(?:^|,)b(?:,|$)", {"ab", "bc", "a,bc"});
  matches("$^", {""});
  matches("^^a$$", {"a"});
  matches("(?:^a)|(?:b$)", {"ax", "xb"});
  rejects("(?:^a)|(?:b$)", {"xa", "bx"});
}

TEST(Ecma262_22_2_2_4_Assertion, WordBoundaries) {
  matches("\\bfoo\\b", {"foo", "a foo", "foo.",
                        "é"
                        "foo"
                        "é"});
  rejects("\\bfoo\\b", {"foos", "afoo", "foo_", "foo1"});
  matches("\\Bo\\B", {"foot", "xox"});
  rejects("\\Bo\\B", {"o", "fo", "of", "o x"});
  matches("\\B", {"", " ", "ab", "😀"});
  rejects("\\B", {"a"});
  rejects("\\b", {"", " ", "é"});
  matches("$\\b", {"a"});
  rejects("$\\b", {"a ", ""});
  matches("^\\b", {"a"});
  rejects("^\\b", {" a"});
  matches("a\\b\\b$", {"a"});
  rejects("a\\b\\B", {"a", "ab", "a b"});
}

TEST(Ecma262_22_2_2_4_Assertion, LookAhead) {
  matches("a(?=b)", {"ab"});
  rejects("a(?=b)", {"a", "ac", "ba"});
  matches("a(?!b)", {"a", "ac", "aba"});
  rejects("a(?!b)", {"ab", "b"});
  matches("^(?=.*\\d)(?=.*[a-z]).{4,}$", {"abc1", "1abc"});
  rejects("^(?=.*\\d)(?=.*[a-z]).{4,}$", {"abcd", "1234", "a1"});
  matches("^(?!.*\\.\\.)[a-z.]+$", {"a.b"});
  rejects("^(?!.*\\.\\.)[a-z.]+$", {"a..b"});
  // Captures made inside stay; there is no way back into a look-ahead (the clause's notes).
  matches("(?=(a+))a*b\\1", {"baaabac"});
  rejects("^(?=(a+))a*b\\1$", {"aaaba"});
  matches("^(?=(a+?))a*b\\1$", {"aaaba"});
  // A negative one leaves no captures: \2 is empty whatever happened inside.
  matches("^(.*?)a(?!(a+)b\\2c)\\2(.*)$", {"baaabaac"});
  matches("^(?!(a)b)\\1a$", {"a"});
}

TEST(Ecma262_22_2_2_4_Assertion, LookBehindReadsBackwards) {
  matches("(?<=a)b", {"ab"});
  rejects("(?<=a)b", {"b", "cb"});
  matches("(?<!a)b", {"b", "cb", "abb"});
  rejects("(?<!a)b", {"ab"});
  matches("(?<=\\$\\d+\\.)\\d{2}$", {"$12.34"});
  rejects("(?<=\\$\\d+\\.)\\d{2}$", {"12.34", "$.34"});
  // Variable length, and greedy from the right: \1 takes as much as it can.
  matches("(?<=(\\d+)(\\d+))x\\1\\2$", {"123x1"
                                        "23"});
  rejects("(?<=^(\\d+)(\\d+))x\\1\\2$", {"123x12"
                                         "4"});
  matches("(?<=^(\\d+)(\\d+)):\\1,\\2$", {"1234:1,234"});
  rejects("(?<=^(\\d+)(\\d+)):\\1,\\2$", {"1234:123,4"});
  // A back-reference to the left of its group is read after it.
  matches("(?<=\\1(a))b", {"aab"});
  rejects("(?<=\\1(a))b", {"ab"});
  matches("(?<=(a)\\1)b", {"ab", "aab"});  // read before its group: empty
  matches("(?<=^😀+)b", {"😀😀b"});
  rejects("(?<=^😀+)b", {"a😀b"});
  matches("(?<=a(?=b)(?<!ba)b)c", {"abc"});
  rejects("(?<=a(?=b)(?<!ba)b)c", {"babc"});
  matches("(?<=^.{2,3}?)c$", {"abc", "xabc"});
  rejects("(?<=^.{2,3}?)c$", {"bc", "wxabc"});
}

TEST(Ecma262_22_2_2_7_Atom, DotExcludesLineTerminators) {
  matches("^.$", {"a", "é", "😀", "\t", "\v", "\f", "\u0085", " "});
  rejects("^.$", {"\n", "\r", "\u2028", "\u2029", "", "ab"});
}

TEST(Ecma262_22_2_2_7_1_BackreferenceMatcher, WhatTheGroupCaptured) {
  matches("^(a+)b\\1$", {"aba", "aabaa"});
  rejects("^(a+)b\\1$", {"abaa", "aab"});
  matches("^(?<q>['\"]).*\\k<q>$", {"'a'", "\"a\""});
  rejects("^(?<q>['\"]).*\\k<q>$", {"'a\""});
  matches("^(😀|é)\\1$", {"😀😀", "éé"});
  rejects("^(😀|é)\\1$", {"😀é"});
  matches("^\\1(a)$", {"a"});  // not captured yet: matches empty
  matches("^(a\\1)$", {"a"});  // inside its own group
  matches("^(?:(a)|b)\\1$", {"b", "aa"});
  matches("^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$", {"abcdefghijj"});
  matches("^(a){0}\\1$", {""});
  matches("^(?:(x)|(?:y(?=(z))z))+\\2$", {"xyzz"});
}

TEST(Ecma262_22_2_2_9_CharacterClass, RangesAndNegation) {
  matches("^[a-cx]$", {"a", "b", "c", "x"});
  rejects("^[a-cx]$", {"d", "-", ""});
  matches("^[^a-c]$", {"d", "\n", "😀", "é"});
  rejects("^[^a-c]$", {"a", ""});
  rejects("[]", {"", "a"});
  matches("^[^]$", {"a", "\n", "😀"});
  matches("^[-a]$", {"-", "a"});
  matches("^[a-]$", {"-", "a"});
  matches("^[a-b-d]$", {"a", "b", "-", "d"});
  rejects("^[a-b-d]$", {"c"});
  matches("^[\\b]$", {"\b"});
  matches("^[\\]\\-\\\\]$", {"]", "-", "\\"});
  matches("^[😀-😏]$", {"😅"});
  rejects("^[😀-😏]$", {"😐", "a"});
  matches("^[\\uD83D\\uDE00]$", {"😀"});
  matches("^[^\\d\\s]$", {"a"});
  rejects("^[^\\d\\s]$", {"1", " "});
  matches("^[\\W]$", {"é", " "});
}

TEST(Ecma262_22_2_2_9_CharacterClassEscape, DigitsWordsAndSpaces) {
  matches("^\\d$", {"0", "9"});
  rejects("^\\d$", {"a", "٣", "\u07C0"});
  matches("^\\D$", {"a", "٣"});
  matches("^\\w$", {"a", "Z", "0", "_"});
  rejects("^\\w$", {"é", "-", "ſ", "\u212A"});
  matches("^\\W$", {"é", "ſ", "\u212A"});
  matches("^\\s$", {"\t", "\n", "\v", "\f", "\r", " ", "\u00A0", "\u1680", "\u2000", "\u200A",
                    "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"});
  rejects("^\\s$", {"a", "\u180E", "\u200B", "\u0085", "\u2060"});
  matches("^\\S$", {"\u180E", "\u200B", "a"});
}

TEST(Ecma262_22_2_2_9_UnicodePropertyEscape, Sets) {
  matches("^\\p{L}$", {"a", "é", "Ж", "日", "𝒜"});
  rejects("^\\p{L}$", {"1", " ", "😀"});
  matches("^\\P{L}$", {"1", "😀"});
  matches("^[\\p{L}\\p{Nd}]+$", {"aé1", "٣"});
  matches("^[^\\p{L}]$", {"1"});
  matches("^\\p{Script=Greek}$", {"λ", "Ω"});
  rejects("^\\p{Script=Greek}$", {"a", "Ж"});
  matches("^\\p{scx=Deva}$", {"\u0951"});
  rejects("^\\p{sc=Deva}$", {"\u0951"});
  matches("^\\p{Emoji}$", {"😀", "1"});
  matches("^\\p{ASCII}$", {"a", "\x7F"});
  rejects("^\\p{ASCII}$", {"\u0080"});
  matches("^\\p{Any}$", {"a", "\U0010FFFF"});
  matches("^\\p{Assigned}$", {"a"});
  rejects("^\\p{Assigned}$", {"\U000EFFFF", "\u0378"});
  rejects("\\p{sc=Hrkt}", {"ア", "ー"});
}

TEST(Ecma262_22_2_2_9_CharacterEscape, Characters) {
  matches("^\\f\\n\\r\\t\\v$", {"\f\n\r\t\v"});
  matches("^\\cA\\cz\\cM$", {"\x01\x1A\r"});
  matches("^\\0$", {std::string_view("\0", 1)});
  matches("^\\x41\\u0042\\u{43}\\u{00000044}$", {"ABCD"});
  matches("^\\uD83D\\uDE00$", {"😀"});
  matches("^\\u{1F600}$", {"😀"});
  rejects("\\uD83D", {"😀", "\uFFFD", "a"});  // half a pair is no character of the text
  rejects("\\u{D83D}\\u{DE00}", {"😀"});      // and two halves by themselves are two
  matches("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", {"^$\\.*+?()[]{}|/"});
}

TEST(Pattern, LiteralsAtEitherEnd) {
  matches("abc", {"abc", "xabcx", "ababc"});
  rejects("abc", {"ab", "abxc", ""});
  matches("^abc", {"abc", "abcx"});
  rejects("^abc", {"xabc", "ab"});
  matches("abc$", {"abc", "xabc"});
  rejects("abc$", {"abcx", "bc"});
  matches("^abc$", {"abc"});
  rejects("^abc$", {"abcx", "xabc", "ab", ""});
  matches("^日本$", {"日本"});
}

TEST(Pattern, SaysWhetherItIsLinear) {
  for (const char* expression : {"a", "^a+$", "(a|b)*c", "\\bfoo\\b", "(a+)+$", "\\p{L}{1,100}"}) {
    EXPECT_TRUE(Pattern::compile(expression)->linear()) << expression;
  }
  for (const char* expression : {"(a)\\1", "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b"}) {
    EXPECT_FALSE(Pattern::compile(expression)->linear()) << expression;
  }
}

TEST(Pattern, KnowsItsMemoryAndWork) {
  const auto small = Pattern::compile("^[a-z]+$");
  const auto large = Pattern::compile("^\\p{L}{1,200}$");
  EXPECT_GT(small->memory(), 0U);
  EXPECT_LT(small->memory(), 2'000U);
  EXPECT_GT(large->memory(), small->memory());
  EXPECT_GT(large->work(), small->work());
}

TEST(Pattern, CanBeCheckedWithoutBeingCompiled) {
  EXPECT_TRUE(check_pattern("^(a+)+$"));
  EXPECT_TRUE(check_pattern("x{2147483647}"));  // valid, though too large to compile
  EXPECT_FALSE(Pattern::compile("x{2147483647}"));
  EXPECT_FALSE(check_pattern("a**"));
  EXPECT_EQ(check_pattern("a**").error().offset, 2U);
  EXPECT_TRUE(check_pattern(std::string(5'000, 'a')).error().too_large);
}

TEST(Pattern, CopiesShareOneProgram) {
  const auto original = Pattern::compile("^a+$");
  const Pattern copy = *original;
  EXPECT_EQ(search(copy, "aaa"), Match::yes);
}

}  // namespace
}  // namespace interline::schema

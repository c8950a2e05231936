// Expressions made to cost: each compiles within its limits or is refused, and each search ends
// within its budget. Work is counted, never timed.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "schema/pattern.hpp"

namespace interline::schema {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

std::string nested(std::string_view open, std::string_view inside, std::string_view close,
                   std::size_t depth) {
  return repeated(open, depth) + std::string(inside) + repeated(close, depth);
}

/// Fits the length limit whatever it is made of.
std::string up_to_limit(std::string_view part, std::string_view before = "",
                        std::string_view after = "") {
  const std::size_t room = PatternLimits{}.pattern_bytes - before.size() - after.size();
  return std::string(before) + repeated(part, room / part.size()) + std::string(after);
}

std::string distinct_classes() {
  std::string out;
  for (char32_t c = 0x4E00; out.size() < 4'070; ++c) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "%X", static_cast<unsigned>(c));
    out += "[\\p{L}\\u{" + std::string(hex) + "}]";
  }
  return out;
}

std::string many_scripts() {
  std::string out = "[";
  for (const char* script :
       {"Arab", "Armn", "Beng", "Bopo", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru",
        "Hang", "Hani", "Hebr", "Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mong",
        "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Thai", "Tibt", "Zinh", "Zyyy"}) {
    for (const char* property : {"\\p{sc=", "\\P{sc=", "\\p{scx=", "\\P{scx="}) {
      out += property + std::string(script) + "}";
    }
  }
  return out + "]";
}

std::string alternation(std::size_t bytes) {
  std::string out = "^(?:";
  for (unsigned i = 0; out.size() < bytes; ++i) out += "w" + std::to_string(i * 7'919U) + "|";
  return out + "x)$";
}

std::vector<std::string> hostile() {
  return {
      // exponential for a naive backtracking matcher
      "(a+)+$",
      "^(a+)+$",
      "(a*)*$",
      "(a|a)*b",
      "(a|aa)+$",
      "(a?){50}a{50}",
      "(.*)*x",
      "(.*.*.*)*x",
      "^(([a-z])+.)+[A-Z]([a-z])+$",
      "(x+x+)+y",
      "(?:a*)*(?:a*)*(?:a*)*b",
      "(a|b|ab)*c",
      // the same, where no automaton helps
      "(?=(a+))\\1b",
      "(?=(a+)+$)b",
      "^(a+)+\\1$",
      "(a+)+(?=b)",
      "(?<=(a+)+b)c",
      "(?<=(a*)*b)c",
      "((a+)+)\\2b",
      "(?:(a)|b|\\1)*c",
      "(?!(a+)+b)c",
      "(?=(?=(?=(a+)+b)))c",
      "(a*)*\\1b",
      "^(?:(?!ab).)*\\b(a*)\\1c$",
      "(?:a|a(?=a))*b",
      "(?:(?=a)a?){1,1000}b",
      // many states
      "[ab]*a[ab]{12}",
      "[ab]*a[ab]{30}",
      "a.{500}b",
      "(?:a|b)*a(?:a|b){16}c",
      "\\b(?:\\w+\\b\\W*){1,100}$",
      "^(?:\\d{1,3}){1,1000}$",
      "(?:a{1,50}){1,50}b",
      // many repetitions
      "x{2147483647}",
      "x{0,2147483647}",
      "x{4294967295,}",
      "x{99999999999999999999}",
      "(?:x{1000}){1000}",
      "(?:x{1,1000}){1,1000}",
      "(?:(?:x{100}){100}){100}",
      "\\p{L}{1,100000}",
      "(?:\\p{L}{1,1000}){1,1000}",
      "(?:){2147483647}",
      "(?:(?:){2147483647}){2147483647}",
      "(?:^){2147483647}a",
      "(?:\\b){0,2147483647}a",
      "(?:a?){2147483647}",
      "(?:a*){1000}b",
      "(?:(?=a)){2147483647}b",
      "((?=a)){1,2147483647}b",
      "(?:\\1(a?)){2147483647}b",
      "((((a?){100}){100}){100}){100}(?!b)",
      "(?:" + repeated("(?:)", 900) + "a){100000}",
      // deep
      nested("(", "a", ")", 100),
      nested("(", "a", ")*", 100),
      nested("(?:", "a", ")+", 100),
      nested("(?=", "a", ")", 100),
      nested("(?<!", "a", ")", 100),
      nested("(?:", "a", "|b)", 100),
      nested("(?:a", "", ")?", 100),
      nested("((?=", "a*", "))", 50),
      nested("(", "a", ")", 101),
      nested("(", "a", ")", 2'000),
      repeated("(", 4'096),
      repeated("[", 4'096),
      repeated("\\", 4'096),
      // large
      up_to_limit("[\\u{0}-\\u{10FFFF}]"),
      up_to_limit("\\p{L}"),
      up_to_limit("\\p{L}", "[", "]"),
      up_to_limit("[\\p{L}]"),
      up_to_limit("[^\\p{L}]*"),
      distinct_classes(),
      many_scripts(),
      up_to_limit("a|"),
      alternation(4'000),
      up_to_limit("a?"),
      up_to_limit("a*"),
      up_to_limit("(a)"),
      up_to_limit("(a*)\\1"),
      up_to_limit("(?=a)"),
      up_to_limit("(?:a|b)*"),
      up_to_limit(".{0,9}"),
      up_to_limit("a?", "", "b{99}"),
      up_to_limit("\\1", "(a*)"),
      up_to_limit("\\b"),
      up_to_limit("(?<=a)"),
      up_to_limit("(|)"),
      up_to_limit("(?:|)*"),
      up_to_limit("\\B\\b|"),
      up_to_limit("(?<n>)"),
      up_to_limit("(?=x{0,9999})", "^"),
      up_to_limit("(?=(?:a|b)*a[ab]{9})", "^"),
      up_to_limit("(?!\\p{L})", "^"),
      up_to_limit("(?<!a)", "", "$"),
      up_to_limit("(?=a{99})", "^"),
      std::string(4'097, 'a'),
      std::string(100'000, 'a'),
  };
}

std::vector<std::string> subjects() {
  return {"",
          "a",
          repeated("a", 30),
          repeated("a", 5'000) + "b",
          repeated("ab", 2'500) + "!",
          repeated("x", 5'000),
          repeated("日", 2'000),
          repeated("a1 ", 1'500),
          repeated("aaaab", 1'000) + "c"};
}

TEST(HostilePatterns, EachIsRefusedOrStaysWithinItsLimits) {
  const PatternLimits limits;
  std::size_t refused = 0;
  for (const std::string& expression : hostile()) {
    SCOPED_TRACE(expression.substr(0, 80));
    const auto pattern = Pattern::compile(expression, limits);
    if (!pattern) {
      EXPECT_LE(pattern.error().offset, expression.size());
      EXPECT_FALSE(pattern.error().message.empty());
      EXPECT_LE(pattern.error().message.size(), 100U);
      ++refused;
      continue;
    }
    EXPECT_LE(pattern->memory(), limits.program_bytes);
    // A row of the table, or a repetition, may be finished when the limit is noticed.
    EXPECT_LE(pattern->work(), limits.work + limits.work / 4);
  }
  EXPECT_GT(refused, 10U);
}

TEST(HostilePatterns, EachSearchEndsWithinItsBudget) {
  std::size_t exceeded = 0;
  std::size_t decided = 0;
  for (const std::string& expression : hostile()) {
    const auto pattern = Pattern::compile(expression);
    if (!pattern) continue;
    for (const std::string& subject : subjects()) {
      SCOPED_TRACE(expression.substr(0, 80) + " on " + subject.substr(0, 20));
      constexpr std::size_t kBudget = 200'000;
      std::size_t steps = kBudget;
      const Match match = pattern->search(subject, steps);
      EXPECT_LE(steps, kBudget - (match == Match::budget_exceeded ? kBudget : 1));
      ++(match == Match::budget_exceeded ? exceeded : decided);
    }
  }
  EXPECT_GT(exceeded, 20U);
  EXPECT_GT(decided, 400U);
}

TEST(HostilePatterns, LinearOnesCostInProportionToTheText) {
  for (const char* expression : {"(a+)+$", "(a|a)*b", "(.*)*x", "^(?:\\d{1,3}){1,1000}$",
                                 "(?:a|b)*a(?:a|b){16}c", "^(?=.*(a+)+b)(?!(a|a)*c).*$"}) {
    const auto pattern = Pattern::compile(expression);
    ASSERT_TRUE(pattern && pattern->linear()) << expression;
    const auto cost = [&](std::size_t length) {
      std::size_t steps = 1'000'000'000;
      (void)pattern->search(repeated("a", length) + "!", steps);
      return 1'000'000'000 - steps;
    };
    EXPECT_LE(cost(40'000), 11 * cost(4'000)) << expression;
  }
}

TEST(PatternBudget, NoStepsDecideNothing) {
  for (const char* expression : {"a", "^a$", "a*", "", "(a)\\1", "^(?=a)b", "[ab]*a[ab]{20}"}) {
    std::size_t steps = 0;
    EXPECT_EQ(Pattern::compile(expression)->search("a", steps), Match::budget_exceeded)
        << expression;
    EXPECT_EQ(steps, 0U);
  }
}

TEST(PatternBudget, EnoughStepsAreEnoughAndFewerAreNot) {
  const std::string text = repeated("ab", 200);
  for (const char* expression :
       {"^[ab]*$", "c", "^(?:(a)|b)*\\1$", "^(?=.*b)[ab]*$", "[ab]*a[ab]{20}c"}) {
    const Pattern pattern = Pattern::compile(expression).value();
    std::size_t left = 1'000'000;
    const Match answer = pattern.search(text, left);
    ASSERT_NE(answer, Match::budget_exceeded) << expression;
    const std::size_t cost = 1'000'000 - left;
    for (std::size_t budget = 0; budget < cost; budget += 1 + cost / 50) {
      std::size_t steps = budget;
      EXPECT_EQ(pattern.search(text, steps), Match::budget_exceeded) << expression << ' ' << budget;
      EXPECT_EQ(steps, 0U);
    }
    std::size_t steps = cost + 1;
    EXPECT_EQ(pattern.search(text, steps), answer) << expression;
    EXPECT_LE(steps, 1U);
  }
}

TEST(PatternLimits, AreEnforcedEachWithItsOwnWords) {
  const auto refusal = [](std::string_view expression, const PatternLimits& limits) {
    const auto pattern = Pattern::compile(expression, limits);
    if (pattern) return std::string();
    EXPECT_TRUE(pattern.error().too_large) << expression;
    return pattern.error().message;
  };
  EXPECT_EQ(refusal("aaaaa", {.pattern_bytes = 4}), "the expression is too long");
  EXPECT_EQ(refusal("((a))", {.depth = 1}), "groups are nested too deeply");
  EXPECT_EQ(refusal("a{1000}b|c", {.program_bytes = 4'000}),
            "the expression's repetitions, written out, are too large");
  EXPECT_EQ(refusal("[\\p{L}][\\p{N}]", {.program_bytes = 4'000}),
            "the expression's classes are too large");
  EXPECT_EQ(refusal("^abc$", {.program_bytes = 10}), "the compiled expression is too large");
  EXPECT_EQ(refusal("\\p{L}", {.work = 100}), "the expression's classes take too much work");
}

TEST(PatternLimits, LittleWorkMeansASlowerMatcherNotAnotherAnswer) {
  const char* expression = "^(?:[a-f]+é?|\\bx){1,5}$";
  const Pattern quick = Pattern::compile(expression).value();
  const Pattern slow = Pattern::compile(expression, {.work = 400}).value();
  EXPECT_LT(slow.work(), quick.work());
  for (const char* text : {"abc", "abcé", "aéaéaé", "x", "ax", "éx", "", "abcdeé!", "aéx"}) {
    std::size_t steps = 10'000;
    const Match expected = quick.search(text, steps);
    EXPECT_EQ(slow.search(text, steps), expected) << text;
  }
}

}  // namespace
}  // namespace interline::schema

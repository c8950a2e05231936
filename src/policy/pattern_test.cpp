#include "policy/pattern.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::policy {
namespace {

struct GlobRow {
  const char* pattern;
  const char* text;
  bool matches;
};

TEST(Patterns, AStarIsAnyRunOfCharacters) {
  const GlobRow rows[] = {
      {"weather", "weather", true},
      {"weather", "weather2", false},
      {"weather", "Weather", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "anything at all", true},
      {"**", "a", true},
      {"forecast.*", "forecast.get", true},
      {"forecast.*", "forecast.", true},
      {"forecast.*", "forecast", false},
      {"*.get", "forecast.get", true},
      {"*.get", "forecast.get.all", false},
      {"a*b*c", "abc", true},
      {"a*b*c", "a--b--bc", true},
      {"a*b*c", "a--c--b", false},
      {"xmpp:*@example.org", "xmpp:alice@example.org", true},
      {"xmpp:*@example.org", "xmpp:alice@example.org.evil", false},
      {"xmpp:*@example.org", "xmpp:alice@sub.example.org", false},
      {"*\xC3\xA9", "caf\xC3\xA9", true},
      {"?", "a", false},
      {"[a]", "a", false},
      {"a.c", "abc", false},
  };
  for (const GlobRow& row : rows) {
    EXPECT_EQ(glob_matches(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
  }
}

/// The meaning, written down as a recursion.
bool means(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*') {
    return !text.empty() && text.front() == pattern.front() &&
           means(pattern.substr(1), text.substr(1));
  }
  return means(pattern.substr(1), text) || (!text.empty() && means(pattern, text.substr(1)));
}

TEST(Patterns, EveryShortPatternMeansWhatTheRecursionSays) {
  constexpr std::string_view kLetters = "ab*";
  const auto word = [kLetters](unsigned number) {
    std::string text;
    for (; number > 0; number = (number - 1) / 3) text.push_back(kLetters[(number - 1) % 3]);
    return text;
  };
  for (unsigned p = 0; p < 364; ++p) {  // all words of up to five letters
    for (unsigned t = 0; t < 364; ++t) {
      const std::string text = word(t);
      if (text.find('*') != std::string::npos) continue;
      ASSERT_EQ(glob_matches(word(p), text), means(word(p), text)) << word(p) << " " << text;
    }
  }
}

TEST(PatternLists, SomethingMustIncludeAndNothingMayExclude) {
  const PatternList list({"*", "!payroll", "!secret.*"});
  EXPECT_TRUE(list.matches("weather"));
  EXPECT_FALSE(list.matches("payroll"));
  EXPECT_FALSE(list.matches("secret.sauce"));
  EXPECT_TRUE(list.matches("payroll2"));
}

TEST(PatternLists, AnExclusionOutweighsANameWhateverTheOrder) {
  EXPECT_FALSE(PatternList({"payroll", "!payroll"}).matches("payroll"));
  EXPECT_FALSE(PatternList({"!payroll", "payroll"}).matches("payroll"));
  EXPECT_FALSE(PatternList({"payroll", "!pay*"}).names("payroll"));
}

TEST(PatternLists, ExclusionsAloneIncludeNothing) {
  const PatternList list({"!payroll"});
  EXPECT_TRUE(list.empty());
  EXPECT_FALSE(list.matches("weather"));
  EXPECT_FALSE(PatternList().matches(""));
}

TEST(PatternLists, NamesIsForSpelledOutNamesOnly) {
  const PatternList list({"file.*", "disk.erase"});
  EXPECT_TRUE(list.names("disk.erase"));
  EXPECT_FALSE(list.names("file.delete"));
  EXPECT_FALSE(PatternList({"*"}).names("*"));
}

}  // namespace
}  // namespace interline::policy

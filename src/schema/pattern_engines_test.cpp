// The matchers against each other: whatever one of them decides, the others decide alike.
#include "schema/pattern_engines.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/sanitized.hpp"
#include "schema/pattern_generator.hpp"

namespace interline::schema::pattern {
namespace {

constexpr std::size_t kSteps = 1'000'000;

std::string listed(const std::vector<Engines::Answer>& answers) {
  std::string out;
  for (const Engines::Answer& answer : answers) {
    out +=
        std::string(answer.engine) + ": " + std::to_string(static_cast<int>(answer.match)) + ", ";
  }
  return out;
}

TEST(PatternEngines, AgreeOnAGeneratedCorpus) {
  Generator generator(5);
  std::size_t several = 0;
  std::size_t tables = 0;
  std::size_t conjunctions = 0;
  std::size_t exceeded = 0;
  for (int i = 0; i < cases(5'000); ++i) {
    const std::string expression = generator.expression();
    const auto engines = Engines::make(expression);
    if (!engines) continue;
    if (engines->has_table()) ++tables;
    if (engines->has_conjunction()) ++conjunctions;
    for (int s = 0; s < 8; ++s) {
      const std::string subject = generator.subject();
      const auto answers = engines->search(subject, kSteps);
      if (answers.size() > 1) ++several;
      const auto answer = agreed(answers);
      ASSERT_TRUE(answer.has_value())
          << expression << " on \"" << subject << "\": " << listed(answers);
      if (*answer == Match::budget_exceeded) ++exceeded;
    }
  }
  EXPECT_LT(exceeded, 20U);
  EXPECT_GT(several, cases(12'000U));
  EXPECT_GT(tables, cases(1'200U));
  EXPECT_GT(conjunctions, cases(200U));
}

/// Texts long enough for every way of reading the table: chains, loops, steps, and the changes
/// between ASCII and the rest.
TEST(PatternEngines, AgreeOnLongTexts) {
  const char* expressions[] = {
      "^[a-f0-9]{8}-[a-f0-9]{4}$",
      "^[a-f]*$",
      "^(?:ab|a|é)*$",
      "^(?:[a-f]+é?)+b$",
      "[a-f]{20}é[a-f]{3}",
      "^(?:a{1,40}|[b-f]+é){1,5}$",
      "(?:ab)+é(?:ba)+$",
      "\\b[a-f]{17}\\b",
      "^(?:[a-f]|é|日|😀){1,64}$",
      "^[^b]{30,}$",
      "^a{0,15}b",
      "aé*😀{2}",
  };
  Generator generator(6);
  std::mt19937_64 random(7);
  std::size_t matched = 0;
  for (const char* expression : expressions) {
    const auto engines = Engines::make(expression);
    ASSERT_TRUE(engines && engines->has_table()) << expression;
    for (int i = 0; i < 200; ++i) {
      const std::string_view parts[] = {"a", "a", "b", "f", "é", "日", "😀", "-", "0", "aaaaaaaaaa"};
      const std::size_t variety = 1 + random() % std::size(parts);
      std::string text;
      for (std::size_t n = random() % 60; n > 0; --n) text += parts[random() % variety];
      const auto answers = engines->search(text, kSteps);
      const auto answer = agreed(answers);
      ASSERT_TRUE(answer && *answer != Match::budget_exceeded)
          << expression << " on \"" << text << "\": " << listed(answers);
      if (*answer == Match::yes) ++matched;
    }
  }
  EXPECT_GT(matched, 100U);
}

TEST(PatternEngines, LookAroundAtTheEndsIsAConjunction) {
  for (const char* expression :
       {"^(?=a)b", "^(?!a)b", "(?=a)^b", "^(?=a)(?!b)c$", "a(?<=b)$", "a(?<!b)$", "a$(?<!b)",
        "^(?=a)b(?<!c)$", "^(?=.*\\d)(?=.*[a-z]).{8,}$", "^(?!a)", "(?<!a)$", "^(?!a)(?<!b)$",
        "(?:^)(?!a)b"}) {
    const auto engines = Engines::make(expression);
    EXPECT_TRUE(engines && engines->has_conjunction()) << expression;
    EXPECT_TRUE(Pattern::compile(expression)->linear()) << expression;
  }
  for (const char* expression : {"(?=a)b", "a(?!b)", "a(?=b)$", "(?<=a)^b", "^a(?=b)b",
                                 "^(?=(a))\\1", "^(?=(?=a)a)a", "^(?:(?=a)b)", "^(?!a)b|c"}) {
    EXPECT_FALSE(Pattern::compile(expression)->linear()) << expression;
  }
}

}  // namespace
}  // namespace interline::schema::pattern

// Differences between our patterns and node's RegExp with the u flag, over a generated corpus:
// which expressions are valid, and which subjects match.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/sanitized.hpp"
#include "schema/pattern.hpp"
#include "schema/pattern_backtrack.hpp"
#include "schema/pattern_generator.hpp"
#include "schema/pattern_oracle.hpp"

namespace interline::schema::pattern {
namespace {

constexpr std::size_t kPatterns = cases(std::size_t{15'000});
constexpr std::size_t kFew = kSanitized ? 5 : kPatterns / 1'000;
constexpr std::size_t kSubjects = 4;
constexpr std::size_t kSteps = 1'000'000;

struct Case {
  std::string expression;
  std::vector<std::string> subjects;
};

std::string readable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      out += "<" + std::to_string(byte) + ">";
    } else {
      out += c;
    }
  }
  return out;
}

/// Backtracking, which is what V8 does too, comes to an end in a time that a test can wait for.
bool is_cheap(const BacktrackProgram& program, std::string_view subject) {
  std::size_t steps = kSteps;
  return program.search(subject, steps) != Match::budget_exceeded;
}

std::vector<Case> cases(std::uint64_t seed, std::size_t& left_out) {
  Generator generator(seed);
  std::vector<Case> made(kPatterns);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i].expression = i % 4 == 3 ? generator.token_soup() : generator.expression();
    const auto syntax = parse(made[i].expression, {});
    const BacktrackProgram program = syntax ? build_backtrack(*syntax) : BacktrackProgram();
    for (std::size_t s = 0; s < kSubjects; ++s) {
      std::string subject = generator.subject();
      if (syntax && !is_cheap(program, subject)) {
        ++left_out;
      } else {
        made[i].subjects.push_back(std::move(subject));
      }
    }
  }
  return made;
}

struct Tally {
  std::size_t invalid = 0;
  std::size_t too_large = 0;
  std::size_t linear = 0;
  std::size_t matched = 0;
  std::size_t not_matched = 0;
  std::size_t left_out = 0;       ///< pairs that are too dear to ask about
  std::size_t inside_a_pair = 0;  ///< where V8's own search deviates from ECMA-262
  std::size_t bugs_of_old_v8 = 0;
  std::size_t differences = 0;
};

/// COMPAT(V8, before 11): /c[^c]c/u does not match "c\u{1D49C}c", and the like.
bool may_fail_in_old_v8(std::string_view expression, std::string_view subject) {
  const bool astral =
      std::ranges::any_of(subject, [](char c) { return static_cast<unsigned char>(c) >= 0xF0; });
  const auto has = [&](std::string_view part) {
    return expression.find(part) != std::string_view::npos;
  };
  return astral && (has("[^") || has("\\P") || has("\\D") || has("\\S") || has("\\W"));
}

class Comparison {
 public:
  explicit Comparison(const std::string& versions)
      : old_v8_(std::stoi(versions.substr(versions.find(' '))) < 11) {}

  void compare(const Case& one, const std::string& answer) {
    const auto pattern = Pattern::compile(one.expression);
    if (!pattern) {
      ++(pattern.error().too_large ? tally_.too_large : tally_.invalid);
      if ((answer == "invalid") == pattern.error().too_large) {
        differs(one, "node: " + answer + ", here: " + pattern.error().message);
      }
      return;
    }
    if (answer == "invalid") return differs(one, "node: invalid, here: valid");
    if (pattern->linear()) ++tally_.linear;
    for (std::size_t i = 0; i < one.subjects.size(); ++i) {
      compare(one, one.subjects[i], *pattern, answer[i]);
    }
  }

  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  void compare(const Case& one, const std::string& subject, const Pattern& pattern, char answer) {
    std::size_t steps = kSteps;
    const Match match = pattern.search(subject, steps);
    ++(match == Match::yes ? tally_.matched : tally_.not_matched);
    if (answer == 'N') ++tally_.inside_a_pair;
    const bool expected = answer == '1' || answer == 'Y';
    if (match == (expected ? Match::yes : Match::no)) return;
    if (old_v8_ && may_fail_in_old_v8(one.expression, subject)) {
      ++tally_.bugs_of_old_v8;
      return;
    }
    differs(one, "on \"" + readable(subject) + "\" node: " + (expected ? "yes" : "no") +
                     (match == Match::budget_exceeded ? ", here: too many steps" : ""));
  }

  void differs(const Case& one, const std::string& how) {
    if (++tally_.differences <= 20) ADD_FAILURE() << readable(one.expression) << "\n  " << how;
  }

  bool old_v8_;
  Tally tally_;
};

Tally run(std::uint64_t seed) {
  std::size_t left_out = 0;
  const std::vector<Case> corpus = cases(seed, left_out);
  std::vector<std::string> questions = {"versions"};
  for (const Case& one : corpus) {
    std::string question = "match " + oracle_word(one.expression);
    for (const std::string& subject : one.subjects) question += " " + oracle_word(subject);
    questions.push_back(std::move(question));
  }
  const std::vector<std::string> answers = ask_oracle(questions);
  Comparison comparison(answers[0]);
  for (std::size_t i = 0; i < corpus.size(); ++i) comparison.compare(corpus[i], answers[i + 1]);
  Tally tally = comparison.tally();
  tally.left_out = left_out;
  std::printf(
      "seed %llu, node with Unicode and V8 %s: %zu invalid, %zu too large, %zu linear; %zu pairs "
      "match, %zu do not, %zu left out; V8 deviates from ECMA-262 in %zu, old V8 in %zu more; %zu "
      "differences\n",
      static_cast<unsigned long long>(seed), answers[0].c_str(), tally.invalid, tally.too_large,
      tally.linear, tally.matched, tally.not_matched, tally.left_out, tally.inside_a_pair,
      tally.bugs_of_old_v8, tally.differences);
  std::fflush(stdout);
  return tally;
}

// INTERLINE_LONG=1 compares more corpora.
TEST(Ecma262_Pattern, AgreesWithNodeOnAGeneratedCorpus) {
  const std::uint64_t seeds = std::getenv("INTERLINE_LONG") != nullptr ? 20 : 1;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Tally tally = run(seed);
    EXPECT_EQ(tally.differences, 0U);
    EXPECT_LT(tally.bugs_of_old_v8, 20U);
    EXPECT_LT(tally.left_out, kFew);
    // The corpus is worth something.
    EXPECT_GT(tally.invalid, kPatterns / 10);
    EXPECT_LT(tally.too_large, kFew);
    EXPECT_GT(tally.matched, kPatterns / 2);
    EXPECT_GT(tally.not_matched, kPatterns / 2);
    EXPECT_GT(tally.linear, kPatterns / 5);
  }
  RecordProperty("said", std::to_string(kPatterns * seeds) + " random patterns beside node's");
}

}  // namespace
}  // namespace interline::schema::pattern

#include "base/error.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace interline {
namespace {

template <class Enum>
void expect_distinct_words(Enum last) {
  std::set<std::string> words;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const std::string word(to_string(static_cast<Enum>(i)));
    EXPECT_FALSE(word.empty()) << "value " << i;
    EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << word;
    EXPECT_TRUE(words.insert(word).second) << word << " twice";
  }
}

TEST(Error_Names, EveryKindHasItsOwnWord) {
  expect_distinct_words(ErrorKind::internal);
}

TEST(Error_Names, EveryReasonHasItsOwnWord) {
  expect_distinct_words(ErrorReason::rate);
}

TEST(Error_Names, WordsStandAtTheirValues) {
  EXPECT_EQ(to_string(ErrorKind::malformed), "malformed");
  EXPECT_EQ(to_string(ErrorKind::not_found), "not_found");
  EXPECT_EQ(to_string(ErrorKind::forbidden), "forbidden");
  EXPECT_EQ(to_string(ErrorKind::not_acceptable), "not_acceptable");
  EXPECT_EQ(to_string(ErrorKind::conflict), "conflict");
  EXPECT_EQ(to_string(ErrorKind::too_early), "too_early");
  EXPECT_EQ(to_string(ErrorKind::resource_constraint), "resource_constraint");
  EXPECT_EQ(to_string(ErrorKind::unavailable), "unavailable");
  EXPECT_EQ(to_string(ErrorKind::internal), "internal");
  EXPECT_EQ(to_string(ErrorReason::none), "none");
  EXPECT_EQ(to_string(ErrorReason::terminal), "terminal");
  EXPECT_EQ(to_string(ErrorReason::stale_revision), "stale_revision");
  EXPECT_EQ(to_string(ErrorReason::already_answered), "already_answered");
  EXPECT_EQ(to_string(ErrorReason::expired), "expired");
  EXPECT_EQ(to_string(ErrorReason::different_request), "different_request");
  EXPECT_EQ(to_string(ErrorReason::in_flight), "in_flight");
  EXPECT_EQ(to_string(ErrorReason::wrong_context), "wrong_context");
  EXPECT_EQ(to_string(ErrorReason::not_cancellable), "not_cancellable");
  EXPECT_EQ(to_string(ErrorReason::too_large), "too_large");
  EXPECT_EQ(to_string(ErrorReason::too_many), "too_many");
  EXPECT_EQ(to_string(ErrorReason::rate), "rate");
}

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorKind::conflict, ErrorReason::terminal, "odd");
  return number / 2;
}

TEST(Error_Result, FailCarriesKindReasonAndMessage) {
  EXPECT_EQ(half(4), 2);
  const auto failed = half(3);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error(), Error(ErrorKind::conflict, ErrorReason::terminal, "odd"));
  EXPECT_FALSE(failed.error().retry_after.has_value());
}

TEST(Error_Result, AKindAloneHasNoReason) {
  const Result<int> failed = fail(ErrorKind::unavailable, "later");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().reason, ErrorReason::none);
}

}  // namespace
}  // namespace interline

#include "base/ascii.hpp"

#include <gtest/gtest.h>

namespace interline {
namespace {

TEST(Ascii, OnlyTheLettersOfAsciiHaveCase) {
  EXPECT_EQ(lower_case("AZaz09@[`{\xC3\x84"), "azaz09@[`{\xC3\x84");
  EXPECT_TRUE(equals_without_case("Bearer", "bEARER"));
  EXPECT_FALSE(equals_without_case("Bearer", "Beare"));
  EXPECT_FALSE(equals_without_case("@", "`"));
}

TEST(Rfc9110_Tokens, HaveLettersDigitsAndFifteenMarks) {
  int count = 0;
  for (int c = 0; c < 256; ++c) count += is_token_character(static_cast<char>(c)) ? 1 : 0;
  EXPECT_EQ(count, 26 + 26 + 10 + 15);
  for (const char c : std::string_view("\"(),/:;<=>?@[\\]{} \t\x7F")) {
    EXPECT_FALSE(is_token_character(c)) << c;
  }
}

}  // namespace
}  // namespace interline

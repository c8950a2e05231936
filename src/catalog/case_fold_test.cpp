#include "catalog/case_fold.hpp"

#include <clocale>
#include <string>

#include <gtest/gtest.h>

namespace interline::catalog {
namespace {

TEST(CaseFold, TextsThatDifferInCaseOnlyAreOne) {
  EXPECT_EQ(fold_case("Help DESK"), "help desk");
  EXPECT_EQ(fold_case("Stra\u00DFe"), fold_case("STRASSE"));
  EXPECT_EQ(fold_case("\u03A3\u03A3"), fold_case("\u03C3\u03C2"));  // sigma, final sigma
  EXPECT_EQ(fold_case("\u0410\u0411"), fold_case("\u0430\u0431"));  // Cyrillic
  EXPECT_EQ(fold_case("\U00010400"), fold_case("\U00010428"));      // Deseret
}

TEST(CaseFold, CompatibilityFormsAreOne) {
  EXPECT_EQ(fold_case("\uFF21\uFF42"), "ab");  // full width
  EXPECT_EQ(fold_case("\uFB01"), "fi");        // ligature
  EXPECT_EQ(fold_case("e\u0301"), fold_case("\u00E9"));
  EXPECT_EQ(fold_case("a\u3000b"), "a b");  // ideographic space
}

TEST(CaseFold, NoLocaleChangesIt) {
  EXPECT_EQ(fold_case("TITLE"), "title");
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before == nullptr ? "C" : before;
  std::setlocale(LC_ALL, "tr_TR.UTF-8");  // whether it is installed or not
  EXPECT_EQ(fold_case("TITLE"), "title");
  std::setlocale(LC_ALL, saved.c_str());
}

TEST(CaseFold, EmptyStaysEmpty) {
  EXPECT_EQ(fold_case(""), "");
}

}  // namespace
}  // namespace interline::catalog

// The document is what the table says: a row that is added or changed changes it, or this fails.
#include "catalog/losses.hpp"

#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

namespace interline::catalog {
namespace {

TEST(Losses, DocumentIsWhatTheProgramPrints) {
  std::ifstream file(INTERLINE_SOURCE_DIR "/docs/losses.md", std::ios::binary);
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(document == losses_document())
      << "write it anew: interline check --losses > docs/losses.md";
}

TEST(Losses, EachIsSaidInOneWay) {
  std::set<std::string> said;
  for (const LossRow& row : loss_table()) {
    EXPECT_TRUE(said.insert(std::string(row.what).append(": ").append(row.text)).second)
        << row.what << ": " << row.text;
    EXPECT_FALSE(row.text.empty());
  }
}

TEST(Losses, DetailsStandInTheirPlace) {
  EXPECT_EQ(loss_text(Loss::text_cut, "64"), "cut to 64 characters");
  EXPECT_EQ(loss_text(Loss::tool_refused, "name is too long"),
            "name is too long; the tool was left out");
  EXPECT_EQ(loss_text(Loss::member_no_text), "no string, so it was left out");
}

}  // namespace
}  // namespace interline::catalog

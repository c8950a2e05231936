#include "net/http/fields.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

TEST(Fields, NamesHaveNoCaseAndSeveralMayBeAlike) {
  Fields fields;
  fields.add("Accept", "a");
  fields.add("X", "1");
  fields.add("accept", "b, c");
  EXPECT_EQ(fields.get("ACCEPT"), "a");
  EXPECT_EQ(fields.count("Accept"), 2U);
  EXPECT_EQ(fields.joined("accept"), "a, b, c");
  EXPECT_EQ(fields.get("Y"), std::nullopt);
  EXPECT_EQ(fields[2].name, "accept");
}

TEST(Fields, SetReplacesAllAndRemoveRemovesAll) {
  Fields fields;
  fields.add("A", "1");
  fields.add("B", "2");
  fields.add("a", "3");
  fields.set("A", "4");
  EXPECT_EQ(fields.joined("A"), "4");
  fields.remove("b");
  EXPECT_EQ(fields.size(), 1U);
}

TEST(Fields, TokensOfLists) {
  Fields fields;
  fields.add("Connection", " keep-alive ,, Upgrade,");
  fields.add("Connection", "x");
  EXPECT_TRUE(fields.has_token("connection", "upgrade"));
  EXPECT_TRUE(fields.has_token("Connection", "keep-alive"));
  EXPECT_TRUE(fields.has_token("Connection", "X"));
  EXPECT_FALSE(fields.has_token("Connection", "keep"));
}

TEST(Fields, CopiesAndMovesKeepTheirOwnText) {
  Fields fields;
  fields.add("A", "1");
  Fields copy = fields;
  fields.clear();
  const Fields moved = std::move(copy);
  EXPECT_EQ(moved.get("a"), "1");
}

}  // namespace
}  // namespace interline::net::http

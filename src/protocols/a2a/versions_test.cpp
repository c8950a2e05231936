#include "protocols/a2a/versions.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::a2a {
namespace {

TEST(A2aVersions, A9_A10_A11_MajorAndMinorDecideAndNothingIsTheAssumedOne) {
  EXPECT_TRUE(decide_version("1.0", {}, "0.3").served);
  EXPECT_TRUE(decide_version(" 1.0.7 ", {}, "0.3").served);
  EXPECT_TRUE(decide_version({}, "1.0", "0.3").served);
  EXPECT_TRUE(decide_version("", "1.0", "0.3").served);
  EXPECT_TRUE(decide_version({}, {}, "1.0").served);
  EXPECT_FALSE(decide_version("", {}, "0.3").served);
  EXPECT_FALSE(decide_version("0.3", "1.0", "1.0").served);  // the header wins
  for (const char* version :
       {"1", "1.", ".0", "1.10", "01.0", "1.0.", "1.0.a", "1.0.0.0", "v1.0"}) {
    EXPECT_FALSE(decide_version(version, {}, "1.0").served) << version;
  }
}

TEST(A2aVersions, WhatWasAskedForIsRepeatedBoundedAndPrintable) {
  EXPECT_EQ(decide_version("a\x01"
                           "b",
                           {}, "0.3")
                .requested,
            "a?b");
  EXPECT_EQ(decide_version(std::string(500, 'x'), {}, "0.3").requested.size(), 32U);
}

}  // namespace
}  // namespace interline::protocols::a2a

#include "runtimes/script/uri_template.hpp"

#include <gtest/gtest.h>

namespace interline::runtimes::script {
namespace {

using Variables = UriTemplate::Variables;

std::optional<Variables> match(std::string_view pattern, std::string_view uri) {
  return UriTemplate::read(pattern).value().match(uri);
}

TEST(Rfc6570_Level1, AnExpansionGivesItsVariables) {
  EXPECT_EQ(match("test://template/{id}/data", "test://template/123/data"),
            (Variables{{"id", "123"}}));
  EXPECT_EQ(match("a:{x}-{y}", "a:1-2"), (Variables{{"x", "1"}, {"y", "2"}}));
  EXPECT_EQ(match("a:{x}", "a:b%20c%C3%A9"), (Variables{{"x", "b c\xC3\xA9"}}));
}

TEST(Rfc6570_Level1, ValuesHaveNoReservedCharacters) {
  EXPECT_FALSE(match("test://{id}/data", "test://1/2/data"));
  EXPECT_FALSE(match("a:{x}", "a:b?c"));
}

TEST(Rfc6570_Level1, WhatIsNoExpansionDoesNotMatch) {
  for (const char* uri :
       {"", "a:", "a:1", "a:1.txt.", "b:1.txt", "a:%zz.txt", "a:%ff.txt", "a:.txt"}) {
    EXPECT_FALSE(match("a:{x}.txt", uri)) << uri;
  }
  EXPECT_EQ(match("a:{x}.txt", "a:1.txt.txt"), (Variables{{"x", "1.txt"}}));
}

TEST(Rfc6570_Level1, WhatElseTheRfcHasIsRefused) {
  for (const char* text : {"a:{+x}", "a:{x,y}", "a:{x*}", "a:{x", "a:x}", "a:{}", "a:{x}{y}",
                           "a:{x}/{x}", "a:plain", "{x}}"}) {
    EXPECT_FALSE(UriTemplate::read(text)) << text;
  }
}

}  // namespace
}  // namespace interline::runtimes::script

#include "json/pointer.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::json {
namespace {

// The document of RFC 6901 section 5.
constexpr std::string_view kExample = R"({
  "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
  " ": 7, "m~n": 8
})";

std::string at(std::string_view text, std::string_view pointer) {
  const auto document = parse(text);
  if (!document) return "not JSON";
  const Value* const found = resolve(document->root(), pointer);
  return found == nullptr ? "none" : std::string(found->source());
}

TEST(Rfc6901, Section5_EveryExample) {
  EXPECT_EQ(at(kExample, ""), kExample);
  EXPECT_EQ(at(kExample, "/foo"), R"(["bar", "baz"])");
  EXPECT_EQ(at(kExample, "/foo/0"), R"("bar")");
  EXPECT_EQ(at(kExample, "/"), "0");
  EXPECT_EQ(at(kExample, "/a~1b"), "1");
  EXPECT_EQ(at(kExample, "/c%d"), "2");
  EXPECT_EQ(at(kExample, "/e^f"), "3");
  EXPECT_EQ(at(kExample, "/g|h"), "4");
  EXPECT_EQ(at(kExample, "/i\\j"), "5");
  EXPECT_EQ(at(kExample, "/k\"l"), "6");
  EXPECT_EQ(at(kExample, "/ "), "7");
  EXPECT_EQ(at(kExample, "/m~0n"), "8");
}

TEST(Rfc6901, Section4_EscapesAreUndoneInOrder) {
  // ~01 is ~1, never a slash.
  EXPECT_EQ(at(R"({"~1": 1, "/": 2})", "/~01"), "1");
  EXPECT_EQ(at(R"({"~1": 1, "/": 2})", "/~1"), "2");
}

TEST(Rfc6901, Section4_ArrayIndicesAreCanonicalDecimals) {
  constexpr std::string_view kArray = "[10,11,12,13,14,15,16,17,18,19,20]";
  EXPECT_EQ(at(kArray, "/10"), "20");
  for (const char* const bad : {"/11", "/01", "/00", "/-", "/-1", "/+1", "/1.0", "/ 1", "/1 ", "/",
                                "/a", "/99999999999999999999999"}) {
    EXPECT_EQ(at(kArray, bad), "none") << bad;
  }
}

TEST(Rfc6901, Section3_MalformedPointersFindNothing) {
  for (const char* const bad : {"foo", "foo/0", "/foo/0/", "/foo/0/x", "/m~n", "/m~", "/m~2n"}) {
    EXPECT_EQ(at(kExample, bad), "none") << bad;
  }
  EXPECT_EQ(at("1", "/"), "none");
}

TEST(Rfc6901, AppendedTokensResolve) {
  constexpr std::string_view kText = R"({"a/b": {"~": [0, {"": "here"}]}})";
  std::string pointer;
  append_token(pointer, "a/b");
  append_token(pointer, "~");
  append_index(pointer, 1);
  append_token(pointer, "");
  EXPECT_EQ(pointer, "/a~1b/~0/1/");
  EXPECT_EQ(at(kText, pointer), R"("here")");
}

}  // namespace
}  // namespace interline::json

#include "net/http/target.hpp"

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

RequestHead head_for(std::string target, Method method = Method::get) {
  RequestHead head;
  head.method = method;
  head.target = std::move(target);
  head.fields.add("Host", "example.org:8080");
  return head;
}

std::string segments_of(std::string target) {
  Request request;
  if (!parse_target(head_for(std::move(target)), request)) return "refused";
  std::string text;
  for (const std::string& segment : request.segments) text += "<" + segment + ">";
  return text;
}

TEST(Rfc9112_3_2_Target, PathsAreSplitThenDecoded) {
  EXPECT_EQ(segments_of("/"), "<>");
  EXPECT_EQ(segments_of("/a/b"), "<a><b>");
  EXPECT_EQ(segments_of("/a/b/"), "<a><b><>");
  EXPECT_EQ(segments_of("//a"), "<><a>");
  EXPECT_EQ(segments_of("/a%2Fb/%c3%a4"), "<a/b><\xc3\xa4>");
  EXPECT_EQ(segments_of("/a+b?c/d"), "<a+b>");
  EXPECT_EQ(segments_of("http://other.example"), "<>");
  EXPECT_EQ(segments_of("HTTPS://other.example/a?b"), "<a>");
}

TEST(Rfc9112_3_2_Target, DotSegmentsBadEscapesAndOtherFormsAreRefused) {
  for (const char* target :
       {"/../etc/passwd", "/a/./b",      "/a/%2e%2E/b", "/%2e",  "/a/..",    "/a%2F..%2Fb",
        "/..%2f",         "/%",          "/%4",         "/%zz",  "/%00",     "/%ff",
        "/%c3",           "/%ed%a0%80",  "*",           "a/b",   "ftp://x/", "http://",
        "http:///a",      "http://a b/", "http://u@h/", "://h/", "?a"}) {
    EXPECT_EQ(segments_of(target), "refused") << target;
  }
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "/a";
  EXPECT_EQ(segments_of(deep), "refused");
}

TEST(Rfc9112_3_2_Target, TheAbsoluteFormOverridesHost) {
  Request request;
  ASSERT_TRUE(parse_target(head_for("http://other.example:1/a"), request));
  EXPECT_EQ(request.host, "other.example:1");
  EXPECT_EQ(request.path, "/a");
}

TEST(Rfc9112_3_2_Target, TheAsteriskIsForOptionsOnly) {
  Request request;
  ASSERT_TRUE(parse_target(head_for("*", Method::options), request));
  EXPECT_EQ(request.path, "*");
  EXPECT_TRUE(request.segments.empty());
}

TEST(Rfc9112_3_2_Host, ExactlyOneAndWellFormed) {
  Request request;
  RequestHead head = head_for("/");
  head.fields.add("Host", "example.org:8080");
  EXPECT_FALSE(parse_target(head, request));
  head.fields.remove("Host");
  EXPECT_FALSE(parse_target(head, request));
  head.minor_version = 0;
  EXPECT_TRUE(parse_target(head, request));
  for (const char* host : {"a b", "a/b", "user@host", "a\"b", "<a>"}) {
    head.fields.set("Host", host);
    EXPECT_FALSE(parse_target(head, request)) << host;
  }
  head.fields.set("Host", "[::1]:80");
  EXPECT_TRUE(parse_target(head, request));
}

TEST(Query, PairsInOrderPlusIsASpace) {
  Request request;
  ASSERT_TRUE(parse_target(head_for("/p?a=1&b=x+y%2B&&c&=d&a=2=3"), request));
  const std::vector<std::pair<std::string, std::string>> expected{
      {"a", "1"}, {"b", "x y+"}, {"c", ""}, {"", "d"}, {"a", "2=3"}};
  EXPECT_EQ(request.query, expected);
  EXPECT_EQ(request.query_value("a"), "1");
  EXPECT_EQ(request.query_value("z"), std::nullopt);
  EXPECT_EQ(request.path, "/p");
  EXPECT_EQ(request.raw_query, "a=1&b=x+y%2B&&c&=d&a=2=3");
}

TEST(Query, BadEscapesAndTooManyPairsAreRefused) {
  EXPECT_EQ(segments_of("/?a=%"), "refused");
  EXPECT_EQ(segments_of("/?%ff=a"), "refused");
  std::string many = "/?";
  for (int i = 0; i < 101; ++i) many += "a&";
  EXPECT_EQ(segments_of(many), "refused");
}

TEST(Percent, EncodingIsUndoneByDecoding) {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  all += "\xe2\x82\xac";
  EXPECT_EQ(decode_percent(encode_percent(all)), all);
  EXPECT_EQ(decode_percent("a%00b"), std::nullopt);
  EXPECT_EQ(decode_percent(std::string_view("a\0b", 3)), std::nullopt);
  EXPECT_EQ(encode_percent("aZ0-._~/ +%"), "aZ0-._~%2F%20%2B%25");
}

}  // namespace
}  // namespace interline::net::http

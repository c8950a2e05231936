#include "net/http/url.hpp"

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

std::string parts(std::string_view text) {
  const auto url = parse_url(text);
  if (!url) return "malformed";
  return url->origin() + " " + url->host + " " + std::to_string(url->port) + " " + url->target;
}

TEST(Url, PartsAndDefaults) {
  EXPECT_EQ(parts("http://Example.org"), "http://example.org example.org 80 /");
  EXPECT_EQ(parts("HTTPS://example.org:443/a?b=c"), "https://example.org example.org 443 /a?b=c");
  EXPECT_EQ(parts("https://example.org:80/"), "https://example.org:80 example.org 80 /");
  EXPECT_EQ(parts("http://[::1]:8080?x"), "http://[::1]:8080 ::1 8080 /?x");
  EXPECT_EQ(parts("https://[2001:DB8::1]/"), "https://[2001:db8::1] 2001:db8::1 443 /");
}

TEST(Url, EverythingElseIsMalformed) {
  for (const char* text :
       {"", "example.org", "ftp://example.org/", "http:/example.org", "http://", "http:///a",
        "http://user@example.org/", "http://user:pass@example.org/", "http://example.org#x",
        "http://example.org/a b", "http://example.org/\r\nX: y", "http://example.org:0/",
        "http://example.org:99999/", "http://exa mple.org/", "http://*/", "http://[::1/",
        "http://ex\xc3\xa4mple.org/", "http://a\\b/", "javascript://example.org/"}) {
    EXPECT_EQ(parts(text), "malformed") << text;
  }
}

}  // namespace
}  // namespace interline::net::http

#include "engine/web_url.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::engine {
namespace {

TEST(WebUrl, HttpAndHttpsWithAHost) {
  for (const auto* const url :
       {"https://a.example", "http://a.example/", "HTTPS://A.example/x?y=z#f",
        "http://127.0.0.1:80", "https://[::1]:8443/login?next=%2F", "https://a.example?x=a@b"}) {
    EXPECT_TRUE(is_web_url(url)) << url;
  }
}

TEST(WebUrl, EveryOtherSchemeIsRefused) {
  for (const auto* const url :
       {"javascript:alert(1)", "JavaScript://a.example/%0aalert(1)", "file:///etc/passwd",
        "data:text/html,x", "vbscript:x", "ftp://a.example/", "xmpp:a@b", "//a.example/", "/x", "",
        "https:", "https:a.example", "https:/a.example", "https://", "https:///x", "http://:80/",
        " https://a.example"}) {
    EXPECT_FALSE(is_web_url(url)) << url;
  }
}

TEST(WebUrl, NothingInItMisleads) {
  for (const std::string url :
       {"https://bank.example@evil.example/", "https://a.example/\n", "https://a.example/ x",
        "https://a.example\\@evil.example", "https://\xc3\xa4.example/", "https://a.example/\"><x",
        "https://a.example/\x1b[2J"}) {
    EXPECT_FALSE(is_web_url(url)) << url;
  }
  EXPECT_FALSE(is_web_url("https://a.example/" + std::string(kLongestUrl, 'x')));
}

}  // namespace
}  // namespace interline::engine

// ProtoXEP "Agent API Manifest", homepage and avatarUrl; RFC 3986, RFC 9110 section 4.2.2.
#include "catalog/https_uri.hpp"

#include <gtest/gtest.h>

namespace interline::catalog {
namespace {

TEST(HttpsUri, AbsoluteUrisWithAHostAreAccepted) {
  for (const auto text :
       {"https://example.org", "https://example.org/", "https://example.org:8443/a/b?c=d#e",
        "https://example.org:/", "https://[2001:db8::1]/", "https://[2001:db8::1]:443/x",
        "https://192.0.2.1", "https://xn--e1afmkfd.example/", "https://EXAMPLE.org/%41",
        "https://example.org/?q=a@b", "https://example.org/@name", "https://example.org#@"}) {
    EXPECT_TRUE(is_https_uri(text)) << text;
  }
}

TEST(HttpsUri, EverythingElseIsRefused) {
  for (const auto text : {"",
                          "https:",
                          "https://",
                          "https:///path",
                          "http://example.org",
                          "HTTPS://example.org",
                          "Https://example.org",
                          "//example.org",
                          "/path",
                          "example.org",
                          "https:example.org",
                          "https:/example.org",
                          "https://:443/",
                          "https://user@example.org/",
                          "https://user:pass@example.org",
                          "https://@example.org",
                          "https://example.org:65536",
                          "https://example.org:99999999999999999999",
                          "https://example.org:80a",
                          "https://example.org/a b",
                          "https://example.org/<",
                          "https://example.org/%zz",
                          "https://ex\u00E4mple.org",
                          "https://[2001:db8::1",
                          "https://[bad]/",
                          "https://example.org/\n",
                          " https://example.org",
                          "https://example.org/\\",
                          "javascript:alert(1)",
                          "data:,x",
                          "ftp://example.org"}) {
    EXPECT_FALSE(is_https_uri(text)) << text;
  }
}

}  // namespace
}  // namespace interline::catalog

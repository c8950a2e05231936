#include "base/disclosure.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace interline {
namespace {

TEST(SafeToShow_Credentials, AreHiddenWhateverTheyStandIn) {
  const std::pair<std::string, std::string> rows[] = {
      {"Authorization: Bearer abcdef0123456789", "Authorization: [redacted]"},
      {"refused: Bearer abcdef.0123/456+789=", "refused: Bearer [redacted]"},
      {"login with password=hunter2hunter2 failed", "login with password=[redacted] failed"},
      {"PASSWORD: hunter2", "PASSWORD: [redacted]"},
      {R"({"client_secret": "s3cr3t s3cr3t", "a": 1})",
       R"({"client_secret": "[redacted]", "a": 1})"},
      {R"(sent {\"token\":\"abc\"})", R"(sent {\"token\":\"[redacted]\"})"},
      {"GET /?api_key=abc&q=1", "GET /?api_key=[redacted]&q=1"},
      {"X-Api-Key: abc", "X-Api-Key: [redacted]"},
      {"Cookie: a=1; b=2\nnext", "Cookie: [redacted]\nnext"},
      {"key sk-abcdefghij0123456789 is spent", "key [redacted] is spent"},
      {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln is expired", "[redacted] is expired"},
      {"AKIAABCDEFGHIJKLMNOP", "[redacted]"},
      {"postgres://app:pass@db.example/x", "postgres://[redacted]@db.example/x"},
      {"-----BEGIN PRIVATE KEY-----\nMIIE\n", "[redacted]"},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(safe_to_show(text), shown);
}

TEST(SafeToShow_Traces, AreCutWithAllThatFollows) {
  const std::pair<std::string, std::string> rows[] = {
      {"It broke.\nTraceback (most recent call last):\n  File \"/app/a.py\", line 1\nKeyError: 'x'",
       "It broke."},
      {"It broke: Traceback (most recent call last): File", "It broke:"},
      {"Traceback (most recent call last):\n  File \"/app/a.py\"", ""},
      {"Error: no\n    at run (/app/a.js:1:2)\n    at main (/app/b.js:3:4)", "Error: no"},
      {"java.lang.Error: no\n\tat com.example.Main.run(Main.java:1)", "java.lang.Error: no"},
      {"panic: no\n\ngoroutine 1 [running]:\nmain.main()", "panic: no"},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(safe_to_show(text), shown);
}

TEST(SafeToShow_Words, ThatHideNothingStayAsTheyAre) {
  for (const std::string text :
       {"", "The file was not found.", "at noon\nall is well", "token expired", "a secret of mine",
        "see https://example.test/a@b", "bearer of", "3 = 3", "password",
        "password=", "naïve \xF0\x9F\xA4\x96"}) {
    EXPECT_EQ(safe_to_show(text), text);
  }
}

TEST(WithoutSecrets, KeepsTracesAndHidesTheRest) {
  EXPECT_EQ(without_secrets("Traceback (most recent call last):"),
            "Traceback (most recent call last):");
  EXPECT_EQ(without_secrets("password=hunter2"), "password=[redacted]");
}

}  // namespace
}  // namespace interline

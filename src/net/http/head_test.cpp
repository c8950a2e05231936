#include "net/http/head.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

// The status that a head is refused with; 0 where it is fine, -1 where it is incomplete.
int status_of(std::string_view bytes, const HeadLimits& limits = {}) {
  HeadScanner scanner(limits);
  const auto size = scanner.scan(bytes);
  if (!size) return static_cast<int>(size.error().status);
  if (!*size) return -1;
  const auto head = parse_request_head(bytes.substr(0, **size), limits);
  return head ? 0 : static_cast<int>(head.error().status);
}

std::string with_field(std::string_view line) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + std::string(line) + "\r\n\r\n";
}

TEST(Rfc9112_3_RequestLine, ThreePartsAndSingleSpaces) {
  const std::string rest = "\r\nHost: a\r\n\r\n";
  EXPECT_EQ(status_of("GET / HTTP/1.1" + rest), 0);
  EXPECT_EQ(status_of("OPTIONS * HTTP/1.0" + rest), 0);
  EXPECT_EQ(parse_request_head("GET / HTTP/1.7" + rest, HeadLimits{})->minor_version, 1);
  for (const char* line : {"",
                           "GET",
                           "GET /",
                           "GET  / HTTP/1.1",
                           "GET /  HTTP/1.1",
                           "GET / HTTP/1.1 ",
                           " GET / HTTP/1.1",
                           "GET\t/ HTTP/1.1",
                           "GET / http/1.1",
                           "GET / HTTP/1",
                           "GET / HTTP/1.10",
                           "GET / HTTP/11.1",
                           "GET / HTTP/1.x",
                           "GET / HTTP/-1.1",
                           "GET /a b HTTP/1.1",
                           "G\x01T / HTTP/1.1",
                           "GET / HTTP/1.1\r",
                           "GET /\r HTTP/1.1",
                           "G(T / HTTP/1.1",
                           "GET /\x7f HTTP/1.1",
                           "GET /\xc3\xa4 HTTP/1.1",
                           "GET /a#b HTTP/1.1"}) {
    EXPECT_EQ(status_of(line + rest), 400) << line;
  }
}

TEST(Rfc9112_3_RequestLine, OtherVersionsAndMethodsHaveTheirOwnStatus) {
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/0.9\r\n\r\n"), 505);
  EXPECT_EQ(status_of("BREW / HTTP/1.1\r\n\r\n"), 501);
  EXPECT_EQ(status_of("CONNECT a:1 HTTP/1.1\r\n\r\n"), 501);
  EXPECT_EQ(status_of("get / HTTP/1.1\r\n\r\n"), 501) << "methods have case";
}

TEST(Rfc9112_5_Fields, NamesAreTokensUpToTheColon) {
  for (const char* line : {"X:", "X: y", "X:\ty\t ", "X-1_a.b!#$%&'*+^`|~: y", "X: a\tb \xff"}) {
    EXPECT_EQ(status_of(with_field(line)), 0) << line;
  }
  for (const char* line : {"X", "X : y", ": y", " X: y", "X y: z", "X\t: y", "X\x01: y", "X\xc3: y",
                           "X: a\x01z", "X: a\x7fz", "X: a\rb", "\r", "X: a\r\r"}) {
    EXPECT_EQ(status_of(with_field(line)), 400) << line;
  }
  EXPECT_EQ(status_of(with_field(std::string_view("X: a\0b", 6))), 400);
}

TEST(Rfc9112_5_2_ObsFold, FoldedFieldsAreRefused) {
  EXPECT_EQ(status_of(with_field("X: a\r\n b")), 400);
  EXPECT_EQ(status_of(with_field("X: a\r\n\tb: c")), 400);
}

TEST(Rfc9112_2_2_Lines, ABareLineFeedIsRefusedAtOnce) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\n"), 400);
  EXPECT_EQ(status_of("\n"), 400);
}

TEST(HeadLimits, EachHasItsStatus) {
  HeadLimits limits;
  limits.line = 100;
  limits.bytes = 1000;
  limits.fields = 3;
  const std::string start = "GET / HTTP/1.1\r\n";
  EXPECT_EQ(status_of("GET /" + std::string(100, 'a'), limits), 414);
  EXPECT_EQ(status_of(start + "X: " + std::string(900, 'a') + "\r\n\r\n", limits), 0);
  EXPECT_EQ(status_of(start + "X: " + std::string(1000, 'a'), limits), 431);
  EXPECT_EQ(status_of(start + "A:\r\nB:\r\nC:\r\n\r\n", limits), 0);
  EXPECT_EQ(status_of(start + "A:\r\nB:\r\nC:\r\nD:\r\n\r\n", limits), 431);
}

TEST(HeadScanner, FindsTheSameEndHoweverTheBytesArrive) {
  const std::string bytes = "GET / HTTP/1.1\r\nHost: a\r\n\r\nbody";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    HeadScanner scanner{HeadLimits{}};
    std::optional<std::size_t> end;
    for (std::size_t have = step; !end; have += step) {
      end = scanner.scan(std::string_view(bytes).substr(0, have)).value();
      ASSERT_LE(have, bytes.size() + step);
    }
    EXPECT_EQ(*end, bytes.size() - 4);
  }
}

TEST(Rfc9112_4_StatusLine, CodesAndReasons) {
  const auto status = [](std::string line) {
    line += "\r\nA: b\r\n\r\n";
    const auto head = parse_response_head(line, HeadLimits{});
    return head ? static_cast<int>(head->status) : -1;
  };
  EXPECT_EQ(status("HTTP/1.1 200 OK"), 200);
  EXPECT_EQ(status("HTTP/1.0 404 "), 404);
  EXPECT_EQ(status("HTTP/1.1 599"), 599);
  EXPECT_EQ(status("HTTP/1.1 200 Sch\xc3\xb6n"), 200);
  for (const char* line : {"", "HTTP/2.0 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
                           "HTTP/1.1  200", "HTTP/1.1 2x0 OK", "HTTP/1.1 099 OK", "HTTP/1.1 200OK",
                           "ICY 200 OK", "HTTP/1.1 200 a\x01"}) {
    EXPECT_EQ(status(line), -1) << line;
  }
}

}  // namespace
}  // namespace interline::net::http

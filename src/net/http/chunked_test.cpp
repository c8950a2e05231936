#include "net/http/chunked.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

// The body and what follows it after a bar; "incomplete"; "refused".
std::string decode(std::string_view input, std::size_t step_size) {
  ChunkDecoder decoder;
  std::string body;
  std::string buffered;
  std::size_t fed = 0;
  for (;;) {
    const auto step = decoder.step(buffered);
    if (!step) return "refused";
    body += step->data;
    buffered.erase(0, step->consumed);
    if (step->done) return body + "|" + buffered + std::string(input.substr(fed));
    if (step->consumed > 0) continue;
    if (fed == input.size()) return "incomplete";
    const std::string_view more = input.substr(fed, step_size);
    buffered += more;
    fed += more.size();
  }
}

void expect_decoded(std::string_view input, std::string_view expected) {
  for (std::size_t step = 1; step <= input.size(); ++step) {
    EXPECT_EQ(decode(input, step), expected) << input << " in steps of " << step;
  }
}

TEST(Rfc9112_7_1_Chunked, ChunksExtensionsAndTrailers) {
  expect_decoded("0\r\n\r\n", "|");
  expect_decoded("5\r\nhello\r\n0\r\n\r\nnext", "hello|next");
  expect_decoded("5\r\nhello\r\n00A\r\n, the world\r\n", "refused");
  expect_decoded("1\r\na\r\nF\r\n0123456789abcde\r\n000\r\n\r\n", "a0123456789abcde|");
  expect_decoded("3;name=value;x=\"y\"\r\nabc\r\n0 ; last\r\n\r\n", "abc|");
  expect_decoded("3\r\n\r\n\n\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n", "\r\n\n|");
}

TEST(Rfc9112_7_1_Chunked, WhatIsCutIsIncomplete) {
  const std::string whole = "5\r\nhello\r\n0\r\nA: b\r\n\r\n";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(decode(whole.substr(0, size), 3), "incomplete") << size;
  }
}

TEST(Rfc9112_7_1_Chunked, EverythingElseIsRefused) {
  for (const std::string& input : {std::string("\r\n"),
                                   std::string("g\r\n"),
                                   std::string(" 5\r\nhello\r\n"),
                                   std::string("-1\r\n"),
                                   std::string("0x5\r\n"),
                                   std::string("5\nhello\r\n0\r\n\r\n"),
                                   std::string("5\r\nhello\n0\r\n\r\n"),
                                   std::string("5\r\nhello0\r\n\r\n"),
                                   std::string("5\r\rhello"),
                                   std::string("5;a\nb\r\nhello"),
                                   std::string(";a\r\n"),
                                   std::string("1000000000000000\r\n"),
                                   std::string("ffffffffffffffff\r\n"),
                                   std::string("0\r\n: x\r\n\r\n"),
                                   std::string("0\r\n x\r\n\r\n"),
                                   std::string("0\r\nA: b\n\r\n"),
                                   std::string("0\r\nA: \x01\r\n\r\n"),
                                   std::string("0\r\n\rx"),
                                   "5;" + std::string(9000, 'a') + "\r\nhello\r\n0\r\n\r\n",
                                   "0\r\nA: " + std::string(9000, 'a') + "\r\n\r\n"}) {
    EXPECT_EQ(decode(input, 1), "refused") << input.substr(0, 40);
    EXPECT_EQ(decode(input, input.size()), "refused") << input.substr(0, 40);
  }
}

TEST(Rfc9112_7_1_Chunked, HeadsAreWrittenInHexadecimal) {
  EXPECT_EQ(chunk_head(1), "1\r\n");
  EXPECT_EQ(chunk_head(0xABCD), "abcd\r\n");
}

}  // namespace
}  // namespace interline::net::http

#include "net/http/sse.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

// "type|data|id" of each event; a last "too_large" where it fails.
std::vector<std::string> parse(std::string_view input, std::size_t step,
                               const SseLimits& limits = {}) {
  SseParser parser(limits);
  std::vector<std::string> events;
  for (std::size_t at = 0; at < input.size(); at += step) {
    parser.append(input.substr(at, step));
    for (;;) {
      auto event = parser.next();
      if (!event) {
        events.push_back(std::string(to_string(event.error().reason)));
        return events;
      }
      if (!*event) break;
      events.push_back((*event)->type + "|" + (*event)->data + "|" + (*event)->id);
    }
  }
  return events;
}

using Events = std::vector<std::string>;

void expect_events(std::string_view input, const Events& expected) {
  for (std::size_t step = 1; step <= input.size(); ++step) {
    EXPECT_EQ(parse(input, step), expected) << "in steps of " << step;
  }
}

// The examples of the standard, section 9.2.6.
TEST(WhatwgSse_9_2_6, ExamplesOfTheStandard) {
  expect_events("data: YHOO\ndata: +2\ndata: 10\n\n", {"|YHOO\n+2\n10|"});
  expect_events(
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third "
      "event\n\n",
      {"|first event|1", "|second event|", "| third event|"});
  expect_events("data\n\ndata\ndata\n\ndata:", {"||", "|\n|"});
  expect_events("data:test\n\ndata: test\n\n", {"|test|", "|test|"});
}

TEST(WhatwgSse_9_2_5, EveryLineEndAndTheByteOrderMark) {
  expect_events(
      "\xEF\xBB\xBF"
      "data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\ndata: e\r\r\n\n",
      {"|a|", "|b|", "|c|", "|d|", "|e|"});
  expect_events(
      "\xEF\xBB"
      "data: a\n\n",
      {});
  expect_events("data: \xEF\xBB\xBF\n\n", {"|\xEF\xBB\xBF|"});
}

TEST(WhatwgSse_9_2_6, FieldsThatCountAndFieldsThatDoNot) {
  expect_events("event: add\nid: 7\nretry: 10\nother: x\ndata: y\n\ndata: z\n\n",
                {"add|y|7", "|z|7"});
  expect_events("event: lost\n\ndata: a\n\n", {"|a|"});
  expect_events(std::string_view("id: a\0b\ndata: x\n\n", 17), {"|x|"});
  expect_events("Data: a\n data: b\ndata : c\n\n", {});
  expect_events("id: 1\n\nid: 2\n\ndata: x\n\n", {"|x|2"});
  expect_events("data: unfinished\n", {});
}

TEST(WhatwgSse_9_2_6, RetryIsDigitsOnly) {
  SseParser parser;
  const auto retry_after = [&](std::string_view line) {
    parser.append(line);
    EXPECT_TRUE(parser.next());
    return parser.retry();
  };
  EXPECT_EQ(retry_after("retry: 1x\nretry:\nretry: -1\nretry: 99999999999999999999\n"),
            std::nullopt);
  EXPECT_EQ(retry_after("retry: 1500\n"), std::chrono::milliseconds(1500));
}

TEST(SseLimits, LinesAndDataAreBounded) {
  SseLimits limits;
  limits.line = 20;
  limits.data = 30;
  EXPECT_EQ(parse("data: 0123456789\n\n" + std::string(100, 'x'), 7, limits),
            (Events{"|0123456789|", "too_large"}));
  EXPECT_EQ(parse("data: 0123456789\ndata: 0123456789\ndata: 0123456789\n\n", 7, limits),
            Events{"too_large"});
}

TEST(Sse, WhatIsWrittenIsRead) {
  SseEvent event;
  event.type = "message\ndata: forged";
  event.id = std::string("9\r\0", 3);
  event.data = "one\r\n\ntwo\rthree\n";
  const std::string text = encode_comment("keep\nalive") + encode_event(event);
  EXPECT_EQ(text,
            ": keepalive\n\nevent: messagedata: forged\nid: 9\ndata: one\ndata: \ndata: two\n"
            "data: three\ndata: \n\n");
  expect_events(text, {"messagedata: forged|one\n\ntwo\nthree\n|9"});
}

TEST(Sse, ANulIsLeftOutOfIdsAlone) {
  SseEvent event;
  event.type = std::string("a\0b", 3);
  event.id = std::string(
      "1\0"
      "2",
      3);
  event.data = std::string("c\0d", 3);
  expect_events(encode_event(event), {event.type + "|" + event.data + "|12"});
}

}  // namespace
}  // namespace interline::net::http

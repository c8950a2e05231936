// Tasks as people read them.
#include "cli/task_text.hpp"

#include <gtest/gtest.h>

#include "cli/control_client.hpp"
#include "cli/gateway_verb.hpp"
#include "cli/pages.hpp"
#include "json/parse.hpp"

namespace interline::cli {
namespace {

std::string line(const std::string& entry) {
  return entry_line(json::parse(entry)->root());
}

std::string content(const std::string& result, bool terminal) {
  return content_text(json::parse(result)->root(), terminal);
}

TEST(TaskText, ProgressIsPercentStageAndMessage) {
  EXPECT_EQ(line(R"({"type":"progress","body":{"percent":49.6,"stage":"s","message":"m"}})"),
            "50 %  s  m");
  EXPECT_EQ(line(R"({"type":"progress","body":{"message":"m"}})"), "m");
  EXPECT_EQ(line(R"({"type":"progress","body":{"percent":1e300}})"), "100 %");
  EXPECT_EQ(line(R"({"type":"progress","body":{"percent":"x"}})"), "");
}

TEST(TaskText, NothingThatATerminalActsOnPasses) {
  EXPECT_EQ(line(R"({"type":"progress","body":{"message":"a\u001b[31mb\nc"}})"),
            "a\\u{1b}[31mb\\u{a}c");
  EXPECT_EQ(content(R"({"content":[{"type":"text","text":"a\u001b[31m\tb\nc\u009b"}]})", true),
            "a\\u{1b}[31m\tb\nc\\u{9b}\n");
}

TEST(TaskText, APipeGetsTheTextAsItIs) {
  EXPECT_EQ(content(R"({"content":[{"type":"text","text":"a\u001b[31m"}]})", false), "a\x1b[31m\n");
}

TEST(TaskText, WhatIsNoTextIsNamed) {
  EXPECT_EQ(
      content(R"({"content":[{"type":"image","mimeType":"image/png","data":"AA=="},)"
              R"({"type":"resource_link","uri":"file:///x"},)"
              R"({"type":"resource","resource":{"uri":"u","text":"t\n"}},{}]})",
              true),
      "[image image/png; --json shows it]\n[link file:///x]\nt\n[content ; --json shows it]\n");
}

TEST(TaskText, StructuredContentIsShownWhereThereIsNothingElse) {
  EXPECT_EQ(content(R"({"content":[],"structuredContent":{"a":1}})", true), "{\"a\":1}\n");
  EXPECT_EQ(content(R"({"content":[]})", true), "");
}

TEST(TaskText, EndingsSayWhetherItIsASuccess) {
  const auto ending = [](const std::string& task) { return ending_of(json::parse(task)->root()); };
  EXPECT_TRUE(ending(R"({"state":"completed","outcome":{"result":{"content":[]}}})").success);
  EXPECT_FALSE(ending(R"({"state":"completed","outcome":{"result":{"isError":true}}})").success);
  const Ending failed = ending(
      R"({"state":"failed","outcome":{"error":{"code":"c","message":"m","retryable":true}}})");
  EXPECT_FALSE(failed.success);
  EXPECT_EQ(failed.sentence, "the task failed: m (c); calling again may help");
  EXPECT_EQ(ending(R"({"state":"cancelled","outcome":{"reason":"r"}})").sentence,
            "the task was cancelled: r");
}

TEST(TaskText, TablesAreAsWideAsTheirCells) {
  EXPECT_EQ(table_text({"A", "B"}, {{"ää", "1"}, {"x", ""}}), "A   B\nää  1\nx\n");
}

TEST(ShellWords, AreReadBackAsTheyWere) {
  EXPECT_EQ(shell_word("a-b.c/d"), "a-b.c/d");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

TEST(ControlClient, SegmentsOfPathsAreEncoded) {
  EXPECT_EQ(path_segment("a b/c?\xc3\xa4"), "a%20b%2Fc%3F%C3%A4");
}

TEST(ControlClient, ErrorsAreReadBack) {
  const Error error = read_error(
      409,
      R"({"error":{"code":"conflict","reason":"stale_revision","message":"m","retryAfter":1.5}})");
  EXPECT_EQ(error.kind, ErrorKind::conflict);
  EXPECT_EQ(error.reason, ErrorReason::stale_revision);
  EXPECT_EQ(error.message, "m");
  EXPECT_EQ(error.retry_after, std::chrono::milliseconds(1'500));
  EXPECT_EQ(read_error(500, "<html>").kind, ErrorKind::internal);
  EXPECT_EQ(read_error(500, R"({"error":7})").kind, ErrorKind::internal);
}

}  // namespace
}  // namespace interline::cli

#include "net/line_buffer.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace interline::net {
namespace {

// "text" whole, "text~" not terminated, "text!" too long.
std::vector<std::string> lines_of(std::string_view input, std::size_t limit, std::size_t step) {
  LineBuffer buffer(limit);
  std::vector<std::string> lines;
  const auto note = [&](const Line& line) {
    lines.push_back(line.text + (line.too_long ? "!" : "") + (line.terminated ? "" : "~"));
  };
  for (std::size_t at = 0; at < input.size(); at += step) {
    buffer.append(input.substr(at, step));
    while (auto line = buffer.next()) note(*line);
  }
  if (auto line = buffer.rest()) note(*line);
  EXPECT_FALSE(buffer.rest());
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineBuffer, EverySplittingGivesTheSameLines) {
  const std::string input = "one\n\ntwo words\nexact\nlonger than ten\nafter\n" +
                            std::string(100, 'x') + "\nlast, and cut";
  const Lines expected{"one",         "",      "two words",   "exact",
                       "longer tha!", "after", "xxxxxxxxxx!", "last, and !~"};
  for (std::size_t step = 1; step <= input.size(); ++step) {
    EXPECT_EQ(lines_of(input, 10, step), expected) << "step " << step;
  }
}

TEST(LineBuffer, TheLimitItselfIsAllowed) {
  EXPECT_EQ(lines_of("0123456789\n", 10, 3), Lines{"0123456789"});
  EXPECT_EQ(lines_of("0123456789a\n", 10, 3), Lines{"0123456789!"});
  EXPECT_EQ(lines_of("0123456789", 10, 3), Lines{"0123456789~"});
}

TEST(LineBuffer, ALineThatIsTooLongKeepsItsEnd) {
  const std::string input = "head " + std::string(1'000, 'x') + " end\nshort\n0123456789ab\n";
  for (const std::size_t step : {1U, 7U, 300U, 2'000U}) {
    LineBuffer buffer(10);
    std::vector<std::string> tails;
    for (std::size_t at = 0; at < input.size(); at += step) {
      buffer.append(std::string_view(input).substr(at, step));
      while (auto line = buffer.next()) tails.push_back(line->tail);
    }
    const std::string last = std::string(Line::kTail - 4, 'x') + " end";
    EXPECT_EQ(tails, (Lines{last, "", "ab"})) << "step " << step;
  }
}

TEST(LineBuffer, ALineWithoutAnEndIsToldOfOnceForEachLimit) {
  for (const std::size_t step : {1U, 3U, 7U}) {
    LineBuffer buffer(10);
    std::vector<std::size_t> told;
    const std::string input(100, 'x');
    for (std::size_t at = 0; at < input.size(); at += step) {
      buffer.append(std::string_view(input).substr(at, step));
      EXPECT_FALSE(buffer.next());
      const auto line = buffer.overflow();
      if (!line) continue;
      EXPECT_EQ(line->text, "xxxxxxxxxx");
      EXPECT_TRUE(line->too_long && !line->ended);
      told.push_back(line->length);
      EXPECT_FALSE(buffer.overflow()) << "told already";
    }
    ASSERT_FALSE(told.empty());
    EXPECT_LE(told.front(), 10 + step);
    EXPECT_LE(told.size(), 9U);
    EXPECT_GT(told.size(), 5U);
    buffer.append("\nx\n");
    const auto whole = buffer.next();
    ASSERT_TRUE(whole && whole->ended);
    EXPECT_EQ(whole->length, 100U);
    EXPECT_EQ(buffer.next()->length, 1U);
    EXPECT_FALSE(buffer.overflow());
  }
}

TEST(LineBuffer, NoInputAndNewlinesOnly) {
  EXPECT_EQ(lines_of("", 10, 1), Lines{});
  EXPECT_EQ(lines_of("\n\n", 10, 1), (Lines{"", ""}));
}

}  // namespace
}  // namespace interline::net

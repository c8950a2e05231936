#include "app/process_figures.hpp"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace interline::app {
namespace {

// proc(5): pid, name, state, then numbers.
constexpr std::string_view kStat =
    "4711 (a) b (c)) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 7 0 12345 1048576 300 "
    "18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

TEST(ProcessFigures, AreReadBehindTheName) {
  const auto figures = parse_process_stat(kStat, 100, 4'096);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->cpu_seconds, 3);
  EXPECT_EQ(figures->threads, 7U);
  EXPECT_EQ(figures->start_seconds, 123.45);
  EXPECT_EQ(figures->virtual_bytes, 1'048'576U);
  EXPECT_EQ(figures->resident_bytes, 300U * 4'096U);
}

TEST(ProcessFigures, TextThatIsCutIsNone) {
  EXPECT_FALSE(parse_process_stat("", 100, 4'096));
  EXPECT_FALSE(parse_process_stat("4711 (name) S 1 4711", 100, 4'096));
}

TEST(ProcessFigures, OfThisProcessArePlausible) {
  const auto figures = read_process_figures();
  ASSERT_TRUE(figures);
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_GT(figures->start_seconds, 1e9);
  EXPECT_LT(figures->start_seconds, now.count() + 60);
  EXPECT_GT(figures->resident_bytes, 100'000U);
  EXPECT_GE(figures->virtual_bytes, figures->resident_bytes);
  EXPECT_GE(figures->open_files, 3U);
  EXPECT_GE(figures->most_files, figures->open_files);
  EXPECT_GE(figures->threads, 1U);
}

}  // namespace
}  // namespace interline::app

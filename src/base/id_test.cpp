#include "base/id.hpp"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "base/manual_clock.hpp"

namespace interline {
namespace {

using namespace std::chrono_literals;

/// 0x00, 0x01, ... over all fills.
RandomFill counting() {
  return [byte = std::uint8_t{0}](std::span<std::uint8_t> out) mutable {
    for (std::uint8_t& to : out) to = byte++;
  };
}

TEST(Id_Forms, LengthFrom22To128) {
  for (std::size_t size = 0; size <= 200; ++size) {
    const bool fits = size >= 22 && size <= 128;
    EXPECT_EQ(is_own_id(std::string(size, 'x')), fits) << size;
    EXPECT_EQ(is_foreign_id(std::string(size, 'x')), fits) << size;
  }
}

TEST(Id_Forms, EveryByteAtBothEnds) {
  for (int byte = 0; byte < 256; ++byte) {
    const bool alphanumeric = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                              (byte >= '0' && byte <= '9');
    const bool own = alphanumeric || byte == '_' || byte == '-';
    const bool foreign = own || byte == '.' || byte == '~';
    for (const std::size_t at : {0U, 21U}) {
      std::string text(22, 'x');
      text[at] = static_cast<char>(byte);
      EXPECT_EQ(is_own_id(text), own) << byte;
      EXPECT_EQ(is_foreign_id(text), foreign) << byte;
    }
  }
}

TEST(Id_Source, MakesOurOwnFormOf31Characters) {
  ManualClock clock;
  IdSource source;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = source.next(clock.now());
    EXPECT_EQ(id.size(), 31U);
    EXPECT_TRUE(is_own_id(id)) << id;
  }
}

TEST(Id_Source, IsTheTimeThenTheRandomBytes) {
  IdSource source(counting());
  EXPECT_EQ(source.next(SystemTime(63us)), "--------z-0123456789ABCDEFGHIJK");
  EXPECT_EQ(source.next(SystemTime(64us)), "-------0-LMNOPQRSTUVWXYZ_abcdef");
  EXPECT_EQ(source.next(SystemTime(64us + 999ns)), "-------00ghijklmnopqrstuvwxyz-0");
}

TEST(Id_Source, SortsByTimeAsBytes) {
  ManualClock clock;
  IdSource source;
  std::vector<std::string> ids;
  for (const auto step : {1us, 63us, 64us, 4096us, 1'000'000us, 86'400'000'000us}) {
    for (int i = 0; i < 200; ++i) {
      ids.push_back(source.next(clock.now()));
      clock.tick(step);
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(ids));
}

TEST(Id_Source, SourcesThatShareNothingSortByTimeToo) {
  ManualClock clock;
  std::vector<std::string> ids;
  for (int i = 0; i < 500; ++i) {
    IdSource source;
    ids.push_back(source.next(clock.now()));
    clock.tick(777us);
  }
  EXPECT_TRUE(std::ranges::is_sorted(ids));
}

TEST(Id_Source, StrictlyAscendingWithinOneInstant) {
  const ManualClock clock;
  IdSource source([](std::span<std::uint8_t> out) { std::ranges::fill(out, std::uint8_t{0}); });
  std::string last = source.next(clock.now());
  for (int i = 0; i < 10'000; ++i) {
    const std::string id = source.next(clock.now());
    ASSERT_LT(last, id);
    last = id;
  }
}

TEST(Id_Source, StrictlyAscendingWhenTheClockIsSetBack) {
  ManualClock clock;
  IdSource source;
  const std::string before = source.next(clock.now());
  clock.set(clock.now() - 24h);
  const std::string after = source.next(clock.now());
  EXPECT_LT(before, after);
  clock.tick(48h);
  EXPECT_LT(after, source.next(clock.now()));
}

TEST(Id_Source, TimesBeyondTheHeadAreClamped) {
  IdSource source(counting());
  EXPECT_TRUE(is_own_id(source.next(SystemTime::min())));
  EXPECT_TRUE(source.next(SystemTime::min()).starts_with("--------1"));
  EXPECT_TRUE(is_own_id(source.next(SystemTime::max())));
}

TEST(Id_Source, ThreadsNeverGetTheSameHead) {
  const ManualClock clock;
  IdSource source;
  std::vector<std::vector<std::string>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& ids : made) {
      threads.emplace_back([&ids, &source, &clock] {
        for (int i = 0; i < 2000; ++i) ids.push_back(source.next(clock.now()).substr(0, 9));
      });
    }
  }
  std::set<std::string> heads;
  for (const auto& ids : made) {
    EXPECT_TRUE(std::ranges::is_sorted(ids));
    heads.insert(ids.begin(), ids.end());
  }
  EXPECT_EQ(heads.size(), 8000U);
}

TEST(Id_Source, EveryRandomDigitTakesEveryValue) {
  const ManualClock clock;
  IdSource source;
  std::vector<std::set<char>> seen(22);
  for (int i = 0; i < 5000; ++i) {  // a value is missed with a probability below 1e-33 each
    const std::string id = source.next(clock.now());
    for (std::size_t at = 0; at < seen.size(); ++at) seen[at].insert(id[9 + at]);
  }
  for (const auto& values : seen) EXPECT_EQ(values.size(), 64U);
}

TEST(RandomToken, IsThatManyBytesAndNeverTheSame) {
  for (const std::size_t size : {0U, 1U, 16U, 32U, 300U}) {
    const auto bytes = decode_base64url(random_token(size));
    ASSERT_TRUE(bytes.has_value());
    EXPECT_EQ(bytes->size(), size);
  }
  std::set<std::string> tokens;
  for (int i = 0; i < 1000; ++i) tokens.insert(random_token(16));
  EXPECT_EQ(tokens.size(), 1000U);
}

}  // namespace
}  // namespace interline

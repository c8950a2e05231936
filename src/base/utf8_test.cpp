#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace interline {
namespace {

using namespace std::string_view_literals;

/// The definition, the long way round: bytes form a scalar value and are its shortest form.
bool by_definition(std::string_view bytes) {
  const auto lead = static_cast<std::uint8_t>(bytes.front());
  std::size_t size = 0;
  char32_t value = 0;
  if (lead < 0x80) {
    size = 1;
    value = lead;
  } else if ((lead & 0xE0U) == 0xC0U) {
    size = 2;
    value = lead & 0x1FU;
  } else if ((lead & 0xF0U) == 0xE0U) {
    size = 3;
    value = lead & 0x0FU;
  } else if ((lead & 0xF8U) == 0xF0U) {
    size = 4;
    value = lead & 0x07U;
  }
  if (bytes.size() != size) return false;
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    if ((byte & 0xC0U) != 0x80U) return false;
    value = value << 6U | (byte & 0x3FU);
  }
  constexpr char32_t kFirst[] = {0, 0, 0x80, 0x800, 0x10000};
  return value >= kFirst[size] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

std::string bytes_of(std::initializer_list<unsigned> bytes) {
  std::string out;
  for (const unsigned byte : bytes) out.push_back(static_cast<char>(byte));
  return out;
}

TEST(Utf8, EveryScalarValueRoundTrips) {
  std::string all;
  std::size_t count = 0;
  for (char32_t scalar = 0; scalar <= 0x10FFFF; ++scalar) {
    if (scalar == 0xD800) scalar = 0xE000;
    std::string one;
    append_utf8(one, scalar);
    const Utf8CodePoint strict = decode_utf8(one);
    const Utf8CodePoint trusting = decode_valid_utf8(one.data());
    ASSERT_EQ(strict.value, scalar);
    ASSERT_EQ(strict.size, one.size());
    ASSERT_EQ(trusting.value, scalar);
    ASSERT_EQ(trusting.size, one.size());
    all += one;
    ++count;
  }
  EXPECT_EQ(count, 0x110000U - 0x800U);
  EXPECT_TRUE(is_valid_utf8(all));
  EXPECT_EQ(count_code_points(all), count);
}

TEST(Utf8, EverySequenceOfTwoBytes) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string text = bytes_of({a, b});
      const bool expected = by_definition(text) || (a < 0x80 && b < 0x80);
      ASSERT_EQ(is_valid_utf8(text), expected) << a << " " << b;
    }
  }
}

TEST(Utf8, EverySequenceOfThreeBytesAfterALeadOfThree) {
  for (unsigned a = 0xE0; a < 0xF0; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (unsigned c = 0; c < 256; ++c) {
        const std::string text = bytes_of({a, b, c});
        ASSERT_EQ(is_valid_utf8(text), by_definition(text)) << a << " " << b << " " << c;
        ASSERT_EQ(decode_utf8(text).size, by_definition(text) ? 3 : 0);
      }
    }
  }
}

TEST(Utf8, SequencesOfFourBytesAtEveryBorder) {
  constexpr unsigned kTails[] = {0x00, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0xFF};
  for (unsigned a = 0xF0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (const unsigned c : kTails) {
        for (const unsigned d : kTails) {
          const std::string text = bytes_of({a, b, c, d});
          ASSERT_EQ(is_valid_utf8(text), by_definition(text)) << a << " " << b << " " << c;
          ASSERT_EQ(decode_utf8(text).size, by_definition(text) ? 4 : 0);
        }
      }
    }
  }
}

TEST(Utf8, ASequenceCutShortIsInvalid) {
  for (const std::string_view whole : {"é"sv, "€"sv, "😀"sv}) {
    for (std::size_t size = 1; size < whole.size(); ++size) {
      EXPECT_EQ(valid_utf8_prefix(whole.substr(0, size)), 0U);
      EXPECT_EQ(decode_utf8(whole.substr(0, size)).size, 0);
    }
  }
  EXPECT_EQ(decode_utf8("").size, 0);
}

TEST(Utf8, TheBadByteIsFoundAtEveryPlaceAndAlignment) {
  for (std::size_t size = 1; size <= 80; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size + 8, 'a');
      text[at + 8] = '\xFF';
      const std::string_view unaligned = std::string_view(text).substr(8 - at % 8);
      EXPECT_EQ(valid_utf8_prefix(unaligned), at + at % 8);
      EXPECT_EQ(ascii_prefix(unaligned), at + at % 8);
    }
  }
}

TEST(Utf8, AsciiPrefixEndsWhereMultibyteTextBegins) {
  EXPECT_EQ(ascii_prefix(""), 0U);
  EXPECT_EQ(ascii_prefix("plain"), 5U);
  EXPECT_EQ(ascii_prefix("a fairly long run of plain characters, then é"), 44U);
}

TEST(Utf8, CountsCodePointsAtEveryLength) {
  std::string text;
  for (std::size_t count = 0; count < 50; ++count) {
    EXPECT_EQ(count_code_points(text), count);
    append_utf8(text, count % 4 == 0 ? U'a' : count % 4 == 1 ? U'é' : count % 4 == 2 ? U'€' : U'😀');
  }
}

TEST(Utf8, CutSplitsNoCodePoint) {
  EXPECT_EQ(cut_utf8("a€b", 5), "a€b");
  EXPECT_EQ(cut_utf8("a€b", 4), "a€");
  EXPECT_EQ(cut_utf8("a€b", 3), "a");
  EXPECT_EQ(cut_utf8("a€b", 2), "a");
  EXPECT_EQ(cut_utf8("a€b", 1), "a");
  EXPECT_EQ(cut_utf8("a€b", 0), "");
  EXPECT_EQ(cut_utf8("😀", 3), "");
}

}  // namespace
}  // namespace interline

#include "json/canonical.hpp"

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::json {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string canonical_text(std::string_view text) {
  const auto document = parse(text);
  if (!document) return "not JSON: " + to_string(document.error());
  return canonical(document->root());
}

std::string number_text(std::uint64_t bits) {
  std::string text;
  append_number(text, std::bit_cast<double>(bits));
  return text;
}

TEST(Rfc8785_Vectors, EveryInputGivesItsOutputByteForByte) {
  const std::string folder = INTERLINE_SOURCE_DIR "/tests/vectors/rfc8785/testdata/";
  for (const std::string name : {"arrays", "french", "structures", "unicode", "values", "weird"}) {
    const std::string result = canonical_text(read_file(folder + "input/" + name + ".json"));
    EXPECT_EQ(result, read_file(folder + "output/" + name + ".json")) << name;
    std::string hex;
    for (const char c : result) {
      static constexpr char kHex[] = "0123456789abcdef";
      hex += kHex[static_cast<unsigned char>(c) >> 4U];
      hex += kHex[static_cast<unsigned char>(c) & 15U];
    }
    std::string expected;
    for (const char c : read_file(folder + "outhex/" + name + ".txt")) {
      if (c != ' ' && c != '\n' && c != '\r') expected += c;
    }
    EXPECT_EQ(hex, expected) << name;
  }
}

struct NumberSample {
  std::uint64_t bits;
  std::string_view text;
};

// RFC 8785 Appendix B, row for row (but for NaN and the infinities, which no JSON text holds).
constexpr NumberSample kAppendixB[] = {
    {0x0000000000000000, "0"},
    {0x8000000000000000, "0"},
    {0x0000000000000001, "5e-324"},
    {0x8000000000000001, "-5e-324"},
    {0x7fefffffffffffff, "1.7976931348623157e+308"},
    {0xffefffffffffffff, "-1.7976931348623157e+308"},
    {0x4340000000000000, "9007199254740992"},
    {0xc340000000000000, "-9007199254740992"},
    {0x4430000000000000, "295147905179352830000"},
    {0x44b52d02c7e14af5, "9.999999999999997e+22"},
    {0x44b52d02c7e14af6, "1e+23"},
    {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
    {0x444b1ae4d6e2ef4e, "999999999999999700000"},
    {0x444b1ae4d6e2ef4f, "999999999999999900000"},
    {0x444b1ae4d6e2ef50, "1e+21"},
    {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
    {0x3eb0c6f7a0b5ed8d, "0.000001"},
    {0x41b3de4355555553, "333333333.3333332"},
    {0x41b3de4355555554, "333333333.33333325"},
    {0x41b3de4355555555, "333333333.3333333"},
    {0x41b3de4355555556, "333333333.3333334"},
    {0x41b3de4355555557, "333333333.33333343"},
    {0xbecbf647612f3696, "-0.0000033333333333333333"},
    {0x43143ff3c1cb0959, "1424953923781206.2"},
};

TEST(Rfc8785_Numbers, AppendixB) {
  for (const NumberSample& sample : kAppendixB) {
    EXPECT_EQ(number_text(sample.bits), sample.text);
    // And through the parser: the text is the nearest double's own.
    EXPECT_EQ(canonical_text(sample.text), sample.text);
  }
}

TEST(Rfc8785_Numbers, NegativeZeroIsZero) {
  EXPECT_EQ(canonical_text("[-0,-0.0,-0e5,-1e-400]"), "[0,0,0,0]");
}

TEST(Rfc8785_Numbers, SpellingDoesNotMatter) {
  EXPECT_EQ(canonical_text("[1.0,1e0,10e-1,1E+0,0.1e1]"), "[1,1,1,1,1]");
  EXPECT_EQ(canonical_text("[1e20,1e21,1e-6,1e-7,123e-20]"),
            "[100000000000000000000,1e+21,0.000001,1e-7,1.23e-18]");
  EXPECT_EQ(canonical_text("[12.50,3.00,-100.0,0.10,0.0000010,0.00]"),
            "[12.5,3,-100,0.1,0.000001,0]");
  EXPECT_EQ(canonical_text("[9007199254740992,9007199254740993,-9007199254740993]"),
            "[9007199254740992,9007199254740992,-9007199254740992]");
}

TEST(Rfc8785_Strings, EscapesOnlyWhatMustBe) {
  EXPECT_EQ(canonical_text(R"("\u0000\u0007\b\t\n\u000b\f\r\u001f")"),
            R"("\u0000\u0007\b\t\n\u000b\f\r\u001f")");
  EXPECT_EQ(canonical_text(R"("\/\u002f\u007f\u0080\u2028\ud83d\ude02\"\\")"),
            "\"//\x7F\xC2\x80\xE2\x80\xA8\xF0\x9F\x98\x82\\\"\\\\\"");
  EXPECT_EQ(canonical_text(R"({"\u0061\u0022":1})"), R"({"a\"":1})");
}

TEST(Rfc8785_Names, SortedByUtf16CodeUnits) {
  // U+10000 is D800 DC00 in UTF-16: before U+E000 and U+FFFF, though its UTF-8 is after theirs.
  EXPECT_EQ(canonical_text(R"({"\uffff":1,"\ue000":2,"\ud800\udc00":3,"\udbff\udfff":4,"\ud7ff":5,
                               "a":6,"":7,"aa":8})"),
            "{\"\":7,\"a\":6,\"aa\":8,\"\xED\x9F\xBF\":5,\"\xF0\x90\x80\x80\":3,"
            "\"\xF4\x8F\xBF\xBF\":4,\"\xEE\x80\x80\":2,\"\xEF\xBF\xBF\":1}");
}

TEST(Rfc8785_Names, Utf16OrderAgreesWithConversion) {
  const std::u32string points = {U'\0',     U'a',      U'\x7F',   U'\x80',    U'\x7FF',   U'\x800',
                                 U'\xD7FF', U'\xE000', U'\xFFFF', U'\x10000', U'\x10FFFF'};
  const auto utf8 = [](char32_t c) {
    std::string out;
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xC0U | c >> 6U);
      out += static_cast<char>(0x80U | (c & 63U));
    } else if (c < 0x10000) {
      out += static_cast<char>(0xE0U | c >> 12U);
      out += static_cast<char>(0x80U | (c >> 6U & 63U));
      out += static_cast<char>(0x80U | (c & 63U));
    } else {
      out += static_cast<char>(0xF0U | c >> 18U);
      out += static_cast<char>(0x80U | (c >> 12U & 63U));
      out += static_cast<char>(0x80U | (c >> 6U & 63U));
      out += static_cast<char>(0x80U | (c & 63U));
    }
    return out;
  };
  const auto utf16 = [](char32_t c) {
    if (c < 0x10000) return std::u16string(1, static_cast<char16_t>(c));
    return std::u16string{static_cast<char16_t>(0xD7C0 + (c >> 10U)),
                          static_cast<char16_t>(0xDC00 + (c & 0x3FFU))};
  };
  for (const char32_t a : points) {
    for (const char32_t b : points) {
      for (const char32_t c : points) {
        const std::string left = utf8(a) + utf8(b);
        const std::string right = utf8(a) + utf8(c);
        EXPECT_EQ(utf16_less(left, right), utf16(a) + utf16(b) < utf16(a) + utf16(c));
        EXPECT_EQ(utf16_less(left, utf8(c)), utf16(a) + utf16(b) < utf16(c));
      }
    }
  }
}

TEST(Rfc8785_Names, LargeObjectsAreSortedToo) {
  for (const int count : {15, 16, 17, 18, 5000}) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) {
      // Alike in their first bytes, and in reverse order.
      text += (i == 0 ? "\"" : ",\"") + ("common head " + std::to_string(9'000'000 - i)) + "\":0";
    }
    const std::string sorted = canonical_text(text + "}");
    const auto document = parse(sorted);
    ASSERT_TRUE(document);
    ASSERT_EQ(document->root().size(), static_cast<std::size_t>(count));
    for (std::size_t i = 1; i < document->root().size(); ++i) {
      const auto members = document->root().members();
      ASSERT_TRUE(members[i - 1].name() < members[i].name());
    }
  }
}

TEST(Rfc8785_Names, NestedObjectsAreSortedEach) {
  EXPECT_EQ(canonical_text(R"({"b":{"z":1,"y":{"d":1,"c":2}},"a":[{"y":1,"x":2}]})"),
            R"({"a":[{"x":2,"y":1}],"b":{"y":{"c":2,"d":1},"z":1}})");
}

TEST(Canonical, AppendsToWhatIsThere) {
  const auto document = parse("{ }");
  std::string out = "x=";
  append_canonical(out, document->root());
  EXPECT_EQ(out, "x={}");
  append_canonical(out, Value());
  EXPECT_EQ(out, "x={}null");
}

TEST(Canonical, OfOneValueInsideADocument) {
  const auto document = parse(R"({"args": { "b" : 1.0, "a" : [ ] }})");
  EXPECT_EQ(canonical(*document->root().find("args")), R"({"a":[],"b":1})");
}

TEST(Canonical, OverflowedNumbersKeepTheirText) {
  // No canonical form exists for them (canonical.hpp); what is written is at least the same number.
  const auto document = parse("[1e400]", {}, Numbers::faithful);
  EXPECT_EQ(canonical(document->root()), "[1e400]");
}

TEST(Canonical, DeepValuesWithoutRecursion) {
  constexpr std::size_t kDepth = 500'000;
  std::string text;
  for (std::size_t i = 0; i < kDepth; ++i) text += i % 2 == 0 ? "[" : "{\"b\":1,\"a\":";
  text += "0";
  for (std::size_t i = kDepth; i-- > 0;) text += i % 2 == 0 ? "]" : "}";
  Limits limits;
  limits.depth = kDepth;
  limits.bytes = text.size();
  const auto document = parse(text, limits);
  ASSERT_TRUE(document);
  EXPECT_EQ(canonical(document->root()).size(), text.size());
}

}  // namespace
}  // namespace interline::json

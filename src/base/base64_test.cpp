#include "base/base64.hpp"

#include <set>
#include <vector>

#include <openssl/evp.h>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace interline {
namespace {

using namespace std::string_literals;

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct Vector {
  std::string_view bytes;
  std::string_view base64;
};
constexpr Vector kVectors[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
};

TEST(Rfc4648_Section10, TestVectors) {
  for (const Vector& vector : kVectors) {
    EXPECT_EQ(encode_base64(vector.bytes), vector.base64);
    EXPECT_EQ(decode_base64(vector.base64), vector.bytes);
    const std::string_view unpadded = vector.base64.substr(0, vector.base64.find('='));
    EXPECT_EQ(encode_base64url(vector.bytes), unpadded);
    EXPECT_EQ(decode_base64url(unpadded), vector.bytes);
  }
}

TEST(Rfc4648_Section5, TheUrlAlphabetDiffersInTwoDigits) {
  EXPECT_EQ(encode_base64("\xFB\xEF\xFF"), "++//");
  EXPECT_EQ(encode_base64url("\xFB\xEF\xFF"), "--__");
  EXPECT_EQ(decode_base64url("--__"), "\xFB\xEF\xFF");
  EXPECT_FALSE(decode_base64("--__").has_value());
  EXPECT_FALSE(decode_base64url("++//").has_value());
}

TEST(Base64, AgreesWithOpensslForEveryLengthTo200) {
  for (std::size_t size = 0; size <= 200; ++size) {
    std::vector<std::uint8_t> bytes(size);
    random_bytes(bytes);
    std::vector<std::uint8_t> expected((size + 2) / 3 * 4 + 1);
    EVP_EncodeBlock(expected.data(), bytes.data(), static_cast<int>(size));
    expected.pop_back();
    const std::string text = encode_base64(bytes);
    EXPECT_EQ(text, as_text(expected));
    EXPECT_EQ(decode_base64(text), as_text(bytes));
    EXPECT_EQ(decode_base64url(encode_base64url(bytes)), as_text(bytes));
  }
}

TEST(Base64, EveryOneAndTwoBytesRoundTrip) {
  for (unsigned a = 0; a < 256; ++a) {
    const std::string one(1, static_cast<char>(a));
    ASSERT_EQ(decode_base64(encode_base64(one)), one);
    ASSERT_EQ(decode_base64url(encode_base64url(one)), one);
    for (unsigned b = 0; b < 256; ++b) {
      const std::string two = one + static_cast<char>(b);
      ASSERT_EQ(decode_base64(encode_base64(two)), two);
      ASSERT_EQ(decode_base64url(encode_base64url(two)), two);
    }
  }
}

// Section 3.5: of the texts of 2 (3) digits, exactly 256 (65536) are canonical.
TEST(Rfc4648_Section35, ShortTextsDecodeExactlyWhenCanonical) {
  std::set<std::string> decoded;
  for (const char a : kAlphabet) {
    for (const char b : kAlphabet) {
      const std::string text = {a, b};
      const auto one = decode_base64(text + "==");
      if (!one) continue;
      EXPECT_EQ(encode_base64(*one), text + "==");
      decoded.insert(*one);
    }
  }
  EXPECT_EQ(decoded.size(), 256U);
  decoded.clear();
  for (const char a : kAlphabet) {
    for (const char b : kAlphabet) {
      for (const char c : kAlphabet) {
        const std::string text = {a, b, c};
        const auto two = decode_base64(text + "=");
        if (!two) continue;
        ASSERT_EQ(encode_base64(*two), text + "=");
        decoded.insert(*two);
      }
    }
  }
  EXPECT_EQ(decoded.size(), 65'536U);
}

TEST(Rfc4648_Section33, EveryOtherByteIsRefusedAtEveryPlace) {
  for (std::size_t at = 0; at < 4; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      std::string text = "AAAAAAAA";
      text[4 + at] = c;
      const bool digit = kAlphabet.find(c) != std::string_view::npos;
      const bool padding = c == '=' && at == 3;
      EXPECT_EQ(decode_base64(text).has_value(), digit || padding) << at << " " << byte;
      text = "AAAA";
      text[at] = c;  // followed by another group: no padding here
      EXPECT_EQ(decode_base64(text + "AAAA").has_value(), digit) << at << " " << byte;
    }
  }
}

TEST(Rfc4648_Section32, PaddingMustBeThereAndOnlyThere) {
  for (const char* text : {"Zg", "Zg=", "Zm8", "Zg===", "Zg====", "=", "==", "===", "====", "Z===",
                           "Zm9v====", "Zg==Zg==", "=Zg=", "Z=g=", "Zm9v=", "Zm9vY"}) {
    EXPECT_FALSE(decode_base64(text).has_value()) << text;
  }
  for (const char* text : {"Zg==", "Zm8=", "Z", "Zm9vY", "Zg=", "="}) {
    EXPECT_FALSE(decode_base64url(text).has_value()) << text;
  }
}

TEST(Base64, WhiteSpaceIsRefused) {
  for (const char* text : {" Zm9v", "Zm9v\n", "Zm\n9v", "Zm9v    ", "Zm 9"}) {
    EXPECT_FALSE(decode_base64(text).has_value()) << text;
    EXPECT_FALSE(decode_base64url(text).has_value()) << text;
  }
  EXPECT_FALSE(decode_base64("Zm9\0"s).has_value());
}

TEST(Base64, ErrorsAreMalformed) {
  EXPECT_EQ(decode_base64("Zh==").error(),
            Error(ErrorKind::malformed, "Base64 with trailing bits that are not zero"));
  EXPECT_EQ(decode_base64("Z").error().kind, ErrorKind::malformed);
  EXPECT_EQ(decode_base64url("Z*").error().kind, ErrorKind::malformed);
}

}  // namespace
}  // namespace interline

#include "base/base64.hpp"

#include <array>

namespace interline {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNoDigit = 0x40;  // a bit that no digit has

using Digits = std::array<std::uint8_t, 256>;

constexpr Digits digits_of(std::string_view alphabet) {
  Digits digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    digits[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}
constexpr Digits kDigits = digits_of(kAlphabet);
constexpr Digits kUrlDigits = digits_of(kUrlAlphabet);

/// Without padding.
std::string encode(BytesView bytes, std::string_view alphabet) {
  std::string out((bytes.size() * 4 + 2) / 3, '\0');
  char* to = out.data();
  const auto put = [&to, alphabet](std::uint32_t bits) { *to++ = alphabet[bits & 0x3FU]; };
  std::size_t at = 0;
  for (; bytes.size() - at >= 3; at += 3) {
    const std::uint32_t bits = static_cast<std::uint32_t>(bytes[at]) << 16U |
                               static_cast<std::uint32_t>(bytes[at + 1]) << 8U | bytes[at + 2];
    put(bits >> 18U);
    put(bits >> 12U);
    put(bits >> 6U);
    put(bits);
  }
  if (at == bytes.size()) return out;
  put(bytes[at] >> 2U);
  if (at + 1 == bytes.size()) {
    put(static_cast<std::uint32_t>(bytes[at]) << 4U);
  } else {
    put(static_cast<std::uint32_t>(bytes[at]) << 4U | bytes[at + 1] >> 4U);
    put(static_cast<std::uint32_t>(bytes[at + 1]) << 2U);
  }
  return out;
}

/// Of a text without padding.
Result<std::string> decode(std::string_view text, const Digits& digits) {
  constexpr const char* kBadCharacter = "a character outside the Base64 alphabet";
  if (text.size() % 4 == 1) return fail(ErrorKind::malformed, "Base64 of an impossible length");
  std::string out(text.size() * 3 / 4, '\0');
  char* to = out.data();
  const auto digit = [text, &digits](std::size_t i) -> std::uint32_t {
    return digits[static_cast<std::uint8_t>(text[i])];
  };
  std::size_t at = 0;
  for (; text.size() - at >= 4; at += 4) {
    const std::uint32_t a = digit(at), b = digit(at + 1), c = digit(at + 2), d = digit(at + 3);
    if (((a | b | c | d) & kNoDigit) != 0) return fail(ErrorKind::malformed, kBadCharacter);
    const std::uint32_t bits = a << 18U | b << 12U | c << 6U | d;
    *to++ = static_cast<char>(bits >> 16U);
    *to++ = static_cast<char>(bits >> 8U);
    *to++ = static_cast<char>(bits);
  }
  const std::size_t left = text.size() - at;
  if (left == 0) return out;
  const std::uint32_t a = digit(at), b = digit(at + 1), c = left == 3 ? digit(at + 2) : 0;
  if (((a | b | c) & kNoDigit) != 0) return fail(ErrorKind::malformed, kBadCharacter);
  const std::uint32_t bits = a << 12U | b << 6U | c;
  if ((left == 2 ? bits & 0x3FFU : bits & 0x3U) != 0) {
    return fail(ErrorKind::malformed, "Base64 with trailing bits that are not zero");
  }
  *to++ = static_cast<char>(bits >> 10U);
  if (left == 3) *to++ = static_cast<char>(bits >> 2U);
  return out;
}

}  // namespace

std::string encode_base64(BytesView bytes) {
  std::string out = encode(bytes, kAlphabet);
  out.resize((out.size() + 3) / 4 * 4, '=');
  return out;
}

Result<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return fail(ErrorKind::malformed, "Base64 whose length is no multiple of four");
  }
  if (text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.ends_with('=')) {
    text.remove_suffix(1);
  }
  return decode(text, kDigits);
}

std::string encode_base64url(BytesView bytes) {
  return encode(bytes, kUrlAlphabet);
}

Result<std::string> decode_base64url(std::string_view text) {
  return decode(text, kUrlDigits);
}

}  // namespace interline

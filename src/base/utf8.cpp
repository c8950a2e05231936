#include "base/utf8.hpp"

#include <bit>
#include <cassert>
#include <cstring>

namespace interline {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

std::uint64_t load(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

bool is_tail(std::uint8_t byte) {
  return (byte & 0xC0U) == 0x80U;
}

/// Bytes of the well-formed sequence at `at`, which begins with a byte above 0x7F; 0 if there is
/// none. The ranges of the second byte are those of Unicode table 3-7.
std::uint8_t sequence_size(const char* at, std::size_t left) {
  const auto byte = [at](std::size_t i) { return static_cast<std::uint8_t>(at[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0xC2 || lead > 0xF4 || left < 2) return 0;
  const std::uint8_t second = byte(1);
  if (!is_tail(second)) return 0;
  if (lead < 0xE0) return 2;
  if (left < 3 || !is_tail(byte(2))) return 0;
  if (lead < 0xF0) {
    if (lead == 0xE0 && second < 0xA0) return 0;  // overlong
    if (lead == 0xED && second > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (left < 4 || !is_tail(byte(3))) return 0;
  if (lead == 0xF0 && second < 0x90) return 0;  // overlong
  if (lead == 0xF4 && second > 0x8F) return 0;  // above U+10FFFF
  return 4;
}

}  // namespace

std::size_t ascii_prefix(std::string_view text) {
  const char* const data = text.data();
  std::size_t at = 0;
  while (text.size() - at >= 32) {
    const std::uint64_t high =
        load(data + at) | load(data + at + 8) | load(data + at + 16) | load(data + at + 24);
    if ((high & kHighBits) != 0) break;
    at += 32;
  }
  while (text.size() - at >= 8 && (load(data + at) & kHighBits) == 0) at += 8;
  while (at < text.size() && static_cast<std::uint8_t>(data[at]) < 0x80) ++at;
  return at;
}

std::size_t valid_utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<std::uint8_t>(text[at]) < 0x80) {
      at += ascii_prefix(text.substr(at));
      continue;
    }
    const std::uint8_t size = sequence_size(text.data() + at, text.size() - at);
    if (size == 0) return at;
    at += size;
  }
  return at;
}

Utf8CodePoint decode_utf8(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<std::uint8_t>(text.front());
  if (lead < 0x80) return {lead, 1};
  if (sequence_size(text.data(), text.size()) == 0) return {};
  return decode_valid_utf8(text.data());
}

std::size_t count_code_points(std::string_view valid_text) {
  // Every byte that is no continuation byte (10xxxxxx) begins a code point.
  const char* const data = valid_text.data();
  std::size_t tails = 0;
  std::size_t at = 0;
  for (; valid_text.size() - at >= 8; at += 8) {
    const std::uint64_t word = load(data + at);
    const std::uint64_t tail_bits = word & ~(word << 1U) & kHighBits;
    tails += static_cast<std::size_t>(std::popcount(tail_bits));
  }
  for (; at < valid_text.size(); ++at) {
    if (is_tail(static_cast<std::uint8_t>(data[at]))) ++tails;
  }
  return valid_text.size() - tails;
}

void append_utf8(std::string& out, char32_t scalar) {
  assert(scalar <= 0x10FFFF && (scalar < 0xD800 || scalar > 0xDFFF));
  const auto tail = [&out, scalar](unsigned shift) {
    out.push_back(static_cast<char>(0x80U | (scalar >> shift & 0x3FU)));
  };
  if (scalar < 0x80) {
    out.push_back(static_cast<char>(scalar));
  } else if (scalar < 0x800) {
    out.push_back(static_cast<char>(0xC0U | scalar >> 6U));
    tail(0);
  } else if (scalar < 0x10000) {
    out.push_back(static_cast<char>(0xE0U | scalar >> 12U));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0U | scalar >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string_view cut_utf8(std::string_view valid_text, std::size_t bytes) {
  if (valid_text.size() <= bytes) return valid_text;
  while (bytes > 0 && is_tail(static_cast<std::uint8_t>(valid_text[bytes]))) --bytes;
  return valid_text.substr(0, bytes);
}

}  // namespace interline

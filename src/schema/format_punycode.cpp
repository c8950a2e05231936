#include "schema/format_punycode.hpp"

#include <algorithm>
#include <cstdint>

#include "schema/format_characters.hpp"

namespace interline::schema {
namespace {

// RFC 3492 section 5.
constexpr std::uint32_t kBase = 36;
constexpr std::uint32_t kTMin = 1;
constexpr std::uint32_t kTMax = 26;
constexpr std::uint32_t kSkew = 38;
constexpr std::uint32_t kDamp = 700;
constexpr std::uint32_t kInitialBias = 72;
constexpr char32_t kFirstNonAscii = 0x80;
constexpr char32_t kLastCodePoint = 0x10FFFF;

/// With at most 63 digits no sum below can leave 64 bits unnoticed before this bound.
constexpr std::uint64_t kOverflow = 1ULL << 32U;

/// Section 6.1.
std::uint32_t adapt(std::uint64_t delta, std::size_t points, bool first_time) {
  delta = first_time ? delta / kDamp : delta / 2;
  delta += delta / points;
  std::uint32_t k = 0;
  while (delta > ((kBase - kTMin) * kTMax) / 2) {
    delta /= kBase - kTMin;
    k += kBase;
  }
  return k + static_cast<std::uint32_t>((kBase - kTMin + 1) * delta / (delta + kSkew));
}

std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) {
  if (k <= bias + kTMin) return kTMin;
  return std::min(k - bias, kTMax);
}

/// 36 where the character is no digit of Punycode.
std::uint32_t digit_value(char c) {
  c = grammar::to_lower(c);
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a');
  if (grammar::is_digit(c)) return static_cast<std::uint32_t>(c - '0') + 26;
  return kBase;
}

char digit(std::uint32_t value) {
  return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26));
}

/// One generalised variable-length integer off the front of `text` (section 3.3).
std::optional<std::uint64_t> read_delta(std::string_view& text, std::uint32_t bias) {
  std::uint64_t delta = 0;
  std::uint64_t weight = 1;
  for (std::uint32_t k = kBase;; k += kBase) {
    if (text.empty()) return std::nullopt;
    const std::uint32_t value = digit_value(text.front());
    text.remove_prefix(1);
    if (value == kBase) return std::nullopt;
    delta += value * weight;
    if (delta >= kOverflow) return std::nullopt;
    const std::uint32_t t = threshold(k, bias);
    if (value < t) return delta;
    weight *= kBase - t;
    if (weight >= kOverflow) return std::nullopt;
  }
}

void append_delta(std::string& out, std::uint64_t delta, std::uint32_t bias) {
  for (std::uint32_t k = kBase;; k += kBase) {
    const std::uint32_t t = threshold(k, bias);
    if (delta < t) break;
    out += digit(t + static_cast<std::uint32_t>((delta - t) % (kBase - t)));
    delta = (delta - t) / (kBase - t);
  }
  out += digit(static_cast<std::uint32_t>(delta));
}

}  // namespace

std::optional<std::u32string> decode_punycode(std::string_view text) {
  if (text.size() > kLabelOctets) return std::nullopt;
  std::u32string label;
  if (const std::size_t hyphen = text.rfind('-'); hyphen != std::string_view::npos) {
    for (const char c : text.substr(0, hyphen)) {
      if (!grammar::is_ascii(c)) return std::nullopt;
      label += static_cast<char32_t>(c);
    }
    text.remove_prefix(hyphen + 1);
  }
  std::uint64_t code = kFirstNonAscii;
  std::uint64_t i = 0;
  std::uint32_t bias = kInitialBias;
  while (!text.empty()) {
    const std::optional<std::uint64_t> delta = read_delta(text, bias);
    if (!delta) return std::nullopt;
    const bool first_time = i == 0;
    i += *delta;
    const std::size_t points = label.size() + 1;
    bias = adapt(*delta, points, first_time);
    code += i / points;
    i %= points;
    if (code > kLastCodePoint || (code >= 0xD800 && code <= 0xDFFF)) return std::nullopt;
    label.insert(label.begin() + static_cast<std::ptrdiff_t>(i), static_cast<char32_t>(code));
    ++i;
  }
  return label;
}

std::optional<std::string> encode_punycode(std::u32string_view label) {
  if (label.size() > kLabelOctets) return std::nullopt;
  std::string out;
  for (const char32_t c : label) {
    if (c < kFirstNonAscii) out += static_cast<char>(c);
  }
  const std::size_t basic = out.size();
  std::size_t handled = basic;
  if (basic > 0) out += '-';

  char32_t next = kFirstNonAscii;
  std::uint64_t delta = 0;
  std::uint32_t bias = kInitialBias;
  while (handled < label.size()) {
    char32_t smallest = kLastCodePoint;
    for (const char32_t c : label) {
      if (c >= next) smallest = std::min(smallest, c);
    }
    delta += static_cast<std::uint64_t>(smallest - next) * (handled + 1);
    next = smallest;
    for (const char32_t c : label) {
      if (c < next) ++delta;
      if (c != next) continue;
      append_delta(out, delta, bias);
      if (out.size() > kLabelOctets) return std::nullopt;
      bias = adapt(delta, handled + 1, handled == basic);
      delta = 0;
      ++handled;
    }
    ++delta;
    ++next;
  }
  return out;
}

}  // namespace interline::schema

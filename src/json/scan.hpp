// The byte loops under the parser and the writers: runs of plain text, white space, UTF-8.
// Sixteen bytes a step where SSE2 is there; one by one elsewhere and near the end of the text,
// since nothing may be read beyond it. Internal to json/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace interline::json::detail {

[[nodiscard]] inline std::uint8_t byte_at(const char* at) {
  return static_cast<std::uint8_t>(*at);
}

/// Printable ASCII but for the quote and the backslash: what a string may hold as it stands.
[[nodiscard]] inline bool is_plain(char c) {
  return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\';
}

#ifdef __SSE2__
/// A bit for each of sixteen bytes that is not plain.
[[nodiscard]] inline unsigned not_plain_mask(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  // Compared as signed, control characters and everything beyond ASCII are below the space.
  const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), low)));
}

/// A bit for each of sixteen bytes that RFC 8785 escapes: quote, backslash, control characters.
[[nodiscard]] inline unsigned escaped_mask(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i limit = _mm_set1_epi8(0x1F);
  const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, limit), limit);
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control)));
}
#endif

/// The first byte that is not plain, or `end`.
[[nodiscard]] inline const char* skip_plain(const char* at, const char* end) {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    if (const unsigned mask = not_plain_mask(at); mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && is_plain(*at)) ++at;
  return at;
}

/// The first byte that RFC 8785 section 3.2.2.2 escapes, or `end`.
[[nodiscard]] inline const char* skip_unescaped(const char* at, const char* end) {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    if (const unsigned mask = escaped_mask(at); mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && byte_at(at) >= 0x20 && *at != '"' && *at != '\\') ++at;
  return at;
}

[[nodiscard]] inline bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// The first byte that is no white space, or `end`.
[[nodiscard]] inline const char* skip_space(const char* at, const char* end) {
  if (at == end || byte_at(at) > 0x20) return at;  // compact text has none
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i space = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
    const __m128i rare = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(space, rare)));
    if (mask != 0xFFFFU) return at + std::countr_one(mask);
  }
#endif
  while (at != end && is_space(*at)) ++at;
  return at;
}

/// Bytes of the well-formed UTF-8 sequence (Unicode table 3-7) at `at`, whose first byte is beyond
/// ASCII; 0 if it is ill-formed or cut off by `end`.
[[nodiscard]] inline std::size_t utf8_sequence(const char* at, const char* end) {
  const auto left = static_cast<std::size_t>(end - at);
  const auto is_tail = [](const char* p) { return (byte_at(p) & 0xC0U) == 0x80U; };
  const std::uint8_t lead = byte_at(at);
  if (lead < 0xC2 || lead > 0xF4 || left < 2 || !is_tail(at + 1)) return 0;
  if (lead < 0xE0) return 2;
  const std::uint8_t second = byte_at(at + 1);
  if (left < 3 || !is_tail(at + 2)) return 0;
  if (lead < 0xF0) {
    const bool overlong = lead == 0xE0 && second < 0xA0;
    const bool surrogate = lead == 0xED && second > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = lead == 0xF0 && second < 0x90;
  const bool too_high = lead == 0xF4 && second > 0x8F;
  return left < 4 || !is_tail(at + 3) || overlong || too_high ? 0 : 4;
}

}  // namespace interline::json::detail

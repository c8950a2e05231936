// RFC 8259 section 7, with RFC 7493 section 2.1: no lone surrogates.
#include <cstring>

#include "json/scan.hpp"
#include "json/text_scanner.hpp"

namespace interline::json::detail {
namespace {

/// Value of a hexadecimal digit; 16 for anything else.
unsigned hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return static_cast<unsigned>(lower - 'a' + 10);
  return 16;
}

unsigned hex4(const char* at) {
  return hex_digit(at[0]) << 12U | hex_digit(at[1]) << 8U | hex_digit(at[2]) << 4U |
         hex_digit(at[3]);
}

bool is_high_surrogate(unsigned unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low_surrogate(unsigned unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

std::size_t utf8_size(unsigned unit) {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

/// One escape sequence: bytes it takes and bytes it stands for, or what is wrong with it.
struct Escape {
  std::size_t raw = 0;
  std::size_t size = 0;
  ParseErrorCode code{};
};

/// Whether the bytes at `at` are, or up to `end` may become, the escape of a low surrogate.
Escape scan_low_surrogate(const char* at, const char* end) {
  for (int i = 0; i < 6; ++i, ++at) {
    if (at == end) return {0, 0, ParseErrorCode::unexpected_end};
    const char lower = static_cast<char>(*at | 0x20);
    const bool fits = i == 0   ? *at == '\\'
                      : i == 1 ? *at == 'u'
                      : i == 2 ? lower == 'd'
                      : i == 3 ? lower >= 'c' && lower <= 'f'
                               : hex_digit(*at) < 16;
    if (!fits) return {0, 0, ParseErrorCode::lone_surrogate};
  }
  return {12, 4, {}};
}

Escape scan_unicode_escape(const char* at, const char* end) {
  for (int i = 2; i < 6; ++i) {
    if (end - at <= i) return {0, 0, ParseErrorCode::unexpected_end};
    if (hex_digit(at[i]) == 16) return {0, 0, ParseErrorCode::invalid_escape};
  }
  const unsigned unit = hex4(at + 2);
  if (is_low_surrogate(unit)) return {0, 0, ParseErrorCode::lone_surrogate};
  if (is_high_surrogate(unit)) return scan_low_surrogate(at + 6, end);
  return {6, utf8_size(unit), {}};
}

/// The escape whose backslash is at `at`.
Escape scan_escape(const char* at, const char* end) {
  if (end - at < 2) return {0, 0, ParseErrorCode::unexpected_end};
  switch (at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return {2, 1, {}};
    case 'u':
      return scan_unicode_escape(at, end);
    default:
      return {0, 0, ParseErrorCode::invalid_escape};
  }
}

char simple_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;  // quote, backslash, slash
  }
}

char* put_utf8(char* out, unsigned scalar) {
  const auto put = [&out](unsigned byte) { *out++ = static_cast<char>(byte); };
  if (scalar < 0x80) {
    put(scalar);
  } else if (scalar < 0x800) {
    put(0xC0U | scalar >> 6U);
    put(0x80U | (scalar & 0x3FU));
  } else if (scalar < 0x10000) {
    put(0xE0U | scalar >> 12U);
    put(0x80U | (scalar >> 6U & 0x3FU));
    put(0x80U | (scalar & 0x3FU));
  } else {
    put(0xF0U | scalar >> 18U);
    put(0x80U | (scalar >> 12U & 0x3FU));
    put(0x80U | (scalar >> 6U & 0x3FU));
    put(0x80U | (scalar & 0x3FU));
  }
  return out;
}

}  // namespace

ScannedString scan_string(const char* at, const char* end, std::size_t max_bytes) {
  const char* const begin = at;
  std::size_t saved = 0;  // raw bytes minus unescaped bytes
  const auto bad = [](ParseErrorCode code, const char* where) {
    ScannedString result;
    result.code = code;
    result.error_at = where;
    return result;
  };
  for (;;) {
    at = skip_plain(at, end);
    // The limit comes before whatever follows the bytes that go beyond it.
    const std::size_t size = static_cast<std::size_t>(at - begin) - saved;
    if (size > max_bytes) return bad(ParseErrorCode::string_too_long, begin - 1);
    if (at == end) return bad(ParseErrorCode::unexpected_end, end);
    if (*at == '"') return {at + 1, size, saved != 0, {}, nullptr};
    if (*at == '\\') {
      const Escape escape = scan_escape(at, end);
      if (escape.raw == 0) {
        return bad(escape.code, escape.code == ParseErrorCode::unexpected_end ? end : at);
      }
      at += escape.raw;
      saved += escape.raw - escape.size;
    } else if (byte_at(at) < 0x20) {
      return bad(ParseErrorCode::control_character, at);
    } else {
      const std::size_t bytes = utf8_sequence(at, end);
      if (bytes == 0) return bad(ParseErrorCode::invalid_utf8, at);
      at += bytes;
    }
  }
}

void unescape(const char* at, const char* closing_quote, char* out) {
  while (at != closing_quote) {
    const void* const found = std::memchr(at, '\\', static_cast<std::size_t>(closing_quote - at));
    const char* const next = found == nullptr ? closing_quote : static_cast<const char*>(found);
    const auto run = static_cast<std::size_t>(next - at);
    std::memcpy(out, at, run);
    out += run;
    at = next;
    if (at == closing_quote) return;
    if (at[1] != 'u') {
      *out++ = simple_escape(at[1]);
      at += 2;
      continue;
    }
    unsigned scalar = hex4(at + 2);
    at += 6;
    if (is_high_surrogate(scalar)) {
      scalar = 0x10000U + ((scalar - 0xD800U) << 10U) + (hex4(at + 2) - 0xDC00U);
      at += 6;
    }
    out = put_utf8(out, scalar);
  }
}

}  // namespace interline::json::detail

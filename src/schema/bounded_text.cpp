#include "schema/bounded_text.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"

namespace interline::schema {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Characters that move the cursor, end the line, or reorder what stands beside them: the controls
/// (C0, DEL, C1), the line and paragraph separators, and the marks, embeddings, overrides and
/// isolates of the bidirectional algorithm (UAX #9 section 2).
constexpr auto kUnprintable = std::to_array<Range>({{0x00, 0x1F},
                                                    {0x7F, 0x9F},
                                                    {0x061C, 0x061C},
                                                    {0x200E, 0x200F},
                                                    {0x2028, 0x202E},
                                                    {0x2066, 0x2069}});

bool is_printable(char32_t scalar) {
  return std::ranges::none_of(kUnprintable, [scalar](const Range& range) {
    return scalar >= range.first && scalar <= range.last;
  });
}

void append_escape(std::string& out, char32_t scalar) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u{";
  unsigned shift = 16;
  while (shift > 0 && scalar >> shift == 0) shift -= 4;
  for (;; shift -= 4) {
    out.push_back(kHex[(scalar >> shift) & 15U]);
    if (shift == 0) break;
  }
  out.push_back('}');
}

}  // namespace

std::string bounded(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string printable(std::string_view text) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8CodePoint next = decode_utf8(text);
    if (next.size == 0) {
      append_utf8(out, kReplacement);
      text.remove_prefix(1);
      continue;
    }
    if (is_printable(next.value)) {
      out += text.substr(0, next.size);
    } else {
      append_escape(out, next.value);
    }
    text.remove_prefix(next.size);
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t limit) {
  return "\"" + bounded(printable(bounded(text, limit)), limit) + "\"";
}

}  // namespace interline::schema

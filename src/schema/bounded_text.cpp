#include "schema/bounded_text.hpp"

namespace interline::schema {

std::string bounded(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string quoted(std::string_view text, std::size_t limit) {
  std::string out = "\"" + bounded(text, limit) + "\"";
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = '?';
  }
  return out;
}

}  // namespace interline::schema

#include "bindings/xmpp/xml_writer.hpp"

#include <array>
#include <cassert>
#include <cstdint>

namespace interline::xmpp {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::size_t kQuoteEntity = 6;  // &apos; and &quot;, as servers write them

/// The length of the well-formed XML character at the front, or 0.
std::size_t xml_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  }
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t point = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < kSmallest.at(size) || point > 0x10FFFF || surrogate) return 0;
  return point == 0xFFFE || point == 0xFFFF ? 0 : size;
}

/// U+FFFE and U+FFFF, which are UTF-8 but not XML.
bool is_noncharacter(std::string_view text) {
  return text.starts_with("\uFFFE") || text.starts_with("\uFFFF");
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '&' && c != '<' && c != '>' && c != '\'' && c != '"';
}

/// What stands for a character in XML; empty where it stands for itself.
std::string_view escape(char c, bool in_attribute) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '\'':
      return in_attribute ? "&apos;" : "";
    case '"':
      return in_attribute ? "&quot;" : "";
    case '\t':
      return in_attribute ? "&#x9;" : "";
    case '\n':
      return in_attribute ? "&#xA;" : "";
    case '\r':
      return in_attribute ? "&#xD;" : "\n";
    default:
      return "";
  }
}

/// Calls `piece` with runs of the text as they are written.
template <class Piece>
void for_each_piece(std::string_view text, bool in_attribute, Piece piece) {
  while (!text.empty()) {
    std::size_t run = 0;
    while (run < text.size() && is_plain(text[run])) ++run;
    if (run > 0) piece(text.substr(0, run));
    text.remove_prefix(run);
    if (text.empty()) return;
    const std::size_t size = xml_character(text);
    const std::string_view escaped = escape(text.front(), in_attribute);
    piece(size == 0 ? kReplacement : escaped.empty() ? text.substr(0, size) : escaped);
    const bool line_break = !in_attribute && text.starts_with("\r\n");
    text.remove_prefix(line_break ? 2 : size > 0 ? size : is_noncharacter(text) ? 3 : 1);
  }
}

std::size_t grown(std::string_view piece) {
  return piece == "'" || piece == "\"" ? kQuoteEntity : piece.size();
}

}  // namespace

bool is_xml_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = xml_character(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::size_t text_wire_size(std::string_view text) {
  std::size_t size = 0;
  for_each_piece(text, true, [&](std::string_view piece) { size += grown(piece); });
  return size;
}

void XmlWriter::put(std::string_view bytes) {
  out_ += bytes;
  wire_size_ += bytes.size();
}

void XmlWriter::close_start_tag() {
  if (in_start_tag_) put(">");
  in_start_tag_ = false;
}

void XmlWriter::begin(std::string_view name) {
  begin(name, open_.empty() ? outer_ns_ : open_.back().ns);
}

void XmlWriter::begin(std::string_view name, std::string_view ns) {
  close_start_tag();
  const std::string_view parent_ns = open_.empty() ? outer_ns_ : open_.back().ns;
  put("<");
  put(name);
  open_.push_back({name, ns});
  in_start_tag_ = true;
  if (ns != parent_ns) attribute("xmlns", ns);
}

void XmlWriter::end() {
  assert(!open_.empty());
  if (in_start_tag_) {
    put("/>");
    in_start_tag_ = false;
  } else {
    put("</");
    put(open_.back().name);
    put(">");
  }
  open_.pop_back();
}

void XmlWriter::attribute(std::string_view name, std::string_view value) {
  assert(in_start_tag_);
  put(" ");
  put(name);
  put("='");
  for_each_piece(value, true, [&](std::string_view piece) { put(piece); });
  put("'");
}

void XmlWriter::text(std::string_view value) {
  assert(!open_.empty());
  if (value.empty()) return;
  close_start_tag();
  for_each_piece(value, false, [&](std::string_view piece) {
    out_ += piece;
    wire_size_ += grown(piece);
  });
}

void XmlWriter::leaf(std::string_view name, std::string_view value) {
  begin(name);
  text(value);
  end();
}

}  // namespace interline::xmpp

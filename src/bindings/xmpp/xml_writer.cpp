#include "bindings/xmpp/xml_writer.hpp"

#include <algorithm>
#include <cassert>

#include "base/utf8.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::size_t kQuoteEntity = 6;  // &apos; and &quot;, as servers write them

/// XML 1.0 production [2], of a scalar value.
bool is_xml_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c != 0xFFFE && c != 0xFFFF;
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
    const Utf8CodePoint next = decode_utf8(text);
    const std::string_view escaped = escape(text.front(), in_attribute);
    if (next.size == 0 || !is_xml_character(next.value)) {
      piece(kReplacement);
    } else {
      piece(escaped.empty() ? text.substr(0, next.size) : escaped);
    }
    const bool line_break = !in_attribute && text.starts_with("\r\n");
    text.remove_prefix(line_break ? 2 : std::max<std::size_t>(next.size, 1));
  }
}

std::size_t grown(std::string_view piece) {
  return piece == "'" || piece == "\"" ? kQuoteEntity : piece.size();
}

}  // namespace

bool is_xml_text(std::string_view text) {
  while (!text.empty()) {
    const Utf8CodePoint next = decode_utf8(text);
    if (next.size == 0 || !is_xml_character(next.value)) return false;
    text.remove_prefix(next.size);
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

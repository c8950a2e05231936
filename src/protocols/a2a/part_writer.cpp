#include "protocols/a2a/part_writer.hpp"

#include <algorithm>
#include <iterator>

#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "protocols/jsonrpc/message.hpp"

namespace interline::protocols::a2a {
namespace {

constexpr std::string_view kTypeMember = "type";

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* found = object.find(name);
  return found == nullptr ? std::string_view() : found->get_string().value_or(std::string_view());
}

void member_if(json::Writer& writer, std::string_view name, std::string_view text) {
  if (!text.empty()) writer.member(name, text);
}

// MCP's content blocks (2026-07-28, ContentBlock), each as one Part.

void write_text(json::Writer& writer, const json::Value& block) {
  writer.member("text", text_of(block, "text"));
}

/// Images and audio: base64 as it is.
void write_media(json::Writer& writer, const json::Value& block) {
  writer.member("raw", text_of(block, "data"));
  member_if(writer, "mediaType", text_of(block, "mimeType"));
}

void write_link(json::Writer& writer, const json::Value& block) {
  writer.member("url", text_of(block, "uri"));
  member_if(writer, "filename", text_of(block, "name"));
  member_if(writer, "mediaType", text_of(block, "mimeType"));
}

void write_embedded(json::Writer& writer, const json::Value& block) {
  const json::Value* resource = block.find("resource");
  const json::Value none{};
  const json::Value& inner = resource != nullptr ? *resource : none;
  const bool binary = inner.find("blob") != nullptr;
  writer.member(binary ? "raw" : "text", text_of(inner, binary ? "blob" : "text"));
  if (const auto uri = text_of(inner, "uri"); !uri.empty()) {
    writer.name("metadata");
    writer.begin_object();
    writer.member("uri", uri);
    writer.end_object();
  }
  member_if(writer, "mediaType", text_of(inner, "mimeType"));
}

struct BlockRow {
  std::string_view type;
  void (*write)(json::Writer&, const json::Value&);
};
constexpr BlockRow kBlocks[] = {{"text", write_text},
                                {"image", write_media},
                                {"audio", write_media},
                                {"resource_link", write_link},
                                {"resource", write_embedded}};

bool write_block(json::Writer& writer, const json::Value& element) {
  const auto type = text_of(element, kTypeMember);
  const auto* const row = std::ranges::find(kBlocks, type, &BlockRow::type);
  if (row == std::end(kBlocks)) return false;
  writer.begin_object();
  row->write(writer, element);
  writer.end_object();
  return true;
}

bool write_own(json::Writer& writer, const json::Value& element) {
  if (!element.is_object()) return false;
  const auto part = read_part(element);
  if (part) write_part(writer, *part);
  return part.has_value();
}

/// Whether the block is a text that says the same as the structured content (2025-06-18,
/// "Structured Content": for clients that do not know that member).
bool repeats(const json::Value& block, const json::Value& structured) {
  const auto text = text_of(block, "text");
  if (text_of(block, kTypeMember) != "text" || text.empty()) return false;
  const auto parsed = json::parse_borrowed(text);
  return parsed && json::equal(parsed->root(), structured);
}

}  // namespace

void write_part(json::Writer& writer, const Part& part) {
  writer.begin_object();
  switch (part.content) {
    case Part::Content::text:
      writer.member("text", part.text);
      break;
    case Part::Content::url:
      writer.member("url", part.text);
      break;
    case Part::Content::raw:
      writer.member("raw", part.raw);
      break;
    case Part::Content::data:
      writer.member("data", part.data);
      break;
  }
  if (part.metadata != nullptr) writer.member("metadata", *part.metadata);
  member_if(writer, "filename", part.filename);
  member_if(writer, "mediaType", part.media_type);
  writer.end_object();
}

void write_text_part(json::Writer& writer, std::string_view text) {
  writer.begin_object();
  writer.member("text", text);
  writer.end_object();
}

void write_agent_part(json::Writer& writer, const json::Value& element) {
  if (write_block(writer, element) || write_own(writer, element)) return;
  writer.begin_object();
  writer.member("data", element);
  writer.end_object();
}

std::string parts_of_result(const json::Value& result) {
  std::string text;
  json::Writer writer(text);
  bool any = false;
  writer.begin_array();
  const json::Value* structured = result.find("structuredContent");
  if (structured != nullptr) {
    any = true;
    writer.begin_object();
    writer.member("data", *structured);
    writer.end_object();
  }
  const json::Value* content = result.find("content");
  if (content != nullptr && content->is_array()) {
    for (const json::Value& block : content->items()) {
      if (structured != nullptr && repeats(block, *structured)) continue;
      any = true;
      write_agent_part(writer, block);
    }
  }
  writer.end_array();
  return any ? text : std::string();
}

std::string parts_of_chunk(std::string_view elements) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  const auto parsed =
      json::parse_borrowed(elements, jsonrpc::limits_for(elements.size()), json::Numbers::faithful);
  if (parsed && parsed->root().is_array()) {
    for (const json::Value& element : parsed->root().items()) write_agent_part(writer, element);
  }
  writer.end_array();
  return text;
}

}  // namespace interline::protocols::a2a

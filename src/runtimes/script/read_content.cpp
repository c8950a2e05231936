#include "runtimes/script/read_content.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/base64.hpp"
#include "base/utf8.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::script {
namespace {

struct SuffixRow {
  std::string_view suffix;
  std::string_view mime_type;
};
constexpr std::array<SuffixRow, 17> kSuffixes = {{{".png", "image/png"},
                                                  {".jpg", "image/jpeg"},
                                                  {".jpeg", "image/jpeg"},
                                                  {".gif", "image/gif"},
                                                  {".webp", "image/webp"},
                                                  {".svg", "image/svg+xml"},
                                                  {".wav", "audio/wav"},
                                                  {".mp3", "audio/mpeg"},
                                                  {".ogg", "audio/ogg"},
                                                  {".flac", "audio/flac"},
                                                  {".txt", "text/plain"},
                                                  {".md", "text/markdown"},
                                                  {".html", "text/html"},
                                                  {".csv", "text/csv"},
                                                  {".json", "application/json"},
                                                  {".xml", "application/xml"},
                                                  {".pdf", "application/pdf"}}};

std::string mime_type_of(std::string_view file) {
  const auto row = std::ranges::find_if(
      kSuffixes, [file](const SuffixRow& suffix) { return file.ends_with(suffix.suffix); });
  return std::string(row == kSuffixes.end() ? "" : row->mime_type);
}

bool is_textual(std::string_view mime_type) {
  return mime_type.starts_with("text/") || mime_type.ends_with("json") ||
         mime_type.ends_with("xml");
}

/// Base64 as written, if it is some.
std::string read_base64(Fields& fields, std::string_view key) {
  std::string text = fields.text(key);
  if (decode_base64(text)) return text;
  fields.wrong(key, "base64, with padding and without white space");
  return {};
}

/// Of a file, where `mime_type` was not given: what its name says.
std::string read_file(Fields& fields, std::string_view key, std::string& mime_type) {
  const std::string name = fields.required_text(key);
  if (name.empty()) return {};
  if (mime_type.empty()) mime_type = mime_type_of(name);
  return fields.reading().file(*fields.get(key), name);
}

/// `image = "a.png"` or `image = { file = "a.png" }` or `{ base64 = "...", mime_type = "..." }`.
void write_data(Fields& fields, std::string_view kind, json::Writer& writer) {
  std::string data;
  std::string mime_type;
  if (fields.get(kind)->is_string()) {
    mime_type = fields.text("mime_type");
    data = encode_base64(read_file(fields, kind, mime_type));
  } else {
    Fields inner(fields.reading(), *fields.get(kind), fields.path() + " " + std::string(kind));
    mime_type = inner.text("mime_type");
    const std::string_view source = inner.one_of({"file", "base64"});
    if (source == "file") data = encode_base64(read_file(inner, "file", mime_type));
    if (source == "base64") data = read_base64(inner, "base64");
    inner.finish();
  }
  if (mime_type.empty()) fields.mistake(kind, "needs mime_type, for example \"image/png\"");
  writer.member("data", data);
  writer.member("mimeType", mime_type);
}

/// A text with placeholders, or `{ file = "notes.txt" }`, which has none.
void write_text(Fields& fields, json::Writer& writer) {
  const json::Value* value = fields.get("text");
  if (!value->is_object()) return writer.member("text", fields.text("text"));
  Fields inner(fields.reading(), *value, fields.path() + " text");
  std::string ignored;
  const std::string bytes = read_file(inner, "file", ignored);
  if (!is_valid_utf8(bytes)) inner.mistake("file", "is no text in UTF-8");
  inner.finish();
  writer.member("text", is_valid_utf8(bytes) ? without_placeholders(bytes) : std::string());
}

void write_resource(Fields& fields, json::Writer& writer) {
  Fields inner(fields.reading(), *fields.get("resource"), fields.path() + " resource");
  std::string mime_type = inner.text("mime_type");
  writer.name("resource");
  writer.begin_object();
  writer.member("uri", inner.required_text("uri"));
  const std::string_view source = inner.one_of({"text", "base64", "file"});
  if (source == "text") writer.member("text", inner.text("text"));
  if (source == "base64") writer.member("blob", read_base64(inner, "base64"));
  if (source == "file") {
    const std::string bytes = read_file(inner, "file", mime_type);
    const bool textual = is_textual(mime_type) && is_valid_utf8(bytes);
    writer.member(textual ? "text" : "blob",
                  textual ? without_placeholders(bytes) : encode_base64(bytes));
  }
  if (!mime_type.empty()) writer.member("mimeType", mime_type);
  writer.end_object();
  inner.finish();
}

void write_link(Fields& fields, json::Writer& writer) {
  Fields inner(fields.reading(), *fields.get("resource_link"), fields.path() + " resource_link");
  writer.member("uri", inner.required_text("uri"));
  writer.member("name", inner.required_text("name"));
  for (const auto& [key, member] :
       {std::pair("title", "title"), std::pair("description", "description"),
        std::pair("mime_type", "mimeType")}) {
    const std::string text = inner.text(key);
    if (!text.empty()) writer.member(member, text);
  }
  if (const auto size = inner.integer("size")) writer.member("size", *size);
  inner.finish();
}

}  // namespace

JsonTemplate read_block(Fields& fields, std::string_view kind) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("type", kind);
  if (kind == "text") write_text(fields, writer);
  if (kind == "image" || kind == "audio") write_data(fields, kind, writer);
  if (kind == "resource") write_resource(fields, writer);
  if (kind == "resource_link") write_link(fields, writer);
  const std::string annotations = fields.object("annotations");
  if (!annotations.empty()) writer.raw_member("annotations", annotations);
  const std::string meta = fields.object("meta");
  if (!meta.empty()) writer.raw_member("_meta", meta);
  writer.end_object();
  json::Limits limits;
  limits.bytes = limits.string_bytes = 4 * Reading::kFileBytes;
  const auto parsed = json::parse(std::move(text), limits, json::Numbers::faithful);
  auto block = parsed ? JsonTemplate::read(parsed->root(), Whole::text)
                      : Result<JsonTemplate>(std::unexpected(json::to_error(parsed.error())));
  if (block) return *std::move(block);
  fields.mistake(kind, std::move(block.error().message));
  return {};
}

Contents read_contents(Fields& fields) {
  Contents contents;
  contents.mime_type = fields.text("mime_type");
  const std::string_view source = fields.one_of({"text", "json", "base64", "file"});
  if (source == "text") contents.text = fields.text_template("text");
  if (source == "json") contents.json = fields.json_template("json", Whole::value);
  if (source == "base64") contents.blob = read_base64(fields, "base64");
  if (source == "file") {
    const std::string bytes = read_file(fields, "file", contents.mime_type);
    if (is_textual(contents.mime_type) && is_valid_utf8(bytes)) {
      contents.text = TextTemplate::read(without_placeholders(bytes)).value_or(TextTemplate());
    } else {
      contents.blob = encode_base64(bytes);
    }
  }
  if (source == "json" && contents.mime_type.empty()) contents.mime_type = "application/json";
  return contents;
}

}  // namespace interline::runtimes::script

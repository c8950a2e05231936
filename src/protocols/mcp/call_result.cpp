#include "protocols/mcp/call_result.hpp"

#include <algorithm>

#include "json/canonical.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/object_edit.hpp"

namespace interline::protocols::mcp {
namespace {

/// catalog::kManifestExtension, which is no concern of MCP's.
constexpr std::string_view kXmppMember = "urn:xmpp:agent-api:0";

struct ContentKind {
  std::string_view type;
  Revision since;
  std::string_view shown;  ///< member that stands for it where it cannot be had
};
constexpr ContentKind kContentKinds[] = {
    {"text", Revision::v2024_10_07, ""},
    {"image", Revision::v2024_10_07, ""},
    {"resource", Revision::v2024_10_07, ""},
    {"audio", Revision::v2025_03_26, "mimeType"},
    {"resource_link", Revision::v2025_06_18, "uri"},
};

std::string quoted(std::string_view text) {
  std::string json;
  json::append_string(json, text);
  return json;
}

std::string_view text_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

/// nullptr where the revision has the block's kind, or nobody knows the kind.
const ContentKind* unknown_kind(const json::Value& block, Revision revision) {
  const std::string_view type = text_member(block, "type");
  const auto* const kind = std::ranges::find(kContentKinds, type, &ContentKind::type);
  return kind == std::end(kContentKinds) || revision >= kind->since ? nullptr : kind;
}

/// "" if the revision has every kind of block that is in it.
std::string told_content(const json::Value& content, Revision revision) {
  const auto unknown = [revision](const json::Value& block) {
    return unknown_kind(block, revision) != nullptr;
  };
  if (!content.is_array() || std::ranges::none_of(content.items(), unknown)) return "";
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  for (const json::Value& block : content.items()) {
    const ContentKind* kind = unknown_kind(block, revision);
    if (kind == nullptr) {
      writer.value(block);
      continue;
    }
    writer.begin_object();
    writer.member("type", "text");
    writer.member("text", "[" + std::string(kind->type) + ": " +
                              std::string(text_member(block, kind->shown)) + "]");
    writer.end_object();
  }
  writer.end_array();
  return text;
}

}  // namespace

std::string tool_definition(const json::Value& definition, std::string_view name,
                            Revision revision) {
  ObjectEdit edit(definition);
  edit.set_first("name", quoted(name));
  edit.drop(kXmppMember);
  const json::Value* output = definition.find("outputSchema");
  if (output != nullptr && !is_modern(revision) && text_member(*output, "type") != "object") {
    edit.drop("outputSchema");
  }
  return edit.text();
}

std::string call_result(const Envelope& envelope, const json::Value& result) {
  if (envelope.modern()) return complete_result(envelope, result);
  const json::Value* structured = result.find("structuredContent");
  const bool untold = structured != nullptr && !structured->is_object();
  const json::Value* content = result.find("content");
  std::string told = content == nullptr ? "" : told_content(*content, envelope.revision);
  ObjectEdit edit(result);
  if (untold) edit.drop("structuredContent");
  if (!told.empty()) edit.set("content", std::move(told));
  return complete_result(envelope, std::move(edit));
}

std::string text_result(const Envelope& envelope, std::string_view text, bool is_error) {
  const std::string bare = bare_text_result(text, is_error);
  return own_result(envelope, std::string_view(bare).substr(1, bare.size() - 2));
}

std::string bare_text_result(std::string_view text, bool is_error) {
  std::string json;
  json::Writer writer(json);
  writer.begin_object();
  writer.name("content");
  writer.begin_array();
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", text);
  writer.end_object();
  writer.end_array();
  if (is_error) writer.member("isError", true);
  writer.end_object();
  return json;
}

}  // namespace interline::protocols::mcp

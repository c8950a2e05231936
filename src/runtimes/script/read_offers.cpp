#include "runtimes/script/read_offers.hpp"

#include <algorithm>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "runtimes/script/read_content.hpp"
#include "runtimes/script/read_steps.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::size_t kMostArguments = 100;
constexpr std::size_t kMostMessages = 1'000;
constexpr std::size_t kMostCompletions = 10'000;

std::string path_of(std::string_view kind, const json::Value& table, std::string_view key) {
  const json::Value* name = table.find(key);
  if (name == nullptr || !name->is_string()) return "[[" + std::string(kind) + "]]";
  return std::string(kind) + " \"" + std::string(name->as_string()) + "\"";
}

/// The members that all definitions share, under MCP's names.
void write_common(Fields& fields, json::Writer& writer) {
  for (const char* key : {"title", "description"}) {
    const std::string text = fields.text(key);
    if (!text.empty()) writer.member(key, text);
  }
}

void write_object(Fields& fields, json::Writer& writer, std::string_view key,
                  std::string_view member) {
  const std::string object = fields.object(key);
  if (!object.empty()) writer.raw_member(member, object);
}

// --- prompts -------------------------------------------------------------------------------------

void read_arguments(Fields& fields, Prompt& prompt, json::Writer& writer) {
  const auto tables = fields.list("arguments", kMostArguments);
  if (tables.empty()) return;
  writer.name("arguments");
  writer.begin_array();
  for (const json::Value* table : tables) {
    Fields inner(fields.reading(), *table, fields.path() + " argument");
    std::string name = inner.required_text("name");
    writer.begin_object();
    writer.member("name", name);
    write_common(inner, writer);
    const bool required = inner.flag("required");
    if (inner.has("required")) writer.member("required", required);
    writer.end_object();
    if (required) prompt.required.push_back(name);
    if (inner.has("complete")) {
      prompt.completions.push_back({std::move(name), inner.texts("complete", kMostCompletions)});
    }
    inner.finish();
  }
  writer.end_array();
}

JsonTemplate message_of(Fields& fields, std::string_view role) {
  JsonTemplate block;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("role", role);
  const json::Value* value = fields.get(role);
  if (value->is_string()) {
    writer.name("content");
    writer.begin_object();
    writer.member("type", "text");
    writer.member("text", value->as_string());
    writer.end_object();
  } else {
    Fields inner(fields.reading(), *value, fields.path() + " " + std::string(role));
    const std::string_view kind = inner.one_of(kBlockKeys);
    if (!kind.empty()) block = read_block(inner, kind);
    inner.finish();
    writer.raw_member("content", block.empty() ? "{}" : block.source());
  }
  writer.end_object();
  json::Limits limits;
  limits.bytes = limits.string_bytes = 4 * Reading::kFileBytes;
  const auto parsed = json::parse(std::move(text), limits, json::Numbers::faithful);
  auto message = parsed ? JsonTemplate::read(parsed->root(), Whole::text)
                        : Result<JsonTemplate>(std::unexpected(json::to_error(parsed.error())));
  if (message) return *std::move(message);
  fields.mistake(role, std::move(message.error().message));
  return {};
}

void read_messages(Fields& fields, Prompt& prompt) {
  for (const json::Value* table : fields.list("messages", kMostMessages)) {
    Fields inner(fields.reading(), *table, fields.path() + " message");
    const std::string_view role = inner.one_of({"user", "assistant"});
    if (!role.empty()) prompt.messages.push_back(message_of(inner, role));
    inner.finish();
  }
  if (!fields.has("messages"))
    fields.mistake(R"(needs messages, for example: [{ user = "Hello" }])");
}

// --- resources -----------------------------------------------------------------------------------

/// The definition, after the contents were read, which may say what kind they are.
std::string resource_definition(Fields& fields, std::string_view address, std::string_view uri,
                                const Contents& contents) {
  std::string definition;
  json::Writer writer(definition);
  writer.begin_object();
  writer.member(address, uri);
  writer.member("name", fields.required_text("name"));
  write_common(fields, writer);
  if (!contents.mime_type.empty()) writer.member("mimeType", contents.mime_type);
  write_object(fields, writer, "annotations", "annotations");
  write_object(fields, writer, "meta", "_meta");
  writer.end_object();
  return definition;
}

bool is_uri(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

void read_variables(Fields& fields, ResourceTemplate& resource) {
  const json::Value* table = fields.get("complete");
  if (table == nullptr) return;
  Fields inner(fields.reading(), *table, fields.path() + " complete");
  for (const std::string_view name : resource.pattern.names()) {
    if (inner.has(name)) {
      resource.completions.push_back({std::string(name), inner.texts(name, kMostCompletions)});
    }
  }
  inner.finish();
}

}  // namespace

Prompt read_prompt(Reading& reading, const json::Value& table) {
  Fields fields(reading, table, path_of("prompt", table, "name"));
  Prompt prompt;
  prompt.name = fields.required_text("name");
  prompt.description = fields.text("description");
  json::Writer writer(prompt.definition);
  writer.begin_object();
  writer.member("name", prompt.name);
  write_common(fields, writer);
  read_arguments(fields, prompt, writer);
  write_object(fields, writer, "meta", "_meta");
  writer.end_object();
  prompt.steps = read_steps(fields, "prepare", StepsOf::prepare);
  read_messages(fields, prompt);
  fields.finish();
  return prompt;
}

Resource read_resource(Reading& reading, const json::Value& table) {
  Fields fields(reading, table, path_of("resource", table, "uri"));
  Resource resource;
  resource.uri = fields.required_text("uri");
  if (!resource.uri.empty() && !is_uri(resource.uri)) {
    fields.wrong("uri", R"(a URI, for example "notes://today")");
  }
  resource.steps = read_steps(fields, "prepare", StepsOf::prepare);
  resource.contents = read_contents(fields);
  resource.definition = resource_definition(fields, "uri", resource.uri, resource.contents);
  fields.finish();
  return resource;
}

ResourceTemplate read_resource_template(Reading& reading, const json::Value& table) {
  Fields fields(reading, table, path_of("resource_template", table, "uri_template"));
  ResourceTemplate resource;
  const std::string text = fields.required_text("uri_template");
  auto pattern = UriTemplate::read(text);
  if (pattern) {
    resource.pattern = *std::move(pattern);
  } else if (!text.empty()) {
    fields.mistake("uri_template", "uri_template is wrong: " + pattern.error().message);
  }
  read_variables(fields, resource);
  resource.steps = read_steps(fields, "prepare", StepsOf::prepare);
  resource.contents = read_contents(fields);
  resource.definition = resource_definition(fields, "uriTemplate", text, resource.contents);
  fields.finish();
  return resource;
}

}  // namespace interline::runtimes::script

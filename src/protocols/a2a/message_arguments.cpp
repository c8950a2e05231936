#include "protocols/a2a/message_arguments.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a {
namespace {

constexpr std::string_view kText = "text/plain";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kAny = "*/*";

bool takes_text(const json::Value& schema) {
  const json::Value* type = schema.find("type");
  return type != nullptr && type->get_string() == "string";
}

/// The only one of `names` whose schema is a string's; "" if there is none, or several.
std::string only_text(const json::Value& properties, const std::vector<std::string_view>& names) {
  std::string found;
  for (const std::string_view name : names) {
    const json::Value* schema = properties.find(name);
    if (schema == nullptr || !takes_text(*schema)) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

std::vector<std::string_view> required_names(const json::Value& schema) {
  std::vector<std::string_view> names;
  const json::Value* required = schema.find("required");
  if (required == nullptr || !required->is_array()) return names;
  for (const json::Value& name : required->items()) {
    if (name.is_string()) names.push_back(name.as_string());
  }
  return names;
}

std::string text_argument(const json::Value& schema) {
  const json::Value* properties = schema.find("properties");
  if (properties == nullptr || !properties->is_object()) return {};
  const auto required = required_names(schema);
  std::string found = only_text(*properties, required);
  // Whatever else is required, a text alone cannot give it.
  if (!found.empty()) return required.size() == 1 ? found : std::string();
  if (!required.empty()) return {};
  std::vector<std::string_view> all;
  for (const json::Member& member : properties->members()) all.push_back(member.name());
  return only_text(*properties, all);
}

std::string message_argument(const json::Value& definition) {
  const json::Value* meta = definition.find("_meta");
  const json::Value* own = meta == nullptr ? nullptr : meta->find(kResultMeta);
  const json::Value* name = own == nullptr ? nullptr : own->find("message");
  return std::string(name == nullptr ? std::string_view()
                                     : name->get_string().value_or(std::string_view()));
}

std::string one_member(std::string_view name, std::string_view json) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.raw_member(name, json);
  writer.end_object();
  return text;
}

/// Without parameters, as it is compared.
std::string_view bare(std::string_view media_type) {
  const auto end = media_type.find_first_of("; \t");
  return media_type.substr(0, end);
}

/// Whether a tool that takes texts and objects can take it at all.
bool is_taken(const Part& part) {
  const auto type = bare(part.media_type);
  switch (part.content) {
    case Part::Content::text:
      return type.empty() || equals_without_case(type, kText) || equals_without_case(type, kJson);
    case Part::Content::data:
      return type.empty() || equals_without_case(type, kJson);
    case Part::Content::raw:
    case Part::Content::url:
      break;
  }
  return false;
}

Read<std::string> from_data(const Message& message) {
  const auto is_data = [](const Part& part) { return part.content == Part::Content::data; };
  if (std::ranges::count_if(message.parts, is_data) != 1) {
    return std::unexpected(invalid_params("message.parts", "have more than one data part"));
  }
  const auto part = std::ranges::find_if(message.parts, is_data);
  if (part->data.is_object()) return std::string(part->data.source());
  return std::unexpected(
      invalid_params("message.parts", "have data that is no object of arguments"));
}

}  // namespace

ToolInput tool_input(std::string_view definition) {
  ToolInput input;
  const auto parsed = json::parse_borrowed(definition);
  if (!parsed) return input;
  input.message_argument = message_argument(parsed->root());
  if (const json::Value* schema = parsed->root().find("inputSchema")) {
    input.text_argument = text_argument(*schema);
  }
  return input;
}

std::string text_member(std::string_view schema) {
  const auto parsed = json::parse_borrowed(schema);
  return parsed ? text_argument(parsed->root()) : std::string();
}

std::vector<std::string_view> input_modes(const ToolInput& input) {
  if (!input.message_argument.empty()) return {kAny};
  if (!input.text_argument.empty()) return {kText, kJson};
  return {kJson};
}

Read<std::string> arguments_of(Edition edition, const ToolInput& input, const Message& message) {
  if (!input.message_argument.empty()) {
    return one_member(input.message_argument, message_text(message, {}, message.context_id));
  }
  if (!std::ranges::all_of(message.parts, is_taken)) {
    return std::unexpected(
        fault(edition, Fault::content_type_not_supported,
              "This agent takes texts and JSON data, and no part of another kind."));
  }
  std::string texts;
  bool data = false;
  for (const Part& part : message.parts) {
    data = data || part.content == Part::Content::data;
    if (part.content == Part::Content::text) {
      texts.append(texts.empty() ? "" : "\n").append(part.text);
    }
  }
  if (data) return from_data(message);
  if (input.text_argument.empty()) {
    return std::unexpected(invalid_params(
        "message.parts", "need a data part with the arguments: no single argument takes a text"));
  }
  std::string quoted;
  json::Writer writer(quoted);
  writer.value(texts);
  return one_member(input.text_argument, quoted);
}

}  // namespace interline::protocols::a2a

#include "protocols/mcp/form_schema.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/object_edit.hpp"

namespace interline::protocols::mcp {
namespace {

constexpr std::string_view kField = "value";

bool is_text(const json::Value& value) {
  return value.is_string();
}

bool texts(const json::Value* array) {
  return array != nullptr && array->is_array() && array->size() > 0 &&
         std::ranges::all_of(array->items(), is_text);
}

/// [{"const": text, "title": text}, ...]
bool titled(const json::Value* choices) {
  return choices != nullptr && choices->is_array() && choices->size() > 0 &&
         std::ranges::all_of(choices->items(), [](const json::Value& choice) {
           const json::Value* value = choice.find("const");
           const json::Value* title = choice.find("title");
           return value != nullptr && value->is_string() && title != nullptr && title->is_string();
         });
}

bool is_choice(const json::Value& schema) {
  return texts(schema.find("enum"));
}
bool is_titled_choice(const json::Value& schema) {
  return titled(schema.find("oneOf"));
}
bool is_several(const json::Value& schema) {
  const json::Value* items = schema.find("items");
  if (items == nullptr || !items->is_object()) return false;
  const json::Value* type = items->find("type");
  const bool of_texts = type != nullptr && type->is_string() && type->as_string() == "string";
  return (of_texts && texts(items->find("enum"))) || titled(items->find("anyOf"));
}
bool is_plain(const json::Value& schema) {
  return schema.find("enum") == nullptr && schema.find("oneOf") == nullptr &&
         schema.find("anyOf") == nullptr;
}

bool fits_text(const json::Value& value) {
  return value.is_string();
}
bool fits_number(const json::Value& value) {
  return value.is_number();
}
bool fits_boolean(const json::Value& value) {
  return value.is_boolean();
}
bool fits_several(const json::Value& value) {
  return value.is_array() && std::ranges::all_of(value.items(), is_text);
}

struct FieldKind {
  std::string_view type;
  bool (*is)(const json::Value& schema);
  bool (*fits)(const json::Value& default_value);
  Revision since;
};

// The kinds of PrimitiveSchemaDefinition, and since when there are; the first that matches.
constexpr FieldKind kKinds[] = {
    {"string", is_choice, fits_text, Revision::v2025_06_18},
    {"string", is_titled_choice, fits_text, Revision::v2025_11_25},
    {"string", is_plain, fits_text, Revision::v2025_06_18},
    {"number", is_plain, fits_number, Revision::v2025_06_18},
    {"integer", is_plain, fits_number, Revision::v2025_06_18},
    {"boolean", is_plain, fits_boolean, Revision::v2025_06_18},
    {"array", is_several, fits_several, Revision::v2025_11_25},
};

constexpr std::string_view kFormats[] = {"email", "uri", "date", "date-time"};

/// Keywords beyond the kind's own only narrow what is accepted, and the answer is checked against
/// the whole schema here; a reference alone leads to where the client cannot look.
bool is_field(const json::Value& schema, Revision revision) {
  if (!schema.is_object() || schema.find("$ref") != nullptr) return false;
  const json::Value* type = schema.find("type");
  const auto named = type == nullptr ? std::nullopt : type->get_string();
  for (const FieldKind& kind : kKinds) {
    const bool same = named == kind.type || (type == nullptr && kind.is == is_choice);
    if (!same || revision < kind.since || !kind.is(schema)) continue;
    const json::Value* preset = schema.find("default");
    return preset == nullptr || kind.fits(*preset);
  }
  return false;
}

/// A field as the specification writes it: with its type, and without a format that it lacks.
std::string field_text(const json::Value& schema) {
  ObjectEdit edit(schema);
  if (schema.find("type") == nullptr) edit.set_first("type", "\"string\"");
  const json::Value* format = schema.find("format");
  if (format != nullptr &&
      (!format->is_string() ||
       std::ranges::find(kFormats, format->as_string()) == std::end(kFormats))) {
    edit.drop("format");
  }
  return edit.text();
}

std::string one_field(std::string_view field) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("type", "object");
  writer.name("properties");
  writer.begin_object();
  writer.raw_member(kField, field);
  writer.end_object();
  writer.name("required");
  writer.begin_array();
  writer.value(kField);
  writer.end_array();
  writer.end_object();
  return text;
}

std::string json_field(std::string_view schema) {
  constexpr std::size_t kShown = 2'000;
  std::string field;
  json::Writer writer(field);
  writer.begin_object();
  writer.member("type", "string");
  writer.member("description",
                "A JSON value for this schema: " + std::string(cut_utf8(schema, kShown)));
  writer.end_object();
  return one_field(field);
}

std::string flat_form(const json::Value& schema) {
  std::string properties;
  json::Writer writer(properties);
  writer.begin_object();
  for (const json::Member& member : schema.find("properties")->members()) {
    writer.raw_member(member.name(), field_text(member.value));
  }
  writer.end_object();
  ObjectEdit edit(schema);
  edit.set("properties", std::move(properties));
  return edit.text();
}

std::unexpected<Error> wrong() {
  return fail(ErrorKind::malformed, "An answer is not of the form that was asked for.");
}

bool is_answer(const json::Value& value) {
  return value.is_string() || value.is_number() || value.is_boolean() || fits_several(value);
}

}  // namespace

std::optional<std::string> form_fault(const json::Value& schema, Revision revision) {
  const json::Value* type = schema.find("type");
  const json::Value* properties = schema.find("properties");
  if (type == nullptr || !type->is_string() || type->as_string() != "object" ||
      properties == nullptr || !properties->is_object()) {
    return "a form is an object with properties";
  }
  for (const json::Member& member : properties->members()) {
    if (is_field(member.value, revision)) continue;
    std::string at = "/properties";
    json::append_token(at, member.name());
    return at + ": a field is a text, a number, true or false, or a choice";
  }
  const json::Value* required = schema.find("required");
  if (required == nullptr) return std::nullopt;
  const auto is_there = [properties](const json::Value& name) {
    return name.is_string() && properties->find(name.as_string()) != nullptr;
  };
  if (!required->is_array() || !std::ranges::all_of(required->items(), is_there)) {
    return "/required: what is required is a field";
  }
  return std::nullopt;
}

Form form_for(std::string_view schema, Revision revision) {
  json::Limits limits;
  limits.depth = 256;
  const auto document = json::parse_borrowed(schema, limits, json::Numbers::faithful);
  const bool any = schema.empty() || schema == "true" ||
                   (document && document->root().is_object() && document->root().size() == 0);
  if (any) return {FormShape::free_text, one_field(R"({"type":"string"})")};
  if (!document) return {FormShape::json_text, json_field("")};
  const json::Value& root = document->root();
  if (!form_fault(root, revision)) return {FormShape::flat, flat_form(root)};
  if (is_field(root, revision)) return {FormShape::wrapped, one_field(field_text(root))};
  return {FormShape::json_text, json_field(schema)};
}

Result<std::string> form_value(FormShape shape, const json::Value* content) {
  if (content == nullptr && shape == FormShape::flat) return "{}";
  if (content == nullptr || !content->is_object()) return wrong();
  const auto answered = [](const json::Member& member) { return is_answer(member.value); };
  if (!std::ranges::all_of(content->members(), answered)) return wrong();
  if (shape == FormShape::flat) return std::string(content->source());
  const json::Value* field = content->find(kField);
  if (field == nullptr) return wrong();
  if (shape == FormShape::wrapped) return std::string(field->source());
  if (!field->is_string()) return wrong();
  if (shape == FormShape::free_text) return std::string(field->source());
  if (!json::parse(field->as_string())) return wrong();
  return std::string(field->as_string());
}

}  // namespace interline::protocols::mcp

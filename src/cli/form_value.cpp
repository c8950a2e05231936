#include "cli/form_value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/utf8.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kMostFields = 64;
constexpr std::size_t kMostChoices = 100;
constexpr std::size_t kLongestLabel = 300;

std::string_view type_of(const json::Value& schema) {
  const json::Value* type = schema.find("type");
  return type == nullptr ? std::string_view() : type->get_string().value_or("");
}

/// `enum`, or `oneOf` of constants as forms with titled choices are written.
std::vector<std::string> choices_of(const json::Value& schema) {
  std::vector<std::string> choices;
  const json::Value* values = schema.find("enum");
  if (values != nullptr && values->is_array() && values->size() <= kMostChoices) {
    for (const json::Value& value : values->items()) choices.emplace_back(value.source());
    return choices;
  }
  const json::Value* one_of = schema.find("oneOf");
  if (one_of == nullptr || !one_of->is_array() || one_of->size() > kMostChoices) return choices;
  for (const json::Value& option : one_of->items()) {
    const json::Value* constant = option.find("const");
    if (constant == nullptr) return {};
    choices.emplace_back(constant->source());
  }
  return choices;
}

std::string hint_of(std::string_view type, bool has_choices) {
  if (has_choices) return " (a number from the list)";
  if (type == "boolean") return " (yes or no)";
  if (type == "integer") return " (a whole number)";
  if (type == "number") return " (a number)";
  if (type == "array" || type == "object") return " (JSON)";
  return "";
}

FormField field_of(const json::Value& schema, std::string_view name, bool required) {
  FormField field;
  field.name = name;
  field.schema = schema.source();
  field.required = required;
  if (schema.is_object()) {
    field.choices = choices_of(schema);
    if (const json::Value* value = schema.find("default")) field.default_value = value->source();
  }
  const auto text = [&schema](std::string_view member) {
    const json::Value* value = schema.find(member);
    return value == nullptr ? std::string_view() : value->get_string().value_or("");
  };
  std::string label(text("title").empty() ? name : text("title"));
  if (label.empty()) label = "Answer";
  if (!text("description").empty()) label.append(" - ").append(text("description"));
  field.label = schema::printable(schema::bounded(label, kLongestLabel)) +
                hint_of(type_of(schema), !field.choices.empty());
  return field;
}

bool is_required(const json::Value& schema, std::string_view name) {
  const json::Value* required = schema.find("required");
  return required != nullptr && required->is_array() &&
         std::ranges::any_of(required->items(),
                             [name](const json::Value& item) { return item.get_string() == name; });
}

std::string string_value(std::string_view line) {
  std::string text;
  json::append_string(text, line);
  return text;
}

std::expected<std::string, std::string> json_value(std::string_view line) {
  const auto parsed = json::parse(line);
  if (!parsed) return std::unexpected("that is no JSON: " + json::to_string(parsed.error()));
  return json::canonical(parsed->root());
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

}  // namespace

std::vector<FormField> fields_of(const json::Value& schema) {
  std::vector<FormField> fields;
  const json::Value* properties = schema.find("properties");
  const bool by_property = type_of(schema) == "object" && properties != nullptr &&
                           properties->is_object() && properties->size() > 0 &&
                           properties->size() <= kMostFields;
  if (!by_property) {
    fields.push_back(field_of(schema, "", true));
    return fields;
  }
  for (const json::Member& member : properties->members()) {
    fields.push_back(field_of(member.value, member.name(), is_required(schema, member.name())));
  }
  return fields;
}

std::string choice_text(const std::string& json_text) {
  const auto parsed = json::parse_borrowed(json_text);
  if (parsed && parsed->root().is_string()) return std::string(parsed->root().as_string());
  return json_text;
}

std::expected<std::string, std::string> value_of_line(const FormField& field,
                                                      std::string_view line) {
  if (!is_valid_utf8(line)) return std::unexpected("that is no UTF-8 text");
  if (!field.choices.empty()) {
    std::size_t number = 0;
    const char* const end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data(), end, number);
    if (error == std::errc() && stop == end && number >= 1 && number <= field.choices.size()) {
      return field.choices[number - 1];
    }
    for (const std::string& choice : field.choices) {
      if (choice == line || choice_text(choice) == line) return choice;
    }
    return std::unexpected("choose by number, 1 to " + std::to_string(field.choices.size()));
  }
  const auto schema = json::parse_borrowed(field.schema);
  const std::string_view type = schema ? type_of(schema->root()) : std::string_view();
  if (type == "string") return string_value(line);
  if (type == "boolean") {
    const std::string word = lower(line);
    for (const auto yes : {"yes", "y", "true"}) {
      if (word == yes) return "true";
    }
    for (const auto no : {"no", "n", "false"}) {
      if (word == no) return "false";
    }
    return std::unexpected("answer yes or no");
  }
  auto value = json_value(line);
  // Of no stated type, what is no JSON is a text.
  if (!value && type.empty()) return string_value(line);
  return value;
}

namespace {

constexpr std::size_t kExampleDepth = 4;
constexpr std::size_t kExampleItems = 8;

/// A bound of a schema, where it is a whole number that an example can have.
std::optional<std::int64_t> bound_of(const json::Value& schema, std::string_view name) {
  const json::Value* value = schema.find(name);
  return value == nullptr ? std::nullopt : value->get_int64();
}

std::string example_number(const json::Value& schema) {
  std::int64_t number = 1;
  if (const auto most = bound_of(schema, "maximum")) number = std::min(number, *most);
  if (const auto below = bound_of(schema, "exclusiveMaximum"))
    number = std::min(number, *below - 1);
  if (const auto least = bound_of(schema, "minimum")) number = std::max(number, *least);
  if (const auto above = bound_of(schema, "exclusiveMinimum"))
    number = std::max(number, *above + 1);
  return std::to_string(number);
}

struct FormatRow {
  std::string_view format;
  std::string_view example;
};
constexpr std::array kFormats = {
    FormatRow{"date", "2027-01-31"},
    FormatRow{"date-time", "2027-01-31T12:00:00Z"},
    FormatRow{"email", "somebody@example.org"},
    FormatRow{"uri", "https://example.org/"},
};

std::string example_text(const json::Value& schema) {
  const json::Value* format = schema.find("format");
  const std::string_view named = format == nullptr ? "" : format->get_string().value_or("");
  const auto row = std::ranges::find(kFormats, named, &FormatRow::format);
  if (row != kFormats.end()) return '"' + std::string(row->example) + '"';
  std::size_t length = 3;
  if (const auto most = bound_of(schema, "maxLength"); most && *most >= 0) {
    length = std::min(length, static_cast<std::size_t>(*most));
  }
  if (const auto least = bound_of(schema, "minLength"); least && *least > 0) {
    length = std::max(length, static_cast<std::size_t>(std::min<std::int64_t>(*least, 64)));
  }
  return '"' + std::string(length, '.') + '"';
}

std::string example_of(const json::Value& schema, std::size_t depth);

std::string example_array(const json::Value& schema, std::size_t depth) {
  const auto least = bound_of(schema, "minItems").value_or(0);
  const json::Value* items = schema.find("items");
  std::string text = "[";
  for (std::int64_t i = 0; i < least && i < static_cast<std::int64_t>(kExampleItems); ++i) {
    text += (i == 0 ? "" : ",") + (items == nullptr ? R"("...")" : example_of(*items, depth));
  }
  return text + "]";
}

std::string example_object(const json::Value& schema, std::size_t depth) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  const json::Value* properties = schema.find("properties");
  if (properties != nullptr && properties->is_object() && properties->size() <= kMostFields) {
    for (const json::Member& member : properties->members()) {
      if (!is_required(schema, member.name())) continue;
      writer.raw_member(member.name(), example_of(member.value, depth));
    }
  }
  writer.end_object();
  return text;
}

std::string example_of(const json::Value& schema, std::size_t depth) {
  if (!schema.is_object()) return R"("...")";
  if (const json::Value* value = schema.find("const")) return json::canonical(*value);
  if (const json::Value* value = schema.find("default")) return json::canonical(*value);
  if (const auto choices = choices_of(schema); !choices.empty()) return choices.front();
  const std::string_view type = type_of(schema);
  if (type == "boolean") return "true";
  if (type == "integer" || type == "number") return example_number(schema);
  if (type == "array") return depth == 0 ? "[]" : example_array(schema, depth - 1);
  if (type == "object") return depth == 0 ? "{}" : example_object(schema, depth - 1);
  return example_text(schema);
}

}  // namespace

std::string example_value(const json::Value& schema) {
  return example_of(schema, kExampleDepth);
}

}  // namespace interline::cli

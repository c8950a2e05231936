#include "answers.hpp"

#include <algorithm>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::testing {
namespace {

bool is_required(const json::Value& schema, std::string_view name) {
  const json::Value* required = schema.find("required");
  return required != nullptr && required->is_array() &&
         std::ranges::any_of(required->items(),
                             [name](const json::Value& one) { return one.get_string() == name; });
}

std::string object_for(const json::Value& schema) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  if (const json::Value* properties = schema.find("properties")) {
    for (const json::Member& member : properties->members()) {
      const bool preset = member.value.find("default") != nullptr;
      if (preset || is_required(schema, member.name())) {
        writer.raw_member(member.name(), value_for(member.value));
      }
    }
  }
  writer.end_object();
  return text;
}

const json::Value* first_choice(const json::Value& schema) {
  if (const json::Value* choices = schema.find("enum"); choices != nullptr && choices->size() > 0) {
    return choices->items().data();
  }
  for (const char* name : {"oneOf", "anyOf"}) {
    const json::Value* choices = schema.find(name);
    if (choices != nullptr && choices->size() > 0) return choices->items().front().find("const");
  }
  return nullptr;
}

}  // namespace

std::string value_for(const json::Value& schema) {
  if (const json::Value* preset = schema.find("default")) return std::string(preset->source());
  if (const json::Value* choice = first_choice(schema)) return std::string(choice->source());
  const json::Value* type = schema.find("type");
  const std::string_view word = type == nullptr ? "" : type->get_string().value_or("");
  if (word == "object" || schema.find("properties") != nullptr) return object_for(schema);
  if (word == "number" || word == "integer") return "5";
  if (word == "boolean") return "true";
  if (word == "array") return "[]";
  if (word == "null") return "null";
  return "\"test\"";
}

std::string answer_for(const engine::AskedQuestion& question) {
  switch (question.kind) {
    case tasks::QuestionKind::url:
    case tasks::QuestionKind::credential:
      return "null";
    case tasks::QuestionKind::sampling:
      return R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"a-model",)"
             R"("stopReason":"endTurn"})";
    case tasks::QuestionKind::roots:
      return R"({"roots":[{"uri":"file:///srv","name":"srv"}]})";
    case tasks::QuestionKind::form:
      break;
  }
  const auto schema = json::parse(question.schema, {}, json::Numbers::faithful);
  return schema ? object_for(schema->root()) : "{}";
}

}  // namespace interline::testing

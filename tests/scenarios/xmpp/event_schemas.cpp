#include "event_schemas.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "json/parse.hpp"

namespace interline::testing {

EventSchemas::EventSchemas() {
  const std::ifstream file(INTERLINE_SOURCE_DIR "/tests/vectors/xmpp/event.schema.json");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const auto document = json::parse_borrowed(source);
  if (!document) throw std::runtime_error("event.schema.json cannot be read");
  const json::Value& definitions = *document->root().find("$defs");
  for (const json::Member& member : definitions.members()) {
    // A schema that refers to one definition of the whole.
    std::string one = R"({"$ref":"#/$defs/)" + std::string(member.name()) + R"(","$defs":)";
    one.append(definitions.source()).append("}");
    const auto parsed = json::parse_borrowed(one);
    auto compiled = schema::Schema::compile(parsed->root());
    if (!compiled) throw std::runtime_error("event.schema.json does not compile");
    schemas_.emplace(member.name(), *std::move(compiled));
  }
}

bool EventSchemas::holds(const std::string& type, std::string_view body) const {
  const auto found = schemas_.find(type);
  const auto parsed = json::parse_borrowed(body);
  return found != schemas_.end() && parsed &&
         found->second.validate(parsed->root()) == schema::Verdict::valid;
}

}  // namespace interline::testing

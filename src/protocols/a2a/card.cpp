#include "protocols/a2a/card.hpp"

#include "json/writer.hpp"
#include "protocols/a2a/versions.hpp"

namespace interline::protocols::a2a {
namespace {

constexpr std::string_view kScheme = "bearer";
constexpr std::string_view kModes[] = {"text/plain", "application/json"};

void member_if(json::Writer& writer, std::string_view name, std::string_view text) {
  if (!text.empty()) writer.member(name, text);
}

template <class Texts>
void write_texts(json::Writer& writer, std::string_view name, const Texts& texts) {
  writer.name(name);
  writer.begin_array();
  for (const auto& text : texts) writer.value(std::string_view(text));
  writer.end_array();
}

void write_interfaces(json::Writer& writer, const Card& card) {
  writer.name("supportedInterfaces");
  writer.begin_array();
  for (const Interface& one : card.interfaces) {
    writer.begin_object();
    writer.member("url", one.url);
    writer.member("protocolBinding", one.binding);
    writer.member("protocolVersion", kVersion);
    writer.end_object();
  }
  writer.end_array();
}

void write_capabilities(json::Writer& writer, const Card& card) {
  writer.name("capabilities");
  writer.begin_object();
  writer.member("streaming", true);
  writer.member("pushNotifications", card.push_notifications);
  writer.end_object();
}

/// API keys and access tokens come the same way (RFC 6750).
void write_security(json::Writer& writer, const Card& card) {
  writer.name("securitySchemes");
  writer.begin_object();
  writer.name(kScheme);
  writer.begin_object();
  writer.name("httpAuthSecurityScheme");
  writer.begin_object();
  writer.member("scheme", "Bearer");
  writer.end_object();
  writer.end_object();
  writer.end_object();
  writer.name("securityRequirements");
  writer.begin_array();
  writer.begin_object();
  writer.name("schemes");
  writer.begin_object();
  writer.name(kScheme);
  writer.begin_object();
  writer.end_object();
  writer.end_object();
  writer.end_object();
  if (card.open) {
    writer.begin_object();
    writer.end_object();
  }
  writer.end_array();
}

void write_skills(json::Writer& writer, const Card& card) {
  writer.name("skills");
  writer.begin_array();
  for (const Skill& skill : card.skills) {
    writer.begin_object();
    writer.member("id", skill.id);
    writer.member("name", skill.name);
    writer.member("description", skill.description);
    write_texts(writer, "tags", skill.tags);
    if (!skill.input_modes.empty()) write_texts(writer, "inputModes", skill.input_modes);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

std::string card_text(const Card& card) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", card.name);
  writer.member("description", card.description);
  write_interfaces(writer, card);
  if (!card.organization.empty() && !card.provider_url.empty()) {
    writer.name("provider");
    writer.begin_object();
    writer.member("organization", card.organization);
    writer.member("url", card.provider_url);
    writer.end_object();
  }
  writer.member("version", card.version);
  member_if(writer, "documentationUrl", card.documentation_url);
  write_capabilities(writer, card);
  write_security(writer, card);
  write_texts(writer, "defaultInputModes", kModes);
  write_texts(writer, "defaultOutputModes", kModes);
  write_skills(writer, card);
  member_if(writer, "iconUrl", card.icon_url);
  writer.end_object();
  return text;
}

}  // namespace interline::protocols::a2a

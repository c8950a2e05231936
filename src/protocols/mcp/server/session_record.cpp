#include "protocols/mcp/server/session_record.hpp"

#include <utility>

#include "engine/record_change.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::protocols::mcp::server {
namespace {

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

std::string text_of(const SessionRecord& session) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("endpoint", session.endpoint);
  writer.member("revision", to_string(session.revision));
  writer.raw_member("capabilities", capabilities_text(session.capabilities));
  if (session.level) writer.member("level", to_string(*session.level));
  writer.name("resources");
  writer.begin_array();
  for (const std::string& uri : session.resources) writer.value(uri);
  writer.end_array();
  writer.end_object();
  return text;
}

}  // namespace

engine::RecordKey session_key(std::string_view id) {
  engine::RecordKey key;
  key.binding = "mcp";
  key.kind = "session";
  key.key = id;
  return key;
}

engine::RecordChange keep_session(std::string_view id, const SessionRecord& session,
                                  SystemTime expires) {
  engine::RecordChange change = engine::put_record(session_key(id), text_of(session));
  change.record.owner = session.who.text();
  change.record.expires = expires;
  return change;
}

engine::RecordChange drop_session(std::string_view id) {
  return engine::drop_record(session_key(id));
}

std::optional<SessionRecord> read_session(const engine::Record& record) {
  const auto parsed = json::parse_borrowed(record.bytes);
  if (!parsed) return std::nullopt;
  const json::Value& root = parsed->root();
  const auto revision = revision_named(text_of(root, "revision"));
  const json::Value* capabilities = root.find("capabilities");
  if (!revision || capabilities == nullptr) return std::nullopt;
  const auto read = read_capabilities(*capabilities);
  if (!read) return std::nullopt;
  SessionRecord session;
  session.who = Principal(record.owner);
  session.endpoint = text_of(root, "endpoint");
  session.revision = *revision;
  session.capabilities = *read;
  session.level = log_level_named(text_of(root, "level"));
  const json::Value* resources = root.find("resources");
  if (resources == nullptr || !resources->is_array()) return session;
  for (const json::Value& uri : resources->items()) {
    if (uri.is_string()) session.resources.emplace_back(uri.as_string());
  }
  return session;
}

}  // namespace interline::protocols::mcp::server

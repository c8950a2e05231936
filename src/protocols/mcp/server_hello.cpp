#include "protocols/mcp/server_hello.hpp"

#include "protocols/mcp/feature_members.hpp"
#include "protocols/mcp/request_meta.hpp"

namespace interline::protocols::mcp {
namespace {

const json::Value* object_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_object() ? value : nullptr;
}

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return std::string(value == nullptr ? "" : value->get_string().value_or(""));
}

void read_server_capabilities(const json::Value& capabilities, ServerHello& hello) {
  for (const FeatureMember& row : kFeatureMembers) {
    const json::Value* group = object_member(capabilities, row.group);
    const json::Value* member = group == nullptr ? nullptr : group->find(row.member);
    hello.features.*row.feature =
        group != nullptr &&
        (row.member.empty() || (member != nullptr && member->get_bool().value_or(false)));
  }
  const json::Value* extensions = object_member(capabilities, "extensions");
  hello.features.tasks = hello.modern() && extensions != nullptr &&
                         object_member(*extensions, kTasksExtension) != nullptr;
  hello.request_keys =
      extensions != nullptr && object_member(*extensions, kRequestKeysExtension) != nullptr;
}

void read_server_info(const json::Value* info, ServerHello& hello) {
  if (info == nullptr) return;
  hello.name = text_of(*info, "name");
  hello.implementation_version = text_of(*info, "version");
}

}  // namespace

Result<ServerHello> read_discover_result(const json::Value& result, Revision revision) {
  const json::Value* capabilities = object_member(result, "capabilities");
  if (capabilities == nullptr) {
    return fail(ErrorKind::malformed, "The MCP server is discovered without its capabilities.");
  }
  ServerHello hello;
  hello.revision = revision;
  read_server_capabilities(*capabilities, hello);
  const json::Value* meta = object_member(result, "_meta");
  if (meta != nullptr) read_server_info(object_member(*meta, meta_key::kServerInfo), hello);
  return hello;
}

Result<ServerHello> read_initialize_result(const json::Value& result) {
  const json::Value* capabilities = object_member(result, "capabilities");
  const std::string version = text_of(result, "protocolVersion");
  if (version.empty() || capabilities == nullptr) {
    return fail(ErrorKind::malformed,
                "The MCP server's message is refused: initialize is answered with "
                "\"protocolVersion\" and \"capabilities\"");
  }
  if (!is_initialized_version(version)) {
    return fail(ErrorKind::not_acceptable,
                "The MCP server speaks a revision that this gateway does not.");
  }
  ServerHello hello;
  hello.revision = *revision_named(version);
  read_server_capabilities(*capabilities, hello);
  read_server_info(object_member(result, "serverInfo"), hello);
  return hello;
}

}  // namespace interline::protocols::mcp

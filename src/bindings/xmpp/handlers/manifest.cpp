// Manifests and schemas: the canonical bytes that were hashed. Brief sections 4.7 and 4.8.
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/tool_node.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kManifestOptional[] = {attribute::kVersion};
constexpr ElementShape kManifestShape{{}, kManifestOptional, {}};

constexpr std::string_view kSchemaRequired[] = {attribute::kTool, attribute::kVersion,
                                                attribute::kDirection};
constexpr ChildShape kSchemaChildren[] = {{ns::kHashes, element::kHash, true}};
constexpr ElementShape kSchemaShape{kSchemaRequired, {}, kSchemaChildren};

}  // namespace

awaitable<Answer> manifest(Services& services, const Call& call) {
  const Element payload = call.payload();
  if (auto shape = check_shape(payload, kManifestShape); !shape) {
    co_return std::unexpected(std::move(shape.error()));
  }
  const auto version = payload.attribute(attribute::kVersion);
  if (version && !is_api_version(*version)) {
    co_return fail(ErrorKind::malformed, "version is no API version");
  }
  auto view = co_await services.engine.describe(call.who, call.endpoint(),
                                                std::string(version.value_or("")));
  if (!view) co_return std::unexpected(std::move(view.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kManifest, ns::kAgentApi);
  w.attribute(attribute::kMediaType, media_type::kJson);
  w.attribute(attribute::kVersion, view->manifest->version);
  write_hash(w, view->manifest->hash);
  w.leaf(element::kJson, view->manifest->text);
  w.end();
  co_return stanza;
}

awaitable<Answer> tool_schema(Services& services, const Call& call) {
  const Element payload = call.payload();
  if (auto shape = check_shape(payload, kSchemaShape); !shape) {
    co_return std::unexpected(std::move(shape.error()));
  }
  const std::string tool_name(*payload.attribute(attribute::kTool));
  const std::string version(*payload.attribute(attribute::kVersion));
  const std::string direction(*payload.attribute(attribute::kDirection));
  const bool input = direction == "input";
  if (!is_api_version(version) || !is_tool_name(tool_name) || (!input && direction != "output")) {
    co_return fail(ErrorKind::malformed, "tool, version or direction is none");
  }
  const auto hash = read_hash(payload.children().front());
  if (!hash) co_return std::unexpected(hash.error());

  auto view = co_await services.engine.describe(call.who, call.endpoint(), version);
  if (!view) co_return std::unexpected(std::move(view.error()));
  const catalog::Tool* tool = view->manifest->find_tool(tool_name);
  if (tool == nullptr) co_return absent();
  if (!hash->equals(view->manifest->hash)) {
    co_return fail(ErrorKind::conflict, "the hash is not that of this version's manifest");
  }
  if (!input && !tool->output_schema) co_return absent();
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kSchema, ns::kAgentApi);
  w.attribute(attribute::kDirection, direction);
  w.attribute(attribute::kMediaType, media_type::kSchema);
  w.attribute(attribute::kTool, tool_name);
  w.attribute(attribute::kVersion, version);
  w.begin(element::kManifestHash);
  write_hash(w, view->manifest->hash);
  w.end();
  w.begin(element::kSchemaHash);
  write_hash(w, input ? tool->input_schema_hash : tool->output_schema_hash);
  w.end();
  w.leaf(element::kJson, input ? tool->input_schema_text : tool->output_schema_text);
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp

// Self Registration and Administrative Provisioning. Brief sections 4.10 to 4.15.
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/guards.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/json_payload.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/tool_fit.hpp"
#include "bindings/xmpp/tool_node.hpp"
#include "json/parse.hpp"

namespace interline::xmpp {
namespace {

constexpr ChildShape kRegisterChildren[] = {{ns::kAgentApi, element::kManifest, true}};
constexpr ElementShape kRegisterShape{{}, {}, kRegisterChildren};
constexpr std::string_view kMediaTypeOnly[] = {attribute::kMediaType};
constexpr ElementShape kJsonShape{kMediaTypeOnly, {}, {}, ElementShape::Content::text};

constexpr std::string_view kJidOnly[] = {attribute::kJid};
constexpr std::string_view kJidVersion[] = {attribute::kJid, attribute::kVersion};
constexpr ChildShape kHashChild[] = {{ns::kHashes, element::kHash, true}};
constexpr ElementShape kActivateShape{kJidVersion, {}, kHashChild};
constexpr ElementShape kJidShape{kJidOnly, {}, {}};
constexpr ElementShape kRemoveVersionShape{kJidVersion, {}, {}};

bool is_ours(const Services& services, const Jid& jid) {
  return jid.domain() == services.domain.jid().text();
}

/// The endpoint behind an address: by its localpart where the domain is ours, else by the address.
std::string endpoint_of(const Services& services, const Jid& jid) {
  return std::string(is_ours(services, jid) ? jid.localpart() : std::string_view(jid.text()));
}

/// The manifest's text; no look at what it says.
Result<std::string> read_registration(Element payload) {
  if (auto shape = check_shape(payload, kRegisterShape); !shape) {
    return std::unexpected(std::move(shape.error()));
  }
  const Element holder = payload.children().front();
  if (auto shape = check_shape(holder, kJsonShape); !shape) {
    return std::unexpected(std::move(shape.error()));
  }
  return read_json_text(holder);
}

/// Whose manifest it is, before anything else of it is looked at; nothing where it names nobody,
/// which its schema refuses.
Result<std::optional<Jid>> read_agent_jid(std::string_view text) {
  json::Limits limits;
  limits.bytes = text.size();
  limits.string_bytes = text.size();
  const auto document = json::parse_borrowed(text, limits);
  if (!document) return std::unexpected(json::to_error(document.error()));
  const json::Value* agent = document->root().find("agent");
  const json::Value* jid = agent == nullptr ? nullptr : agent->find("jid");
  if (jid == nullptr || !jid->is_string()) return std::nullopt;
  auto read = parse_endpoint_jid(jid->as_string());
  if (!read) return std::unexpected(std::move(read.error()));
  return *std::move(read);
}

/// What is wrong inside of a tool's schema is said in the schema's own words, which are not sent
/// back; which schema it is, is.
Error without_schema_detail(Error error) {
  const auto end = error.message.find(':');
  if (error.message.starts_with("At ") && end != std::string::npos) {
    error.message.resize(end);
    error.message.append(": this schema cannot be honoured");
  }
  return error;
}

/// Administrators provision what this gateway hosts, accounts register themselves.
bool may_register(const Services& services, const Call& call, const Jid& agent) {
  const auto policy = services.engine.policy();
  const bool hosted =
      services.config.admin && policy->is_admin(call.who) && is_ours(services, agent);
  return hosted ||
         (services.config.self_registration && policy->may_self_register(call.who, agent.text()));
}

/// The manifest as authority is decided on: whose it is by its prepared address, in whatever
/// spelling the manifest has it.
std::shared_ptr<const catalog::Manifest> with_address(
    std::shared_ptr<const catalog::Manifest> manifest, const Jid& agent) {
  if (manifest->jid == agent.text()) return manifest;
  auto prepared = std::make_shared<catalog::Manifest>(*manifest);
  prepared->jid = agent.text();
  return prepared;
}

/// An administrative request: shape and lexical forms, then authority.
struct Target {
  std::string endpoint;
  std::string jid;      ///< normalised, as echoed
  std::string version;  ///< "" where the operation has none
};

Result<Target> read_target(const Services& services, const Call& call, const ElementShape& shape) {
  const Element payload = call.payload();
  if (auto checked = check_shape(payload, shape); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  const auto jid = parse_endpoint_jid(*payload.attribute(attribute::kJid));
  if (!jid) return std::unexpected(jid.error());
  Target target;
  target.endpoint = endpoint_of(services, *jid);
  target.jid = jid->text();
  if (const auto version = payload.attribute(attribute::kVersion)) {
    if (!is_api_version(*version)) {
      return fail(ErrorKind::malformed, "version is no API version");
    }
    target.version = std::string(*version);
  }
  const auto policy = services.engine.policy();
  if (!policy->may_administer(call.who, payload.name(), target.endpoint)) return no_authority();
  return target;
}

/// `<name jid='' [version='']/>`, what most of these operations answer.
OutgoingStanza echo(const Call& call, std::string_view name, const Target& target) {
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(name, ns::kAgentApi);
  w.attribute(attribute::kJid, target.jid);
  if (!target.version.empty()) w.attribute(attribute::kVersion, target.version);
  w.end();
  return stanza;
}

}  // namespace

awaitable<Answer> register_manifest(Services& services, const Call& call) {
  auto text = read_registration(call.payload());
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto authorised = co_await for_registrants(services, call);
  if (!authorised) co_return std::unexpected(std::move(authorised.error()));
  const auto jid = read_agent_jid(*text);
  if (!jid) co_return std::unexpected(jid.error());
  if (*jid && !may_register(services, call, **jid)) co_return no_authority();

  auto read = co_await services.engine.read_manifest(*std::move(text));
  if (!read) co_return std::unexpected(without_schema_detail(std::move(read.error())));
  const catalog::Manifest& manifest = **read;
  const Jid& agent = **jid;  // a manifest that can be read has one
  if (is_ours(services, agent) && !is_endpoint_localpart(agent.localpart())) {
    co_return fail(ErrorKind::not_acceptable, "the address is no name that this gateway serves");
  }
  if (!services.fits_stanza(manifest)) {
    co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                   "the manifest could never be retrieved: it is larger than a stanza may be");
  }
  if (!misnamed_tools(manifest, services.config.stanza_out).empty()) {
    co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                   "a tool could never be listed or named: its name or its texts are too long");
  }
  auto registered = co_await services.engine.register_version(
      call.who, endpoint_of(services, agent), with_address(*read, agent));
  if (!registered) co_return std::unexpected(std::move(registered.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kRegistered, ns::kAgentApi);
  w.attribute(attribute::kJid, agent.text());
  w.attribute(attribute::kVersion, manifest.version);
  write_hash(w, manifest.hash);
  w.end();
  co_return stanza;
}

awaitable<Answer> activate(Services& services, const Call& call) {
  if (auto shape = check_shape(call.payload(), kActivateShape); !shape) {
    co_return std::unexpected(std::move(shape.error()));
  }
  const auto hash = read_hash(call.payload().children().front());
  if (!hash) co_return std::unexpected(hash.error());
  const auto target = read_target(services, call, kActivateShape);
  if (!target) co_return std::unexpected(target.error());
  Digest digest{};  // another algorithm's hash is kept as one that no version has
  if (hash->algorithm == kSha256Algorithm && hash->digest.size() == digest.size()) {
    std::ranges::copy(hash->digest, digest.begin());
  }
  auto done = co_await services.engine.activate(call.who, target->endpoint, target->version,
                                                std::optional<Digest>(digest));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return echo(call, element::kActive, *target);
}

awaitable<Answer> deactivate(Services& services, const Call& call) {
  const auto target = read_target(services, call, kJidShape);
  if (!target) co_return std::unexpected(target.error());
  auto done = co_await services.engine.deactivate(call.who, target->endpoint);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return echo(call, element::kDeactivated, *target);
}

awaitable<Answer> registration_status(Services& services, const Call& call) {
  const auto target = read_target(services, call, kJidShape);
  if (!target) co_return std::unexpected(target.error());
  auto rows = co_await services.engine.status(call.who, target->endpoint);
  if (!rows) co_return std::unexpected(std::move(rows.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kRegistration, ns::kAgentApi);
  w.attribute(attribute::kJid, target->jid);
  for (const engine::VersionRow& row : *rows) {
    w.begin(element::kVersion);
    w.attribute(attribute::kId, row.version);
    w.attribute(attribute::kActive, row.active ? "true" : "false");
    w.attribute(attribute::kRemovable, row.removable ? "true" : "false");
    write_hash(w, row.hash);
    w.end();
  }
  w.end();
  co_return stanza;
}

awaitable<Answer> remove_version(Services& services, const Call& call) {
  const auto target = read_target(services, call, kRemoveVersionShape);
  if (!target) co_return std::unexpected(target.error());
  auto done = co_await services.engine.remove(call.who, target->endpoint, target->version);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return echo(call, element::kRemoved, *target);
}

awaitable<Answer> remove_endpoint(Services& services, const Call& call) {
  const auto target = read_target(services, call, kJidShape);
  if (!target) co_return std::unexpected(target.error());
  auto done = co_await services.engine.remove(call.who, target->endpoint, std::string());
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return echo(call, element::kRemoved, *target);
}

}  // namespace interline::xmpp

// Self Registration and Administrative Provisioning. Brief sections 4.10 to 4.15.
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/json_payload.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/tool_node.hpp"

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

std::unexpected<Error> no_authority() {
  return fail(ErrorKind::forbidden, "this needs administrative authority");
}

/// The endpoint behind an address: by its localpart where the domain is ours, else by the address.
std::string endpoint_of(const Services& services, const Jid& jid) {
  const bool ours = jid.domain() == services.domain.jid().text();
  return std::string(ours ? jid.localpart() : std::string_view(jid.text()));
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
  if (!services.engine.policy()->is_admin(call.who)) return no_authority();
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
  const Element payload = call.payload();
  const auto policy = services.engine.policy();
  const bool admin = services.config.admin && policy->is_admin(call.who);
  const bool self = services.config.self_registration && policy->is_local(call.who);
  if (call.request.oversized) {
    if (!admin && !self) co_return no_authority();
    co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                   "the manifest is larger than a stanza may be");
  }
  if (auto shape = check_shape(payload, kRegisterShape); !shape) {
    co_return std::unexpected(std::move(shape.error()));
  }
  const Element holder = payload.children().front();
  if (auto shape = check_shape(holder, kJsonShape); !shape) {
    co_return std::unexpected(std::move(shape.error()));
  }
  auto text = read_json_text(holder);
  if (!text) co_return std::unexpected(std::move(text.error()));
  if (!admin && !self) co_return no_authority();

  auto read = co_await services.engine.read_manifest(*std::move(text));
  if (!read) co_return std::unexpected(std::move(read.error()));
  const catalog::Manifest& manifest = **read;
  const auto jid = parse_endpoint_jid(manifest.jid);
  if (!jid) co_return std::unexpected(jid.error());
  const bool ours = jid->domain() == services.domain.jid().text();
  const bool own = jid->text() == call.who.name();
  if (admin ? !ours && !own : !own) co_return no_authority();
  if (ours && !is_endpoint_localpart(jid->localpart())) {
    co_return fail(ErrorKind::not_acceptable, "the address is no name that this gateway serves");
  }
  if (text_wire_size(manifest.text) + 1'024 > services.config.stanza_out) {
    co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                   "the manifest could never be retrieved: it is larger than a stanza may be");
  }
  auto registered =
      co_await services.engine.register_version(call.who, endpoint_of(services, *jid), *read);
  if (!registered) co_return std::unexpected(std::move(registered.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kRegistered, ns::kAgentApi);
  w.attribute(attribute::kJid, jid->text());
  w.attribute(attribute::kVersion, manifest.version);
  write_hash(w, manifest.hash);
  w.end();
  co_return stanza;
}

awaitable<Answer> activate(Services& services, const Call& call) {
  const auto target = read_target(services, call, kActivateShape);
  if (!target) co_return std::unexpected(target.error());
  const auto hash = read_hash(call.payload().children().front());
  if (!hash) co_return std::unexpected(hash.error());
  Digest digest{};
  if (hash->algorithm != kSha256Algorithm || hash->digest.size() != digest.size()) {
    co_return fail(ErrorKind::conflict, "the hash is not that of the registered version");
  }
  std::ranges::copy(hash->digest, digest.begin());
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

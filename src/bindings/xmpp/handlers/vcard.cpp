// Profiles of endpoints: vcard-temp (XEP-0054) and vCard4 over XMPP (XEP-0292). Brief section 4.23.
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

const std::string& full_name(const catalog::Manifest& manifest) {
  return manifest.title.empty() ? manifest.name : manifest.title;
}

/// XEP-0054 wants the order of its DTD.
void write_temp(const Services& services, XmlWriter& w, const engine::EndpointView& view) {
  const catalog::Manifest& manifest = *view.manifest;
  w.begin(element::kVcardTemp, ns::kVcardTemp);
  w.leaf("VERSION", "3.0");
  w.leaf("FN", full_name(manifest));
  w.begin("N");
  w.end();
  w.leaf("NICKNAME", manifest.name);
  if (!manifest.avatar_url.empty()) {
    w.begin("PHOTO");
    w.leaf("EXTVAL", manifest.avatar_url);
    w.end();
  }
  w.leaf("JABBERID", jid_of(services, view.name));
  if (!manifest.vendor.empty()) {
    w.begin("ORG");
    w.leaf("ORGNAME", manifest.vendor);
    w.end();
  }
  if (!manifest.homepage.empty()) w.leaf("URL", manifest.homepage);
  if (!manifest.description.empty()) w.leaf("DESC", manifest.description);
  w.end();
}

void write_value(XmlWriter& w, std::string_view property, std::string_view type,
                 std::string_view value) {
  if (value.empty()) return;
  w.begin(property);
  w.leaf(type, value);
  w.end();
}

void write_vcard4(const Services& services, XmlWriter& w, const engine::EndpointView& view) {
  const catalog::Manifest& manifest = *view.manifest;
  w.begin(element::kVcard4, ns::kVcard4);
  write_value(w, "fn", "text", full_name(manifest));
  write_value(w, "photo", "uri", manifest.avatar_url);
  write_value(w, "impp", "uri", "xmpp:" + jid_of(services, view.name));
  write_value(w, "org", "text", manifest.vendor);
  write_value(w, "url", "uri", manifest.homepage);
  write_value(w, "note", "text", manifest.description);
  write_value(w, "kind", "text", "application");
  w.end();
}

}  // namespace

bool is_vcard4_request(Element pubsub) {
  const auto items = pubsub.child(ns::kPubsub, element::kItems);
  return items && items->attribute(attribute::kNode) == node::kVcard4;
}

awaitable<Answer> vcard_temp(Services& services, const Call& call) {
  auto view = co_await services.engine.describe(call.who, call.endpoint(), std::string());
  if (!view) co_return std::unexpected(std::move(view.error()));
  if (call.request.set) {
    co_return fail(ErrorKind::forbidden, "the profile comes from the endpoint's manifest");
  }
  OutgoingStanza stanza = call.result();
  write_temp(services, stanza.xml(), *view);
  co_return stanza;
}

awaitable<Answer> vcard4(Services& services, const Call& call) {
  auto view = co_await services.engine.describe(call.who, call.endpoint(), std::string());
  if (!view) co_return std::unexpected(std::move(view.error()));
  OutgoingStanza stanza = call.result();
  write_vcard4(services, stanza.xml(), *view);
  co_return stanza;
}

awaitable<Answer> vcard4_pubsub(Services& services, const Call& call) {
  auto view = co_await services.engine.describe(call.who, call.endpoint(), std::string());
  if (!view) co_return std::unexpected(std::move(view.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kPubsub, ns::kPubsub);
  w.begin(element::kItems);
  w.attribute(attribute::kNode, node::kVcard4);
  w.begin(element::kItem);
  w.attribute(attribute::kId, "current");
  write_vcard4(services, w, *view);
  w.end();
  w.end();
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp

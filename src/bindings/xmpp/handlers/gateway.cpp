// The gateway's own address: what it is, whom it hosts. Brief sections 4.1 to 4.3.
#include "bindings/xmpp/handlers/disco.hpp"
#include "bindings/xmpp/handlers/guards.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/handlers/paging.hpp"

namespace interline::xmpp {
namespace {

Features gateway_features(const Services& services, const Principal& who) {
  const BindingConfig& config = services.config;
  Features features = {ns::kDiscoInfo, ns::kDiscoItems, feature::kDirectory, ns::kRsm,
                       ns::kPing,      ns::kHashes,     feature::kSha256};
  if (config.search) {
    features.push_back(ns::kSearch);
    features.push_back(ns::kDataForms);
  }
  const auto policy = services.engine.policy();
  const bool trusted = policy->is_local(who) || policy->is_admin(who);
  if (trusted && config.admin) features.push_back(feature::kAdmin);
  if (trusted && config.self_registration) features.push_back(feature::kSelfRegister);
  return features;
}

}  // namespace

awaitable<Answer> gateway_info(Services& services, const Call& call) {
  auto known = co_await for_acquaintances(services, call);
  if (!known) co_return std::unexpected(std::move(known.error()));
  const auto asked = call.payload().attribute(attribute::kNode);
  OutgoingStanza stanza = call.result();
  if (asked.value_or("").empty()) {
    begin_disco_info(stanza.xml(), asked, identity::kGateway, services.config.title,
                     gateway_features(services, call.who));
  } else if (asked == node::kDirectory) {
    begin_disco_info(stanza.xml(), asked, identity::kDirectory, "",
                     Features{ns::kDiscoInfo, ns::kDiscoItems, ns::kRsm});
  } else {
    co_return absent();
  }
  stanza.xml().end();
  co_return stanza;
}

awaitable<Answer> directory(Services& services, const Call& call) {
  const auto asked_node = call.payload().attribute(attribute::kNode);
  const auto asked = read_page_request(call.payload());
  if (!asked) co_return std::unexpected(asked.error());
  if (!asked_node.value_or("").empty() && asked_node != node::kDirectory) co_return absent();
  auto page_request = to_directory(services, *asked);
  if (!page_request) co_return std::unexpected(std::move(page_request.error()));
  auto found = co_await services.engine.list(call.who, *std::move(page_request));
  if (!found) co_return std::unexpected(std::move(found.error()));
  const Page page = fit_page(services, *asked, *found);

  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  begin_disco_items(w, asked_node);
  for (const catalog::DirectoryEntry& entry : found->entries) {
    w.begin(element::kItem);
    w.attribute(attribute::kJid, jid_of(services, entry.name));
    w.attribute(attribute::kName, entry.title.empty() ? entry.name : entry.title);
    w.end();
  }
  const auto edge = [&services, &found](bool last) {
    const auto& entries = found->entries;
    if (entries.empty()) return std::string();
    return jid_of(services, last ? entries.back().name : entries.front().name);
  };
  write_page(w, *asked, page, edge(false), edge(true));
  w.end();
  co_return stanza;
}

awaitable<Answer> gateway_ping(Services&, const Call& call) {
  co_return call.result();
}

}  // namespace interline::xmpp

// Service discovery of endpoints, their tool collections and tools. Brief sections 4.4 to 4.6.
#include <charconv>

#include "base/base64.hpp"
#include "bindings/xmpp/data_form.hpp"
#include "bindings/xmpp/handlers/disco.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/result_set.hpp"
#include "bindings/xmpp/tool_node.hpp"

namespace interline::xmpp {
namespace {

/// A tool offers what its endpoint's runtime can do and its own pinned declaration says.
Features task_features(const engine::EndpointView& view, bool progress, bool cancel, bool input) {
  Features features;
  if (view.features.progress && progress) features.push_back(feature::kProgress);
  if (view.features.cancel && cancel) features.push_back(feature::kCancel);
  if (view.features.input && input) features.push_back(feature::kInput);
  return features;
}

Features endpoint_features(const Services& services, const engine::EndpointView& view) {
  Features features = {ns::kDiscoInfo,   ns::kDiscoItems, ns::kRsm,    feature::kEndpoint,
                       feature::kSchema, ns::kPing,       ns::kHashes, feature::kSha256};
  if (services.fits_stanza(*view.manifest)) {
    features.push_back(feature::kManifest);
  }
  if (services.config.vcards) {
    features.push_back(ns::kVcardTemp);
    features.push_back(ns::kVcard4);
  }
  if (view.has_runtime) features.push_back(feature::kTask);
  for (const std::string_view each : task_features(view, true, true, true)) {
    features.push_back(each);
  }
  return features;
}

OutgoingStanza endpoint_answer(const Services& services, const Call& call,
                               const engine::EndpointView& view,
                               std::optional<std::string_view> node) {
  const catalog::Manifest& manifest = *view.manifest;
  const std::string& title = manifest.title.empty() ? manifest.name : manifest.title;
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  begin_disco_info(w, node, identity::kEndpoint, title, endpoint_features(services, view));
  FormWriter form(w, "result", form_type::kEndpointInfo);
  form.field("server_name", std::string_view(manifest.name));
  form.field("server_title", std::string_view(title));
  if (!manifest.description.empty()) form.lines("description", manifest.description);
  form.field("version", std::string_view(manifest.version));
  form.field("manifest_hash_algo", kSha256Algorithm);
  form.field("manifest_hash_value", std::string_view(encode_base64(BytesView(manifest.hash))));
  form.field("cold_start_supported", view.cold_start);
  form.field("request_replay_seconds",
             std::string_view(std::to_string(services.config.replay_window.count())));
  form.end();
  w.end();
  return stanza;
}

void write_hint(FormWriter& form, std::string_view var, const std::optional<bool>& hint) {
  if (hint) form.field(var, *hint);  // an absent hint is an absent field, never a default
}

OutgoingStanza tool_answer(const Call& call, const engine::EndpointView& view,
                           const catalog::Tool& tool, std::string_view node) {
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  Features features =
      task_features(view, tool.supports_progress, tool.supports_cancellation, tool.supports_input);
  features.push_back(ns::kDiscoInfo);
  features.push_back(feature::kTool);
  begin_disco_info(w, node, identity::kTool, tool.title.empty() ? tool.name : tool.title,
                   std::move(features));
  FormWriter form(w, "result", form_type::kToolInfo);
  form.field("name", std::string_view(tool.name));
  if (!tool.title.empty()) form.field("title", std::string_view(tool.title));
  if (!tool.description.empty()) form.lines("description", tool.description);
  form.field("api_version", std::string_view(view.manifest->version));
  form.field("input_schema_hash_algo", kSha256Algorithm);
  form.field("input_schema_hash_value",
             std::string_view(encode_base64(BytesView(tool.input_schema_hash))));
  if (tool.output_schema) {
    form.field("output_schema_hash_algo", kSha256Algorithm);
    form.field("output_schema_hash_value",
               std::string_view(encode_base64(BytesView(tool.output_schema_hash))));
  }
  write_hint(form, "read_only", tool.annotations.read_only);
  write_hint(form, "destructive", tool.annotations.destructive);
  write_hint(form, "idempotent", tool.annotations.idempotent);
  write_hint(form, "open_world", tool.annotations.open_world);
  form.end();
  w.end();
  return stanza;
}

/// The tools of a manifest in the order of their names; an item's id is its whole node.
class ToolSource final : public PageSource {
 public:
  explicit ToolSource(const catalog::Manifest& manifest) : manifest_(manifest) {}

  [[nodiscard]] std::size_t size() const override { return manifest_.tools.size(); }
  [[nodiscard]] std::optional<Place> find(std::string_view id) const override {
    const auto node = decode_tool_node(id);
    if (!node || node->version != manifest_.version) return std::nullopt;
    const auto found =
        std::ranges::lower_bound(manifest_.tools, node->tool, {}, &catalog::Tool::name);
    if (found == manifest_.tools.end() || found->name != node->tool) return std::nullopt;
    return Place{static_cast<std::size_t>(found - manifest_.tools.begin()), true};
  }
  [[nodiscard]] std::size_t wire_size(std::size_t position) const override {
    const catalog::Tool& tool = manifest_.tools[position];
    constexpr std::size_t kItemBytes = 96;
    return kItemBytes + text_wire_size(tool.title.empty() ? tool.name : tool.title) +
           id(position).size() + manifest_.jid.size();
  }
  [[nodiscard]] std::string id(std::size_t position) const {
    return encode_tool_node(manifest_.version, manifest_.tools[position].name);
  }

 private:
  const catalog::Manifest& manifest_;
};

Answer collection_items(const Services& services, const Call& call,
                        const engine::EndpointView& view, std::string_view node,
                        const std::optional<PageRequest>& asked) {
  const ToolSource source(*view.manifest);
  const auto page = find_page(asked, source, services.config.page);
  if (!page) return std::unexpected(page.error());
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  begin_disco_items(w, node);
  const std::string jid = jid_of(services, view.name);
  for (std::size_t i = page->begin; i < page->end; ++i) {
    const catalog::Tool& tool = view.manifest->tools[i];
    w.begin(element::kItem);
    w.attribute(attribute::kJid, jid);
    w.attribute(attribute::kName, tool.title.empty() ? tool.name : tool.title);
    w.attribute(attribute::kNode, source.id(i));
    w.end();
  }
  const bool none = page->empty();
  write_page(w, asked, *page, none ? "" : source.id(page->begin),
             none ? "" : source.id(page->end - 1));
  w.end();
  return stanza;
}

/// What a node names: a version, and perhaps one of its tools.
struct NamedNode {
  std::string version;
  std::optional<std::string> tool;
};

Result<NamedNode> read_node(std::string_view node) {
  if (is_tool_node(node)) {
    auto decoded = decode_tool_node(node);
    if (!decoded) return std::unexpected(std::move(decoded.error()));
    return NamedNode{std::move(decoded->version), std::move(decoded->tool)};
  }
  if (is_collection_node(node)) {
    auto version = decode_collection_node(node);
    if (!version) return std::unexpected(std::move(version.error()));
    return NamedNode{*std::move(version), std::nullopt};
  }
  return absent();
}

}  // namespace

awaitable<Answer> endpoint_info(Services& services, const Call& call) {
  const auto asked_node = call.payload().attribute(attribute::kNode);
  const std::string node(asked_node.value_or(""));
  // A node that names nothing is asked for all the same: hidden and absent cost the same work.
  const auto named = node.empty() ? Result<NamedNode>(NamedNode{}) : read_node(node);
  std::string version = named ? named->version : std::string("-");
  auto view = co_await services.engine.describe(call.who, call.endpoint(), std::move(version));
  if (!view) co_return std::unexpected(std::move(view.error()));
  if (!named) co_return std::unexpected(named.error());
  if (node.empty()) co_return endpoint_answer(services, call, *view, asked_node);
  if (named->tool) {
    const catalog::Tool* tool = view->manifest->find_tool(*named->tool);
    if (tool == nullptr) co_return absent();
    co_return tool_answer(call, *view, *tool, node);
  }
  OutgoingStanza stanza = call.result();
  begin_disco_info(stanza.xml(), node, identity::kToolCollection, "",
                   Features{ns::kDiscoInfo, ns::kDiscoItems, ns::kRsm});
  stanza.xml().end();
  co_return stanza;
}

awaitable<Answer> endpoint_items(Services& services, const Call& call) {
  const auto asked = read_page_request(call.payload());
  if (!asked) co_return std::unexpected(asked.error());
  const auto asked_node = call.payload().attribute(attribute::kNode);
  const std::string node(asked_node.value_or(""));
  const auto named = node.empty() ? Result<NamedNode>(NamedNode{}) : read_node(node);
  std::string version = named ? named->version : std::string("-");
  auto view = co_await services.engine.describe(call.who, call.endpoint(), std::move(version));
  if (!view) co_return std::unexpected(std::move(view.error()));
  if (!named) co_return std::unexpected(named.error());
  if (!node.empty() && !named->tool) {
    co_return collection_items(services, call, *view, node, *asked);
  }
  if (named->tool && view->manifest->find_tool(*named->tool) == nullptr) co_return absent();
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  begin_disco_items(w, asked_node);
  if (node.empty()) {  // the one collection of the active version
    w.begin(element::kItem);
    w.attribute(attribute::kJid, jid_of(services, view->name));
    w.attribute(attribute::kNode, encode_collection_node(view->manifest->version));
    w.end();
  }
  w.end();
  co_return stanza;
}

awaitable<Answer> endpoint_ping(Services& services, const Call& call) {
  const auto view = co_await services.engine.describe(call.who, call.endpoint(), std::string());
  const auto invocable = services.engine.invocable(call.who, call.endpoint());
  if (view || invocable) co_return call.result();
  co_return std::unexpected(invocable.error());
}

}  // namespace interline::xmpp

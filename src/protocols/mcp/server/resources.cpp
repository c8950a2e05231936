// resources/list, resources/templates/list, resources/read. In the view of all a URI has its
// endpoint before it.
#include <utility>

#include "json/canonical.hpp"
#include "protocols/mcp/object_edit.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/offerings.hpp"
#include "protocols/mcp/server/rounds.hpp"

namespace interline::protocols::mcp::server {
namespace {

using engine::ConsultationKind;

/// The object with its URI (or template) as the view shows it; all other bytes as they were.
std::string shown(const Asked& asked, std::string_view endpoint, const json::Value& object,
                  std::string_view member) {
  const std::string_view uri = text_member(object, member);
  if (!asked.endpoint.empty() || uri.empty()) return std::string(object.source());
  std::string quoted;
  json::append_string(quoted, shown_uri(asked, endpoint, uri));
  ObjectEdit edit(object);
  edit.set_first(member, std::move(quoted));
  return edit.text();
}

awaitable<Answer> list(Core& core, const Asked& asked, ConsultationKind kind,
                       std::string_view member, std::string_view uri_member) {
  const auto all = co_await offerings(core, asked, kind);
  if (!all) co_return refuse(all.error());
  std::vector<std::string> entries;
  for (const Offering& offering : *all) {
    for (const json::Value& entry : offering.list.root().items()) {
      if (text_member(entry, uri_member).empty()) continue;
      entries.push_back(shown(asked, offering.endpoint, entry, uri_member));
    }
  }
  co_return paged(core, asked, member, std::move(entries));
}

/// `contents` with the URIs of the view.
std::string shown_contents(const Asked& asked, std::string_view endpoint,
                           const json::Value& contents) {
  std::string text = "[";
  for (const json::Value& entry : contents.items()) {
    if (text.size() > 1) text += ',';
    text += entry.is_object() ? shown(asked, endpoint, entry, "uri") : std::string(entry.source());
  }
  return text + "]";
}

Answer read_answer(Core& core, const Asked& asked, const OwnUri& own, const ReadParams& params,
                   const std::string& text) {
  const auto result =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  const json::Value* contents = result ? result->root().find("contents") : nullptr;
  if (contents == nullptr || !contents->is_array()) return refuse(internal_error());
  // Nothing at all is no resource (server/resources, "Error Handling").
  if (contents->size() == 0) return refuse(resource_not_found(params.uri, asked.revision));
  ObjectEdit edit(result->root());
  if (asked.endpoint.empty()) edit.set("contents", shown_contents(asked, own.endpoint, *contents));
  std::optional<Cache> cache;
  if (!params.retry.state && params.retry.responses == nullptr) cache = Cache{};
  return complete_result(core.envelope(asked), std::move(edit), cache);
}

}  // namespace

awaitable<Answer> list_resources(Core& core, const Asked& asked) {
  return list(core, asked, ConsultationKind::list_resources, "resources", "uri");
}

awaitable<Answer> list_resource_templates(Core& core, const Asked& asked) {
  return list(core, asked, ConsultationKind::list_resource_templates, "resourceTemplates",
              "uriTemplate");
}

awaitable<Answer> read_resource(Core& core, const Asked& asked) {
  const auto params = read_resource_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  const auto own = own_uri(asked, params->uri);
  if (!own) co_return refuse(resource_not_found(params->uri, asked.revision));
  const auto view = co_await core.engine.describe(asked.who, own->endpoint, std::string());
  if (!view || !view->offers.has(ConsultationKind::read_resource)) {
    co_return refuse(resource_not_found(params->uri, asked.revision));
  }
  engine::Consultation consultation;
  consultation.kind = ConsultationKind::read_resource;
  consultation.subject = own->uri;
  const Prepared prepared =
      co_await consult(core, asked, own->endpoint, std::move(consultation), params->retry);
  if (prepared.answer) co_return *prepared.answer;
  if (prepared.error && prepared.error->kind == ErrorKind::not_found) {
    co_return refuse(resource_not_found(params->uri, asked.revision));
  }
  if (prepared.error) co_return refuse(*prepared.error);
  co_return read_answer(core, asked, *own, *params, prepared.said.result);
}

}  // namespace interline::protocols::mcp::server

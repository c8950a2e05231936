// /v1/endpoints: what is served here, and for administrators every version of it.
#include <algorithm>
#include <map>

#include "base/base64.hpp"
#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/requests.hpp"
#include "bindings/control/views.hpp"

namespace interline::control {
namespace {

std::string name_of(const Request& request) {
  return std::string(request.parameter("name"));
}

/// What is registered of an endpoint, or configured, or both.
struct Listed {
  const engine::EndpointRow* row = nullptr;
  const ConfiguredEndpoint* configured = nullptr;
};

/// By their names those behind `after`; of the configured ones none behind the page of rows, which
/// their own page will have.
std::map<std::string_view, Listed> merge(const std::vector<engine::EndpointRow>& rows,
                                         const std::vector<ConfiguredEndpoint>& configured,
                                         std::string_view after, std::size_t limit) {
  std::map<std::string_view, Listed> all;
  for (const engine::EndpointRow& row : rows) all[row.name].row = &row;
  const bool more = rows.size() >= limit;
  for (const ConfiguredEndpoint& one : configured) {
    if (one.name > after && (!more || one.name <= rows.back().name)) {
      all[one.name].configured = &one;
    }
  }
  return all;
}

void write_listed(json::Writer& writer, std::string_view name, const Listed& one) {
  const bool active = one.row != nullptr && !one.row->active.empty();
  writer.begin_object();
  writer.member("name", name);
  const bool titled = one.row != nullptr && !one.row->title.empty();
  writer.member("title", titled                      ? std::string_view(one.row->title)
                         : one.configured != nullptr ? std::string_view(one.configured->title)
                                                     : std::string_view());
  writer.member("active", active);
  if (active) writer.member("version", std::string_view(one.row->active));
  if (one.row != nullptr) writer.member("origin", std::string_view(one.row->origin));
  if (one.configured != nullptr) {
    writer.member("state", std::string_view(one.configured->state));
    if (!one.configured->why.empty()) {
      writer.member("why", std::string_view(one.configured->why));
    }
  }
  writer.end_object();
}

/// One page of what an administrator may see: all of it, and what is not registered yet.
awaitable<Answer> list_registered(Services& services, Principal who, std::string after,
                                  std::size_t limit) {
  auto rows = co_await services.engine.registered(std::move(who), after, limit);
  if (!rows) co_return std::unexpected(std::move(rows.error()));
  std::vector<ConfiguredEndpoint> configured;
  if (services.options.endpoints) configured = services.options.endpoints();
  const auto all = merge(*rows, configured, after, limit);
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("endpoints");
  writer.begin_array();
  std::string_view last;
  std::size_t written = 0;
  for (const auto& [name, one] : all) {
    if (written == limit) break;
    write_listed(writer, name, one);
    last = name;
    ++written;
  }
  writer.end_array();
  if (written >= limit) writer.member("next", last);
  writer.end_object();
  co_return json_response(200, std::move(text));
}

awaitable<Answer> list_visible(Services& services, Principal who, std::string after,
                               std::size_t limit) {
  catalog::PageRequest page;
  page.maximum = limit;
  if (!after.empty()) {
    page.anchor = catalog::PageRequest::Anchor::after;
    page.id = std::move(after);
  }
  auto listed = co_await services.engine.list(std::move(who), std::move(page));
  if (!listed) co_return std::unexpected(std::move(listed.error()));
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("endpoints");
  writer.begin_array();
  for (const catalog::DirectoryEntry& entry : listed->entries) {
    writer.begin_object();
    writer.member("name", std::string_view(entry.name));
    writer.member("title", std::string_view(entry.title));
    writer.member("active", true);
    writer.end_object();
  }
  writer.end_array();
  const std::size_t seen = listed->first_index + listed->entries.size();
  if (!listed->entries.empty() && seen < listed->count) {
    writer.member("next", std::string_view(listed->entries.back().name));
  }
  writer.end_object();
  co_return json_response(200, std::move(text));
}

void write_view(json::Writer& writer, const engine::EndpointView& view) {
  const catalog::Manifest& manifest = *view.manifest;
  writer.member("title", std::string_view(manifest.title));
  writer.member("description", std::string_view(manifest.description));
  writer.member("address", std::string_view(manifest.jid));
  writer.member("version", std::string_view(manifest.version));
  writer.member("hash", encode_base64(BytesView(manifest.hash)));
  writer.member("active", view.active);
  writer.name("runtime");
  writer.begin_object();
  writer.member("present", view.has_runtime);
  writer.member("available", view.available);
  writer.member("coldStart", view.cold_start);
  writer.end_object();
  writer.name("tools");
  writer.begin_array();
  for (const catalog::Tool& tool : manifest.tools) writer.raw(tool.definition);
  writer.end_array();
}

void write_versions(json::Writer& writer, const std::vector<engine::VersionRow>& rows) {
  writer.name("versions");
  writer.begin_array();
  for (const engine::VersionRow& row : rows) {
    writer.begin_object();
    writer.member("version", std::string_view(row.version));
    writer.member("hash", encode_base64(BytesView(row.hash)));
    writer.member("active", row.active);
    writer.member("removable", row.removable);
    writer.end_object();
  }
  writer.end_array();
}

/// The version that an administrator is shown who names none: the active one, else the last.
std::string shown_version(const std::vector<engine::VersionRow>& rows) {
  const auto active = std::ranges::find_if(rows, &engine::VersionRow::active);
  if (active != rows.end()) return active->version;
  return rows.empty() ? std::string() : rows.back().version;
}

/// The endpoint's name for an address: its localpart in our domain, elsewhere the address itself.
Result<std::string> endpoint_of(const std::string& address, const std::string& domain) {
  const auto at = address.find('@');
  if (at == std::string::npos || at == 0 || address.substr(at + 1) != domain) return address;
  std::string name = address.substr(0, at);
  const auto first = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool fits =
      name.size() <= 64 && first(name.front()) && std::ranges::all_of(name, [&first](char c) {
        return first(c) || c == '.' || c == '_' || c == '-';
      });
  if (!fits) {
    return fail(ErrorKind::not_acceptable,
                "The manifest's address names no endpoint that is served here: a-z, 0-9, and "
                "behind the first character also . _ -; at most 64.");
  }
  return name;
}

}  // namespace

Error explain_absence(const Services& services, const Principal& who, std::string_view endpoint,
                      Error error) {
  const bool told = error.kind == ErrorKind::not_found && services.options.endpoints &&
                    services.engine.policy()->is_operator(who);
  if (!told) return error;
  const auto configured = services.options.endpoints();
  const auto one = std::ranges::find(configured, endpoint, &ConfiguredEndpoint::name);
  if (one == configured.end() || one->state == "imported") return error;
  error.message = "The endpoint " + one->name + " is configured and not served yet: it is " +
                  one->state + (one->why.empty() ? "." : ": " + one->why);
  return error;
}

awaitable<Answer> list_endpoints(Services& services, Principal who, Request& request) {
  const auto limit = read_limit(request, services.options.limits);
  if (!limit) co_return std::unexpected(limit.error());
  std::string after(request.query_value("after").value_or(""));
  if (services.engine.policy()->is_admin(who)) {
    co_return co_await list_registered(services, std::move(who), std::move(after), *limit);
  }
  co_return co_await list_visible(services, std::move(who), std::move(after), *limit);
}

awaitable<Answer> show_endpoint(Services& services, Principal who, Request& request) {
  const std::string name = name_of(request);
  std::string version(request.query_value("version").value_or(""));
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", std::string_view(name));
  if (services.engine.policy()->is_admin(who)) {
    auto rows = co_await services.engine.status(who, name);
    if (!rows) {
      co_return std::unexpected(explain_absence(services, who, name, std::move(rows.error())));
    }
    if (version.empty()) version = shown_version(*rows);
    write_versions(writer, *rows);
    auto losses = co_await services.engine.loss_report(who, name, version);
    if (!losses) co_return std::unexpected(std::move(losses.error()));
    writer.raw_member("losses", losses->empty() ? "[]" : std::string_view(*losses));
  }
  auto view = co_await services.engine.describe(who, name, std::move(version));
  if (!view) {
    co_return std::unexpected(explain_absence(services, who, name, std::move(view.error())));
  }
  write_view(writer, *view);
  writer.end_object();
  co_return json_response(200, std::move(text));
}

awaitable<Answer> register_endpoint(Services& services, Principal who, Request& request) {
  // Before the costly reading: who may not register learns nothing of the manifest.
  if (!services.engine.policy()->may_administer(who, "register", std::string_view())) {
    co_return fail(ErrorKind::forbidden, "This needs administrative authority.");
  }
  const auto activate = request.query_value("activate");
  auto manifest = co_await services.engine.read_manifest(std::move(request.body));
  if (!manifest) co_return std::unexpected(std::move(manifest.error()));
  const auto name = endpoint_of((*manifest)->jid, services.options.domain);
  if (!name) co_return std::unexpected(name.error());
  auto done = co_await services.engine.register_version(who, *name, *manifest);
  if (!done) co_return std::unexpected(std::move(done.error()));
  if (activate == "true") {
    const std::optional<Digest> hash((*manifest)->hash);
    auto active =
        co_await services.engine.activate(std::move(who), *name, (*manifest)->version, hash);
    if (!active) co_return std::unexpected(std::move(active.error()));
  }
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", std::string_view(*name));
  writer.member("version", std::string_view((*manifest)->version));
  writer.member("hash", encode_base64(BytesView((*manifest)->hash)));
  writer.end_object();
  co_return json_response(201, std::move(text));
}

awaitable<Answer> activate_endpoint(Services& services, Principal who, Request& request) {
  auto asked = read_activate(request.body);
  if (!asked) co_return std::unexpected(std::move(asked.error()));
  auto done = co_await services.engine.activate(std::move(who), name_of(request),
                                                std::move(asked->version), asked->hash);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return json_response(200, "{}");
}

awaitable<Answer> deactivate_endpoint(Services& services, Principal who, Request& request) {
  if (auto nothing = read_nothing(request.body); !nothing) {
    co_return std::unexpected(std::move(nothing.error()));
  }
  auto done = co_await services.engine.deactivate(std::move(who), name_of(request));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return json_response(200, "{}");
}

awaitable<Answer> remove_endpoint(Services& services, Principal who, Request& request) {
  auto done = co_await services.engine.remove(
      std::move(who), name_of(request), std::string(request.query_value("version").value_or("")));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return json_response(200, "{}");
}

}  // namespace interline::control

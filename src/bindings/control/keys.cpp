// /v1/keys: API keys, by operators.
#include "engine/keys.hpp"

#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/requests.hpp"
#include "bindings/control/views.hpp"

namespace interline::control {

awaitable<Answer> list_keys(Services& services, Principal who, Request& request) {
  const auto limit = read_limit(request, services.options.limits);
  if (!limit) co_return std::unexpected(limit.error());
  std::string after(request.query_value("after").value_or(""));
  auto rows = co_await engine::list_keys(services.engine, std::move(who), std::move(after), *limit);
  if (!rows) co_return std::unexpected(std::move(rows.error()));
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("keys");
  writer.begin_array();
  for (const engine::KeyRow& row : *rows) {
    writer.begin_object();
    writer.member("name", std::string_view(row.name));
    writer.member("principal", "key:" + row.name);
    writer.member("created", time_text(row.created));
    writer.member("creator", std::string_view(row.creator));
    writer.end_object();
  }
  writer.end_array();
  if (rows->size() >= *limit) writer.member("next", std::string_view(rows->back().name));
  writer.end_object();
  co_return json_response(200, std::move(text));
}

awaitable<Answer> create_key(Services& services, Principal who, Request& request) {
  auto name = read_key_name(request.body);
  if (!name) co_return std::unexpected(std::move(name.error()));
  const auto secret =
      co_await engine::create_key(services.engine, std::move(who), *name, services.clock.now());
  if (!secret) co_return std::unexpected(secret.error());
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", std::string_view(*name));
  writer.member("key", secret->reveal());
  writer.end_object();
  co_return json_response(201, std::move(text));
}

awaitable<Answer> revoke_key(Services& services, Principal who, Request& request) {
  auto done = co_await engine::revoke_key(services.engine, std::move(who),
                                          std::string(request.parameter("name")));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return json_response(200, "{}");
}

}  // namespace interline::control

#include "bindings/mcp/post.hpp"

#include <any>
#include <utility>
#include <variant>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "bindings/mcp/exchange_place.hpp"
#include "bindings/mcp/legacy_post.hpp"
#include "bindings/mcp/response_stream.hpp"
#include "protocols/mcp/header_value.hpp"

namespace interline::mcp {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;
using protocols::jsonrpc::Kind;

constexpr std::string_view kListen = "subscriptions/listen";

/// One request of a modern revision, on the connection that it came by.
class ModernPost {
 public:
  explicit ModernPost(const Place& place) : place_(place) {}

  awaitable<void> run(Headers& headers, const rules::ModernExchange& exchange,
                      const rules::Features& features) {
    server::Asked asked;
    asked.who = place_.arrived.who;
    asked.endpoint = place_.endpoint();
    asked.features = features;
    asked.revision = exchange.revision;
    asked.message = exchange.message;
    asked.method = exchange.method;
    asked.meta = exchange.meta;
    asked.header = [&headers](std::string_view name) { return headers.get(name); };
    const auto executor = co_await boost::asio::this_coro::executor;
    auto stream = std::make_shared<ResponseStream>(executor, place_.responder, options());
    asked.sink = stream.get();
    if (!may_tell(exchange)) {
      server::Reply reply = co_await place_.services.mcp.handle(std::move(asked));
      stream->finish(std::move(reply));
      co_await stream->write();
      co_return;
    }
    boost::asio::co_spawn(executor, answer(place_.services.mcp, std::move(asked), stream),
                          boost::asio::detached);
    co_await stream->write();  // returns when it has been answered
  }

 private:
  /// Whether anything can come before the answer.
  [[nodiscard]] static bool may_tell(const rules::ModernExchange& exchange) {
    return !exchange.meta.progress_token.empty() || exchange.meta.log_level ||
           exchange.message.method == kListen;
  }

  static awaitable<void> answer(server::Server& mcp, server::Asked asked,
                                std::shared_ptr<ResponseStream> stream) {
    server::Reply reply = co_await mcp.handle(std::move(asked));
    stream->finish(std::move(reply));
  }

  [[nodiscard]] StreamOptions options() const {
    StreamOptions made;
    made.takes_json = place_.arrived.takes_json;
    made.takes_events = place_.arrived.takes_events;
    made.keep_alive = place_.services.options.keep_alive;
    allow_origin(place_.services, place_.request, made.fields);
    return made;
  }

  const Place& place_;
};

/// The session that a request names. Modern requests have none, whatever they name.
awaitable<std::shared_ptr<server::Session>> session_of(const Place& place, const Headers& headers,
                                                       const rules::Features& features) {
  const auto id = place.request.fields.get(kSessionHeader);
  if (!id || !place.services.options.legacy) co_return nullptr;
  const auto& version = headers.of_rules().protocol_version;
  const auto revision =
      version ? rules::revision_named(rules::trim_header_value(*version)) : std::nullopt;
  if (revision && rules::is_modern(*revision)) co_return nullptr;
  co_return co_await place.services.sessions->find(std::string(*id), place.arrived.who,
                                                   place.endpoint(), features);
}

awaitable<void> decided(const Place& place, Headers& headers, Body body,
                        const rules::Features& features) {
  const auto session = co_await session_of(place, headers, features);
  rules::Served served;
  served.features = features;
  served.legacy = place.services.options.legacy;
  served.sessions = rules::Served::Sessions::required;
  rules::LegacyState state;
  state.session_named = place.request.fields.contains(kSessionHeader);
  if (session) state.negotiated = session->revision();
  const rules::Decision decision =
      rules::decide(body->root(), rules::Transport::http, headers.of_rules(), state, served);
  if (const auto* refusal = std::get_if<rules::Refusal>(&decision)) {
    co_return co_await send(place, refusal_response(*refusal));
  }
  if (const auto* batch = std::get_if<rules::LegacyBatch>(&decision)) {
    co_return co_await legacy_batch(place, std::move(body), *batch, session, served);
  }
  if (const auto* legacy = std::get_if<rules::LegacyExchange>(&decision)) {
    co_return co_await legacy_post(place, std::move(body), *legacy, session, features);
  }
  const auto& modern = std::get<rules::ModernExchange>(decision);
  if (modern.message.kind != Kind::request) {
    Response accepted(202);  // a notification: nothing that a client tells us changes anything
    co_return co_await send(place, std::move(accepted));
  }
  if (modern.message.method == kListen && !place.arrived.takes_events) {
    Response response = net::http::plain_response(406);
    response.body = "406 Not Acceptable: Accept has to take text/event-stream for this method.\n";
    co_return co_await send(place, std::move(response));
  }
  ModernPost one(place);
  co_await one.run(headers, modern, features);
}

}  // namespace

awaitable<void> post(std::shared_ptr<Services> services, Request& request, Responder& responder) {
  const Arrived arrived = std::any_cast<Arrived>(std::move(request.context));
  const Place place{*services, request, responder, arrived};
  const auto features = co_await services->mcp.offered(arrived.who, place.endpoint());
  if (!features) {
    const bool absent = features.error().kind == ErrorKind::not_found;
    Response response = net::http::plain_response(absent ? 404 : 503);
    co_return co_await send(place, std::move(response));
  }
  auto body = read_body(request);
  if (!body) {
    Response response =
        json_response(body.error().status, rules::error_line(std::string_view(), body.error()));
    co_return co_await send(place, std::move(response));
  }
  Headers headers(request);
  co_await decided(place, headers, *std::move(body), *features);
}

}  // namespace interline::mcp

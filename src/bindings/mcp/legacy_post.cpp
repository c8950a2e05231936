#include "bindings/mcp/legacy_post.hpp"

#include <utility>
#include <variant>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "bindings/mcp/event_writer.hpp"

namespace interline::mcp {
namespace {

using net::http::Response;
using protocols::jsonrpc::Kind;
using server::EventLog;
using server::Session;

awaitable<void> open_session(const Place& place, const rules::LegacyExchange& exchange,
                             const rules::Features& features) {
  auto opened = co_await place.services.sessions->open(place.arrived.who, place.endpoint(),
                                                       exchange, features);
  const std::string_view id = exchange.message.id;
  if (!opened) {
    co_return co_await send(place,
                            json_response(rules::kInBand, rules::error_line(id, opened.error())));
  }
  Response response = json_response(rules::kInBand, protocols::jsonrpc::result(id, opened->result));
  response.fields.set(kSessionHeader, opened->session->id());
  co_await send(place, std::move(response));
}

/// The request's work, on the session's strand: it goes on when its reader leaves.
awaitable<void> work(std::shared_ptr<Session> session, rules::LegacyExchange exchange,
                     rules::Features features, std::shared_ptr<EventLog> log, Body body) {
  server::Reply reply = co_await session->handle(std::move(exchange), features, log);
  log->finish(std::move(reply.message));
  (void)body;  // what the exchange's views are of
}

}  // namespace

void heed(Session& session, const rules::LegacyExchange& exchange) {
  const auto& message = exchange.message;
  if (message.kind == Kind::result || message.kind == Kind::error) {
    session.answered(message);
  } else if (message.method == "notifications/cancelled") {
    const auto params = rules::read_cancelled_params(message.params);
    if (params) session.cancelled(params->request);
  }
}

awaitable<void> legacy_post(const Place& place, Body body, const rules::LegacyExchange& exchange,
                            std::shared_ptr<Session> session, const rules::Features& features) {
  if (exchange.opens()) co_return co_await open_session(place, exchange, features);
  if (exchange.message.kind != Kind::request) {
    heed(*session, exchange);
    Response accepted(202);
    co_return co_await send(place, std::move(accepted));
  }
  const auto log = session->open_stream(exchange.message.id);
  boost::asio::co_spawn(session->executor(),
                        work(session, exchange, features, log, std::move(body)),
                        boost::asio::detached);
  EventWriter writer(place, log, co_await boost::asio::this_coro::executor);
  writer.primed(session->revision() >= rules::Revision::v2025_11_25);
  const bool answered = co_await writer.wait_for_lone_answer(kPatience);
  if (!answered) co_await writer.stream(0);
}

}  // namespace interline::mcp

#include "bindings/mcp/post.hpp"

#include <any>
#include <utility>
#include <variant>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "bindings/mcp/front_guard.hpp"
#include "bindings/mcp/request_reader.hpp"
#include "bindings/mcp/response_stream.hpp"

namespace interline::mcp {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;

awaitable<void> send(const Services& services, const Request& request, Responder& responder,
                     Response response) {
  allow_origin(services, request, response.fields);
  const auto sent = co_await responder.send(std::move(response));
  (void)sent;  // the peer is gone: nobody to tell
}

Response json_response(int status, std::string line) {
  return Response(static_cast<unsigned>(status), "application/json", std::move(line));
}

/// One request of a modern revision, on the connection that it came by.
class ModernPost {
 public:
  ModernPost(Services& services, Request& request, Responder& responder, const Arrived& arrived)
      : services_(services), request_(request), responder_(responder), arrived_(arrived) {}

  awaitable<void> run(PostedMessage& posted, const rules::ModernExchange& exchange,
                      const rules::Features& features) {
    server::Asked asked;
    asked.who = arrived_.who;
    asked.endpoint = std::string(request_.parameter("name"));
    asked.features = features;
    asked.revision = exchange.revision;
    asked.message = exchange.message;
    asked.method = exchange.method;
    asked.meta = exchange.meta;
    asked.header = [&posted](std::string_view name) { return posted.header(name); };
    const auto executor = co_await boost::asio::this_coro::executor;
    auto stream = std::make_shared<ResponseStream>(executor, responder_, options());
    asked.sink = stream.get();
    if (!may_tell(exchange)) {
      server::Reply reply = co_await services_.mcp.handle(std::move(asked));
      stream->finish(std::move(reply));
      co_await stream->write();
      co_return;
    }
    boost::asio::co_spawn(executor, answer(services_.mcp, std::move(asked), stream),
                          boost::asio::detached);
    co_await stream->write();  // returns when it has been answered
  }

 private:
  /// Whether anything can come before the answer.
  [[nodiscard]] static bool may_tell(const rules::ModernExchange& exchange) {
    return !exchange.meta.progress_token.empty() || exchange.meta.log_level ||
           exchange.message.method == "subscriptions/listen";
  }

  static awaitable<void> answer(server::Server& mcp, server::Asked asked,
                                std::shared_ptr<ResponseStream> stream) {
    server::Reply reply = co_await mcp.handle(std::move(asked));
    stream->finish(std::move(reply));
  }

  [[nodiscard]] StreamOptions options() const {
    StreamOptions made;
    made.takes_json = arrived_.takes_json;
    made.takes_events = arrived_.takes_events;
    made.keep_alive = services_.options.keep_alive;
    allow_origin(services_, request_, made.fields);
    return made;
  }

  Services& services_;
  Request& request_;
  Responder& responder_;
  const Arrived& arrived_;
};

Response refusal_response(const rules::Refusal& refusal) {
  return json_response(refusal.answer.status, rules::error_line(refusal.id, refusal.answer));
}

}  // namespace

awaitable<void> post(std::shared_ptr<Services> services, Request& request, Responder& responder) {
  const Arrived arrived = std::any_cast<Arrived>(std::move(request.context));
  auto features =
      co_await services->mcp.offered(arrived.who, std::string(request.parameter("name")));
  if (!features) {
    const bool absent = features.error().kind == ErrorKind::not_found;
    Response response = net::http::plain_response(absent ? 404 : 503);
    co_return co_await send(*services, request, responder, std::move(response));
  }
  auto posted = PostedMessage::read(request);
  if (!posted) {
    Response response =
        json_response(posted.error().status, rules::error_line(std::string_view(), posted.error()));
    co_return co_await send(*services, request, responder, std::move(response));
  }
  rules::Served served;
  served.features = *features;
  served.legacy = false;
  const rules::LegacyState state;
  const rules::Decision decision =
      rules::decide((*posted)->root(), rules::Transport::http, (*posted)->headers(), state, served);
  if (const auto* refusal = std::get_if<rules::Refusal>(&decision)) {
    co_return co_await send(*services, request, responder, refusal_response(*refusal));
  }
  const auto* modern = std::get_if<rules::ModernExchange>(&decision);
  if (modern == nullptr || modern->message.kind != protocols::jsonrpc::Kind::request) {
    Response accepted(202);  // a notification: nothing that a client tells us changes anything
    co_return co_await send(*services, request, responder, std::move(accepted));
  }
  ModernPost one(*services, request, responder, arrived);
  co_await one.run(**posted, *modern, *features);
}

}  // namespace interline::mcp

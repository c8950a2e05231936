#include "bindings/a2a/exchange.hpp"

#include <any>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "protocols/a2a/versions.hpp"

namespace interline::a2a {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;

awaitable<void> work(std::shared_ptr<Services> services, server::Asked asked,
                     std::shared_ptr<EventStream> stream, std::shared_ptr<const void> /*kept*/) {
  auto outcome = co_await services->a2a.stream(std::move(asked), *stream);
  stream->finish(std::move(outcome));
}

}  // namespace

server::Face face_of(const Request& request) {
  return {std::string(request.parameter("name")), std::string(request.parameter("tool"))};
}

server::Asked asked_of(const Request& request) {
  server::Asked asked;
  asked.who = std::any_cast<const Arrived&>(request.context).who;
  asked.face = face_of(request);
  asked.version_header = request.fields.get(rules::kVersionHeader);
  asked.version_query = request.query_value(rules::kVersionHeader);
  return asked;
}

awaitable<void> stream_events(std::shared_ptr<Services> services, const Request& request,
                              Responder& responder, server::Asked asked, Framing framing,
                              std::shared_ptr<const void> kept) {
  net::http::Fields fields;
  allow_origin(*services, request, fields);
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto stream = std::make_shared<EventStream>(
      executor, responder, std::move(framing), std::move(fields), services->options.keep_alive);
  // Ends before write() returns, which waits for its outcome.
  boost::asio::co_spawn(executor, work(services, std::move(asked), stream, std::move(kept)),
                        boost::asio::detached);
  co_await stream->write();
}

awaitable<void> send(const Services& services, const Request& request, Responder& responder,
                     Response response) {
  allow_origin(services, request, response.fields);
  const auto sent = co_await responder.send(std::move(response));
  (void)sent;  // the peer is gone: nobody to tell
}

}  // namespace interline::a2a

// GET and DELETE of a session.
#include <any>
#include <charconv>
#include <optional>
#include <utility>

#include <boost/asio/this_coro.hpp>

#include "bindings/mcp/event_writer.hpp"
#include "bindings/mcp/legacy_post.hpp"
#include "protocols/mcp/header_value.hpp"

namespace interline::mcp {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;
using server::EventLog;
using server::Session;

/// The session, or the status that says why there is none.
awaitable<std::expected<std::shared_ptr<Session>, unsigned>> find_session(const Place& place) {
  const auto version = place.request.fields.get("MCP-Protocol-Version");
  const auto revision =
      version ? rules::revision_named(rules::trim_header_value(*version)) : rules::kNewestLegacy;
  if (!revision || rules::is_modern(*revision) ||
      *revision < rules::Served::oldest(rules::Transport::http)) {
    co_return std::unexpected(400U);
  }
  const auto id = place.request.fields.get(kSessionHeader);
  if (!id) co_return std::unexpected(400U);
  const auto features = co_await place.services.mcp.offered(place.arrived.who, place.endpoint());
  if (!features) co_return std::unexpected(404U);
  auto session = co_await place.services.sessions->find(std::string(*id), place.arrived.who,
                                                        place.endpoint(), *features);
  if (!session) co_return std::unexpected(404U);
  co_return session;
}

struct Resumption {
  std::string stream;
  EventLog::Sequence after = 0;
};

/// "STREAM-SEQUENCE", as EventWriter writes it.
std::optional<Resumption> read_event_id(std::string_view id) {
  const auto dash = id.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  Resumption resumption;
  resumption.stream = id.substr(0, dash);
  const char* const end = id.data() + id.size();
  const auto read = std::from_chars(id.data() + dash + 1, end, resumption.after);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return resumption;
}

}  // namespace

awaitable<void> get_stream(std::shared_ptr<Services> services, Request& request,
                           Responder& responder) {
  const Arrived arrived = std::any_cast<Arrived>(std::move(request.context));
  const Place place{*services, request, responder, arrived};
  const auto session = co_await find_session(place);
  if (!session) co_return co_await send(place, net::http::plain_response(session.error()));
  std::shared_ptr<EventLog> log = (*session)->general();
  EventLog::Sequence after = 0;
  if (const auto id = request.fields.get("Last-Event-ID")) {
    const auto resumption = read_event_id(*id);
    if (!resumption) co_return co_await send(place, net::http::plain_response(400));
    log = (*session)->stream(resumption->stream);
    after = resumption->after;
    if (!log) co_return co_await send(place, net::http::plain_response(404));
  } else if (log->has_reader()) {
    co_return co_await send(place, net::http::plain_response(409));
  }
  EventWriter writer(place, log, co_await boost::asio::this_coro::executor);
  co_await writer.stream(after);
}

awaitable<void> delete_session(std::shared_ptr<Services> services, Request& request,
                               Responder& responder) {
  const Arrived arrived = std::any_cast<Arrived>(std::move(request.context));
  const Place place{*services, request, responder, arrived};
  const auto session = co_await find_session(place);
  if (!session) co_return co_await send(place, net::http::plain_response(session.error()));
  co_await services->sessions->end(*session);
  Response ended(204);
  co_await send(place, std::move(ended));
}

}  // namespace interline::mcp

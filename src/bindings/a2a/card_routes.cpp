#include "bindings/a2a/card_routes.hpp"

#include <chrono>
#include <ctime>
#include <string>
#include <utility>

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "bindings/a2a/exchange.hpp"
#include "bindings/web/authentication.hpp"
#include "net/http/date.hpp"

namespace interline::a2a {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;

std::string tag_of(const std::string& card) {
  return "\"" + encode_base64url(BytesView(sha256(card))).substr(0, 22) + "\"";
}

std::time_t seconds_of(SystemTime time) {
  return static_cast<std::time_t>(
      std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count());
}

/// RFC 9110, section 13.2.2: the tag decides where there is one.
bool is_known(const Request& request, const std::string& tag, std::string_view modified) {
  if (const auto tags = request.fields.get("If-None-Match")) {
    return *tags == "*" || tags->find(tag) != std::string_view::npos;
  }
  const auto since = request.fields.get("If-Modified-Since");
  return since && *since == modified;
}

}  // namespace

awaitable<void> card(std::shared_ptr<Services> services, Request& request, Responder& responder) {
  server::Asked asked = asked_of(request);
  const bool of_host = asked.face.endpoint.empty();
  // One card for all: what only some may see is in cards that say whom they are for.
  if (of_host) asked.who = policy::Principal::anonymous();
  const bool for_all = asked.who.is_anonymous();
  const server::Answer card =
      co_await services->a2a.card(std::move(asked), web::origin_of(services->access(), request));
  if (!card) {
    co_return co_await send(*services, request, responder,
                            error_response(*services, Door::card, request, card.error()));
  }
  const std::string tag = tag_of(*card);
  const std::string modified =
      net::http::format_date(seconds_of(services->cards.since(tag, services->clock.now())));
  Response response =
      is_known(request, tag, modified) ? Response(304) : Response(200, "application/json", *card);
  response.fields.set("ETag", tag);
  response.fields.set("Last-Modified", modified);
  const std::string life = std::to_string(services->options.card_life.count());
  response.fields.set("Cache-Control", (for_all ? "public, max-age=" : "private, max-age=") + life);
  if (!for_all) response.fields.set("Vary", "Authorization");
  co_await send(*services, request, responder, std::move(response));
}

}  // namespace interline::a2a

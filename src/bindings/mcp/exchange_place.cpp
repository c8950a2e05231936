#include "bindings/mcp/exchange_place.hpp"

#include <utility>

namespace interline::mcp {

using net::http::Response;

awaitable<void> send(const Place& place, Response response) {
  allow_origin(place.services, place.request, response.fields);
  const auto sent = co_await place.responder.send(std::move(response));
  (void)sent;  // the peer is gone: nobody to tell
}

Response json_response(int status, std::string line) {
  return Response(static_cast<unsigned>(status), "application/json", std::move(line));
}

Response refusal_response(const rules::Refusal& refusal) {
  return json_response(refusal.answer.status, rules::error_line(refusal.id, refusal.answer));
}

}  // namespace interline::mcp

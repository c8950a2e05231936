// How a session serves one request: from its head to what becomes of the connection.
#include <utility>

#include "net/http/session.hpp"
#include "net/http/session_responder.hpp"
#include "net/http/target.hpp"
#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

constexpr std::size_t kSkipBytes = std::size_t{64} * 1024;  // a body nobody wants is read this far

// The share of max_body_bytes that one request holds from before its body until after its answer.
class BodyReservation {
 public:
  BodyReservation(SessionContext& context, std::uint64_t bytes) : context_(context), bytes_(bytes) {
    held_ =
        context.stats.body_bytes_held.fetch_add(bytes) + bytes <= context.options.max_body_bytes;
    if (!held_) context.stats.body_bytes_held -= bytes;
  }
  ~BodyReservation() {
    if (held_) context_.stats.body_bytes_held -= bytes_;
  }
  BodyReservation(const BodyReservation&) = delete;
  BodyReservation& operator=(const BodyReservation&) = delete;

  [[nodiscard]] bool held() const { return held_; }

 private:
  SessionContext& context_;
  std::uint64_t bytes_;
  bool held_;
};

std::uint64_t reserve_for(const Framing& framing, std::size_t limit) {
  return framing.kind == Framing::Kind::chunked ? limit : framing.length;
}

}  // namespace

awaitable<Session::Next> Session::serve_request(RequestHead head) {
  began_ = std::chrono::steady_clock::now();
  stream_->expires_never();
  ++context_->stats.requests;
  head_only_ = head.method == Method::head;
  persistent_ = is_persistent(head.minor_version, head.fields) && !draining_;
  const auto framing = request_framing(head);
  if (!framing) co_return co_await refuse(framing.error(), nullptr);
  Request request;
  if (auto parsed = parse_target(head, request); !parsed) {
    co_return co_await refuse(parsed.error(), nullptr);
  }
  request.method = head.method;
  request.minor_version = head.minor_version;
  request.fields = std::move(head.fields);
  request.peer = &stream_->peer();
  const Origin origin =
      find_origin(*request.peer, request.fields, context_->options.trusted_proxies);
  request.client = origin.client;
  request.secure = origin.secure;

  wants_continue_ = false;
  if (const auto expect = request.fields.get("Expect"); expect && request.minor_version > 0) {
    wants_continue_ = equals_without_case(*expect, "100-continue");
    const Refusal refusal(417, "an expectation other than 100-continue");
    if (!wants_continue_) co_return co_await refuse(refusal, &request);
  }
  if (request.path == "*") {
    Response nothing(200);
    co_return co_await answer_early(request, *framing, std::move(nothing), std::string());
  }
  const Router::Match match = context_->router->find(request);
  if (match.route != nullptr) co_return co_await serve_route(request, *match.route, *framing);
  Response response = own_response(match.status, &request);
  if (!match.allow.empty()) response.fields.set("Allow", match.allow);
  co_return co_await answer_early(request, *framing, std::move(response), std::string());
}

awaitable<Session::Next> Session::serve_route(Request& request, const Route& route,
                                              Framing framing) {
  std::string failure;
  if (route.options.guard) {
    std::optional<Response> stopped;
    try {
      stopped = co_await route.options.guard(request);
    } catch (const std::exception& error) {
      stopped = own_response(500, &request);
      failure = error.what();
    }
    if (stopped) {
      co_return co_await answer_early(request, framing, std::move(*stopped), std::move(failure));
    }
  }
  const std::size_t limit = route.options.body_limit;
  if (framing.length > limit) {
    const Refusal refusal(413, "the body is too large");
    co_return co_await refuse(refusal, &request);
  }
  const BodyReservation reservation(*context_, reserve_for(framing, limit));
  if (!reservation.held()) {
    const Refusal refusal(503, "too many bodies are being held");
    co_return co_await refuse(refusal, &request);
  }
  if (auto read = co_await read_body(framing, limit, request.body); !read) {
    if (read.error().status == 0) co_return Next::drop;  // the peer is gone
    co_return co_await refuse(read.error(), &request);
  }
  stream_->expires_never();
  handling_ = true;
  SessionResponder responder(*this, request);
  try {
    co_await route.handler(request, responder);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  handling_ = false;
  on_gone_ = nullptr;
  co_return co_await responder.finish(std::move(failure));
}

// An answer that needs no body. A small one is read over to keep the connection; otherwise the
// connection ends, since the body would be taken for the next request.
awaitable<Session::Next> Session::answer_early(Request& request, Framing framing, Response response,
                                               std::string note) {
  if (framing.kind != Framing::Kind::none && persistent_) {
    persistent_ =
        framing.kind == Framing::Kind::length && framing.length <= kSkipBytes && !wants_continue_;
    if (persistent_) {
      std::string ignored;
      auto skipped = co_await read_body(framing, kSkipBytes, ignored);
      persistent_ = skipped.has_value();
    }
  }
  SessionResponder responder(*this, request);
  auto sent = co_await responder.send(std::move(response));
  if (!sent) co_return Next::drop;
  co_return co_await responder.finish(std::move(note));
}

awaitable<Session::Next> Session::refuse(Refusal refusal, const Request* request) {
  persistent_ = false;
  Request unknown;
  if (head_only_) unknown.method = Method::head;
  SessionResponder responder(*this, request == nullptr ? unknown : *request);
  Response response = own_response(refusal.status, request);
  if (refusal.status == 503) response.fields.set("Retry-After", "1");
  auto sent = co_await responder.send(std::move(response));
  report(request, refusal.status, responder.body_bytes(), refusal.why);
  co_return sent ? Next::close : Next::drop;
}

Response Session::own_response(unsigned status, const Request* request) const {
  const auto& make = context_->options.refusal;
  Response response = make ? make(status, request) : plain_response(status);
  response.status = status;
  return response;
}

}  // namespace interline::net::http

// How a session reads a request's body: whole, within the route's limit and the body timeout.
#include <algorithm>

#include "net/errors.hpp"
#include "net/http/chunked.hpp"
#include "net/http/session.hpp"

namespace interline::net::http {
namespace {

// Status 0: nobody is left to answer.
std::unexpected<Refusal> broken(const Error& error) {
  if (is_timeout(error)) return std::unexpected(Refusal(408, "the body took too long"));
  return std::unexpected(Refusal(0, "the connection broke within a body"));
}

std::unexpected<Refusal> ended() {
  return std::unexpected(Refusal(0, "the connection ended within a body"));
}

}  // namespace

awaitable<Parsed<void>> Session::read_body(Framing framing, std::size_t limit, std::string& body) {
  const bool empty = framing.kind == Framing::Kind::none ||
                     (framing.kind == Framing::Kind::length && framing.length == 0);
  if (empty) co_return Parsed<void>();
  if (wants_continue_ && input_->data().empty()) {  // RFC 9110 section 10.1.1
    auto sent = co_await write("HTTP/1.1 100 Continue\r\n\r\n", "");
    if (!sent) co_return broken(sent.error());
  }
  stream_->expires_after(context_->options.body_timeout);
  Parsed<void> outcome;
  if (framing.kind == Framing::Kind::length) {
    outcome = co_await read_length(framing.length, body);
  } else {
    outcome = co_await read_chunks(limit, body);
  }
  if (!outcome && outcome.error().status == 408) ++context_->stats.timeouts;
  co_return outcome;
}

// Memory grows with what has come, not with what was promised.
awaitable<Parsed<void>> Session::read_length(std::uint64_t length, std::string& body) {
  for (;;) {
    const auto missing = static_cast<std::size_t>(length - body.size());
    const std::string_view piece = input_->data().substr(0, missing);
    body += piece;
    input_->consume(piece.size());
    if (body.size() == length) co_return Parsed<void>();
    auto got = co_await more_input();
    if (!got) co_return broken(got.error());
    if (*got == 0) co_return ended();
  }
}

awaitable<Parsed<void>> Session::read_chunks(std::size_t limit, std::string& body) {
  ChunkDecoder decoder;
  for (;;) {
    const auto step = decoder.step(input_->data());
    if (!step) co_return std::unexpected(step.error());
    if (step->data.size() > limit - body.size()) {
      co_return std::unexpected(Refusal(413, "the body is too large"));
    }
    body += step->data;
    input_->consume(step->consumed);
    if (step->done) co_return Parsed<void>();
    if (step->consumed > 0) continue;
    auto got = co_await more_input();
    if (!got) co_return broken(got.error());
    if (*got == 0) co_return ended();
  }
}

}  // namespace interline::net::http

#include "net/http/session_responder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "net/http/chunked.hpp"
#include "net/http/text.hpp"
#include "net/http/upgraded_stream.hpp"

namespace interline::net::http {
namespace {

// Nobody sees it but the log; no standard has a number for it, and this is the usual one.
constexpr unsigned kClientLeft = 499;

// What says where a message ends is the server's alone.
constexpr std::array<std::string_view, 4> kOwn = {"Content-Length", "Transfer-Encoding",
                                                  "Connection", "Date"};

bool is_own(std::string_view name) {
  return std::ranges::any_of(kOwn,
                             [&](std::string_view own) { return equals_without_case(own, name); });
}

// A line break in a value would let whoever chose the value write fields, or a whole response.
bool can_be_sent(const Response& response) {
  if (response.status < 200 || response.status > 599) return false;
  for (std::size_t i = 0; i < response.fields.size(); ++i) {
    const Field field = response.fields[i];
    if (!is_token(field.name) || !is_field_value(field.value)) return false;
  }
  return true;
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  text += name;
  text += ": ";
  text += value;
  text += "\r\n";
}

}  // namespace

std::string SessionResponder::make_head(const Response& response, bool streaming) {
  std::string text;
  text.reserve(256);
  text += "HTTP/1.1 ";
  text += std::to_string(response.status);
  text += ' ';
  text += reason_phrase(response.status);
  text += "\r\n";
  append_field(text, "Date", session_.date());
  for (std::size_t i = 0; i < response.fields.size(); ++i) {
    const Field field = response.fields[i];
    if (!is_own(field.name)) append_field(text, field.name, field.value);
  }
  if (streaming && chunked_) {
    append_field(text, "Transfer-Encoding", "chunked");
  } else if (!streaming && !never_has_body(response.status)) {
    append_field(text, "Content-Length", std::to_string(response.body.size()));
  }
  if (!session_.persistent_) {
    append_field(text, "Connection", "close");
  } else if (request_.minor_version == 0) {
    append_field(text, "Connection", "keep-alive");
  }
  text += "\r\n";
  return text;
}

Result<void> SessionResponder::start(Response& response) {
  if (state_ != State::waiting) {
    return fail(ErrorKind::internal, "the response was sent already");
  }
  Result<void> outcome;
  if (!can_be_sent(response)) {
    response = session_.own_response(500, &request_);
    note_ = "a response that cannot be sent";
    outcome = fail(ErrorKind::internal, note_);
  }
  status_ = response.status;
  bodiless_ = request_.method == Method::head || never_has_body(status_);
  if (session_.draining_ || response.fields.has_token("Connection", "close")) {
    session_.persistent_ = false;
  }
  return outcome;
}

awaitable<Result<void>> SessionResponder::transmit(std::string_view head, std::string_view body) {
  auto written = co_await session_.write(head, body);
  if (!written) state_ = State::failed;
  co_return written;
}

awaitable<Result<void>> SessionResponder::send(Response response) {
  auto started = start(response);
  if (!started && state_ != State::waiting) co_return started;
  state_ = State::ended;
  const std::string head = make_head(response, false);
  const std::string_view body = bodiless_ ? std::string_view() : std::string_view(response.body);
  body_bytes_ = body.size();
  auto written = co_await transmit(head, body);
  if (!written) co_return written;
  co_return started;
}

awaitable<Result<void>> SessionResponder::begin(Response response) {
  auto started = start(response);
  if (!started && state_ != State::waiting) co_return started;
  if (!started) {  // start made it a 500 with a body of its own
    state_ = State::ended;
    const std::string head = make_head(response, false);
    auto written = co_await transmit(head, bodiless_ ? std::string_view() : response.body);
    co_return written ? started : written;
  }
  state_ = State::streaming;
  if (request_.minor_version == 0)
    session_.persistent_ = false;  // the body ends with the connection
  chunked_ = request_.minor_version > 0 && !never_has_body(status_);
  const std::string head = make_head(response, true);
  auto written = co_await transmit(head, "");
  if (written && session_.handling_) session_.watch_input();
  co_return written;
}

awaitable<Result<void>> SessionResponder::write(std::string_view bytes) {
  if (state_ == State::failed) co_return fail(ErrorKind::unavailable, "the connection is closed");
  if (state_ != State::streaming) co_return fail(ErrorKind::internal, "no body was begun");
  if (bytes.empty() || bodiless_) co_return Result<void>();
  body_bytes_ += bytes.size();
  if (!chunked_) co_return co_await transmit("", bytes);
  // One write for a small piece; the framing of a large one costs nothing beside it.
  constexpr std::size_t kJoined = 4096;
  std::string head = chunk_head(bytes.size());
  if (bytes.size() <= kJoined) {
    head += bytes;
    head += "\r\n";
    co_return co_await transmit(head, "");
  }
  auto written = co_await transmit(head, bytes);
  if (!written) co_return written;
  co_return co_await transmit("\r\n", "");
}

awaitable<Result<void>> SessionResponder::end() {
  if (state_ == State::failed) co_return fail(ErrorKind::unavailable, "the connection is closed");
  if (state_ != State::streaming) co_return fail(ErrorKind::internal, "no body was begun");
  state_ = State::ended;
  if (!chunked_ || bodiless_) co_return Result<void>();
  co_return co_await transmit(kLastChunk, "");
}

bool SessionResponder::asks_for(std::string_view protocol) const {
  return request_.method != Method::head && request_.minor_version > 0 &&
         request_.fields.has_token("Connection", "upgrade") &&
         request_.fields.has_token("Upgrade", protocol);
}

awaitable<Result<Stream*>> SessionResponder::upgrade(std::string_view protocol) {
  if (state_ != State::waiting || session_.watching_) {
    co_return fail(ErrorKind::internal, "too late to leave HTTP");
  }
  if (!asks_for(protocol)) {
    Response required = session_.own_response(426, &request_);
    required.fields.set("Upgrade", protocol);
    const auto sent = co_await send(std::move(required));
    if (!sent) co_return std::unexpected(sent.error());
    co_return fail(ErrorKind::malformed, "the request asks for no upgrade");
  }
  status_ = 101;
  std::string head = "HTTP/1.1 101 ";
  head += reason_phrase(status_);
  head += "\r\n";
  append_field(head, "Date", session_.date());
  append_field(head, "Connection", "Upgrade");
  append_field(head, "Upgrade", protocol);
  head += "\r\n";
  auto written = co_await transmit(head, "");
  if (!written) co_return std::unexpected(std::move(written.error()));
  state_ = State::upgraded;
  upgraded_ = std::make_unique<UpgradedStream>(*session_.stream_, *session_.input_);
  co_return upgraded_.get();
}

void SessionResponder::on_disconnect(std::function<void()> callback) {
  if (state_ == State::upgraded) return;  // who reads the stream sees its end
  if (session_.gone_) {
    callback();
    return;
  }
  session_.on_gone_ = std::move(callback);
  session_.watch_input();
}

awaitable<Session::Next> SessionResponder::finish(std::string failure) {
  if (state_ == State::waiting && session_.gone_ && failure.empty()) {
    failure = "the client left before its answer";
    status_ = kClientLeft;
    state_ = State::failed;
  } else if (state_ == State::waiting) {
    if (failure.empty()) failure = "the handler gave no answer";
    auto sent = co_await send(session_.own_response(500, &request_));
    if (!sent) state_ = State::failed;
  }
  if (failure.empty()) failure = note_;
  if (failure.empty() && state_ == State::streaming) failure = "the body was not ended";
  session_.report(&request_, status_, body_bytes_, failure);
  if (state_ != State::ended) co_return Session::Next::drop;
  co_return session_.persistent_ ? Session::Next::keep_alive : Session::Next::close;
}

}  // namespace interline::net::http

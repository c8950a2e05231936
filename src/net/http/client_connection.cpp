#include "net/http/client_connection.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

constexpr int kMaxInterim = 8;  // 1xx responses before the final one
constexpr std::size_t kInputSize = std::size_t{64} * 1024;

constexpr std::array<std::string_view, 4> kOwn = {"Host", "Content-Length", "Transfer-Encoding",
                                                  "Connection"};

bool is_own(std::string_view name) {
  return std::ranges::any_of(kOwn,
                             [&](std::string_view own) { return equals_without_case(own, name); });
}

bool can_be_sent(const ClientRequest& request) {
  if (request.target.empty() || !detail::all_of_class(request.target, detail::kTargetChar) ||
      !detail::all_of_class(request.host, detail::kTargetChar)) {
    return false;
  }
  for (std::size_t i = 0; i < request.fields.size(); ++i) {
    const Field field = request.fields[i];
    if (!is_token(field.name) || !is_field_value(field.value)) return false;
  }
  return true;
}

std::string make_head(const ClientRequest& request) {
  std::string text(to_string(request.method));
  text += ' ';
  text += request.target;
  text += " HTTP/1.1\r\nHost: ";
  text += request.host;
  text += "\r\n";
  for (std::size_t i = 0; i < request.fields.size(); ++i) {
    const Field field = request.fields[i];
    if (is_own(field.name)) continue;
    text += field.name;
    text += ": ";
    text += field.value;
    text += "\r\n";
  }
  const bool has_content = request.method == Method::post || request.method == Method::put ||
                           request.method == Method::patch;
  if (has_content || !request.body.empty()) {
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  text += "\r\n";
  return text;
}

std::unexpected<Error> malformed(const Refusal& refusal) {
  return fail(ErrorKind::malformed, "the HTTP response has " + std::string(refusal.why));
}

std::unexpected<Error> cut() {
  return fail(ErrorKind::unavailable, "the connection ended within the HTTP response");
}

}  // namespace

ClientConnection::ClientConnection(std::unique_ptr<Stream> stream, const HeadLimits& limits)
    : stream_(std::move(stream)),
      limits_(limits),
      input_(*stream_, std::max(limits.bytes, kInputSize)) {
  limits_.line = limits_.bytes;  // a status line has no limit of its own
}

awaitable<Result<std::size_t>> ClientConnection::fill() {
  auto got = co_await input_.fill();
  if (got && *got > 0) answered_ = true;
  co_return got;
}

awaitable<Result<ResponseHead>> ClientConnection::exchange(const ClientRequest& request) {
  if (!can_be_sent(request)) {
    co_return fail(ErrorKind::malformed, "the HTTP request has characters that cannot be sent");
  }
  answered_ = false;
  persistent_ = false;
  ended_ = false;
  const std::string head = make_head(request);
  const std::array<std::string_view, 2> pieces{head, request.body};
  const std::span<const std::string_view> all(pieces);
  auto sent = co_await stream_->write_all(all);
  auto response = co_await read_head(request);
  // A server may refuse a body before it was sent, and close: its answer says more than the error.
  if (!sent && !response) co_return std::unexpected(std::move(sent.error()));
  if (!sent) persistent_ = false;
  co_return response;
}

awaitable<Result<ResponseHead>> ClientConnection::read_head(const ClientRequest& request) {
  int interim = 0;
  HeadScanner scanner(limits_);
  for (;;) {
    const auto size = scanner.scan(input_.data());
    if (!size) co_return malformed(size.error());
    if (!*size) {
      auto got = co_await fill();
      if (!got) co_return std::unexpected(std::move(got.error()));
      if (*got == 0) co_return cut();
      continue;
    }
    auto head = parse_response_head(input_.data().substr(0, **size), limits_);
    input_.consume(**size);
    if (!head) co_return malformed(head.error());
    if (head->status == 101 || (head->status < 200 && ++interim > kMaxInterim)) {
      co_return malformed(Refusal(400, "an interim status that was not asked for"));
    }
    if (head->status < 200) {
      scanner = HeadScanner(limits_);
      continue;
    }
    const auto framing = response_framing(*head, request.method == Method::head);
    if (!framing) co_return malformed(framing.error());
    framing_ = *framing;
    left_ = framing->length;
    decoder_ = ChunkDecoder();
    ended_ = framing_.kind == Framing::Kind::none ||
             (framing_.kind == Framing::Kind::length && left_ == 0);
    persistent_ = is_persistent(head->minor_version, head->fields) &&
                  framing_.kind != Framing::Kind::until_close;
    co_return std::move(*head);
  }
}

awaitable<Result<std::string_view>> ClientConnection::read_chunk() {
  for (;;) {
    const auto step = decoder_.step(input_.data());
    if (!step) co_return malformed(step.error());
    ended_ = step->done;
    if (!step->data.empty()) {
      handed_out_ = step->consumed;
      co_return step->data;
    }
    input_.consume(step->consumed);
    if (ended_) co_return std::string_view();
    if (step->consumed > 0) continue;
    auto got = co_await fill();
    if (!got) co_return std::unexpected(std::move(got.error()));
    if (*got == 0) co_return cut();
  }
}

awaitable<Result<std::string_view>> ClientConnection::read_body() {
  input_.consume(std::exchange(handed_out_, 0));
  if (ended_) co_return std::string_view();
  if (framing_.kind == Framing::Kind::chunked) co_return co_await read_chunk();
  if (input_.data().empty()) {
    auto got = co_await fill();
    if (!got) co_return std::unexpected(std::move(got.error()));
    if (*got == 0) {
      if (framing_.kind != Framing::Kind::until_close) co_return cut();
      ended_ = true;
      co_return std::string_view();
    }
  }
  std::string_view piece = input_.data();
  if (framing_.kind == Framing::Kind::length) {
    piece = piece.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, piece.size())));
    left_ -= piece.size();
    ended_ = left_ == 0;
  }
  handed_out_ = piece.size();
  co_return piece;
}

awaitable<Result<std::string>> ClientConnection::read_whole_body(std::size_t limit) {
  std::string body;
  for (;;) {
    auto piece = co_await read_body();
    if (!piece) co_return std::unexpected(std::move(piece.error()));
    if (piece->empty()) co_return body;
    if (piece->size() > limit - body.size()) {
      persistent_ = false;
      co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                     "the body of the HTTP response is too large");
    }
    body += *piece;
  }
}

bool ClientConnection::reusable() {
  if (!ended_ || !persistent_) return false;
  input_.consume(std::exchange(handed_out_, 0));
  return input_.data().empty() && stream_->quiet();
}

}  // namespace interline::net::http

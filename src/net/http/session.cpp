#include "net/http/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "net/errors.hpp"
#include "net/http/date.hpp"
#include "net/http/session_responder.hpp"
#include "net/tls_stream.hpp"

namespace interline::net::http {
namespace {

constexpr std::size_t kSlice = std::size_t{64} * 1024;  // the unit of the write timeout
constexpr std::size_t kLingerBytes = std::size_t{1024} * 1024;

}  // namespace

Session::Session(std::unique_ptr<Stream> stream, std::shared_ptr<SessionContext> context)
    : stream_(std::move(stream)),
      transport_(stream_.get()),
      context_(std::move(context)),
      watch_ended_(stream_->executor()) {}

void Session::drain() {
  draining_ = true;
  if (idle_) abort();
}

void Session::abort() {
  if (transport_ != nullptr) transport_->close();
  peer_is_gone();
}

void Session::failed(const std::exception& error) {
  abort();
  if (stream_) report(nullptr, 500, 0, error.what());
}

awaitable<bool> Session::secure(std::shared_ptr<const TlsContext> tls) {
  stream_->expires_after(context_->options.handshake_timeout);
  auto secured = co_await tls_accept(std::move(stream_), std::move(tls));
  if (!secured) {
    transport_ = nullptr;
    if (is_timeout(secured.error())) ++context_->stats.timeouts;
    co_return false;
  }
  stream_ = std::move(*secured);
  transport_ = stream_.get();
  co_return true;
}

awaitable<void> Session::run(std::shared_ptr<const TlsContext> tls) {
  if (tls) {
    const bool secured = co_await secure(std::move(tls));
    if (!secured) co_return;
  }
  input_.emplace(*stream_, std::max(context_->options.head.bytes, kSlice));
  for (;;) {
    auto head = co_await read_head();
    if (!head) break;  // it ended between requests, or died within one
    idle_ = false;
    Next next = Next::drop;
    if (*head) {
      next = co_await serve_request(std::move(**head));
    } else {
      const Refusal refusal = head->error();
      began_ = std::chrono::steady_clock::now();
      head_only_ = false;
      next = co_await refuse(refusal, nullptr);
    }
    served_any_ = true;
    idle_ = true;
    if (next == Next::drop) break;
    if (next == Next::close || draining_) {
      co_await linger();
      break;
    }
  }
  stream_->close();
}

awaitable<std::optional<Parsed<RequestHead>>> Session::read_head() {
  const ServerOptions& options = context_->options;
  HeadScanner scanner(options.head);
  bool skipped_line = false;
  bool timed_head = false;
  for (;;) {
    std::string_view data = input_->data();
    // RFC 9112 section 2.2: an empty line before the request line is ignored.
    if (!skipped_line && data.starts_with("\r\n")) {
      input_->consume(2);
      skipped_line = true;
      continue;
    }
    auto size = scanner.scan(data);
    if (!size) co_return std::unexpected(size.error());
    if (*size) {
      auto head = parse_request_head(data.substr(0, **size), options.head);
      input_->consume(**size);
      co_return head;
    }
    if (data.empty()) {
      stream_->expires_after(served_any_ ? options.idle_timeout : options.header_timeout);
    } else if (!timed_head) {
      stream_->expires_after(options.header_timeout);
      timed_head = true;
    }
    idle_ = data.empty();
    auto got = co_await more_input();
    if (!got) {
      if (data.empty() || !is_timeout(got.error())) co_return std::nullopt;
      ++context_->stats.timeouts;
      co_return std::unexpected(Refusal(408, "the head took too long"));
    }
    if (*got == 0) co_return std::nullopt;
  }
}

// Bytes that we never read would reset the connection when it is closed, and the reset may overtake
// our answer: end our side, and read on until the peer ends its own.
awaitable<void> Session::linger() {
  stream_->expires_after(context_->options.linger_timeout);
  auto ended = co_await stream_->shutdown_write();
  if (!ended) co_return;
  for (std::size_t total = 0; total < kLingerBytes;) {
    input_->consume(input_->data().size());
    auto got = co_await more_input();
    if (!got || *got == 0) co_return;
    total += *got;
  }
}

awaitable<Result<std::size_t>> Session::more_input() {
  if (!watching_) {
    watched_.reset();
    co_return co_await input_->fill();
  }
  while (watching_) co_await watch_ended_.wait();
  auto got = std::move(*watched_);
  watched_.reset();
  co_return got;
}

void Session::watch_input() {
  if (watching_ || gone_ || input_->full()) return;
  watching_ = true;
  asio::co_spawn(stream_->executor(), watch(shared_from_this()), asio::detached);
}

awaitable<void> Session::watch(std::shared_ptr<Session> self) {
  do {
    auto got = co_await self->input_->fill();
    self->watched_ = got;
    if (self->handling_ && (!got || *got == 0)) self->peer_is_gone();
  } while (self->handling_ && !self->gone_ && !self->input_->full());
  self->watching_ = false;
  self->watch_ended_.notify_all();
}

void Session::peer_is_gone() {
  gone_ = true;
  if (auto callback = std::exchange(on_gone_, nullptr)) callback();
}

awaitable<Result<void>> Session::write(std::string_view head, std::string_view body) {
  Result<void> written;
  do {
    const std::array<std::string_view, 2> pieces{head, body.substr(0, kSlice)};
    const std::span<const std::string_view> all(pieces);
    stream_->expires_after(context_->options.write_timeout);
    written = co_await stream_->write_all(all);
    head = {};
    body.remove_prefix(pieces[1].size());
  } while (written && !body.empty());
  stream_->expires_never();
  if (!written) {
    if (is_timeout(written.error())) ++context_->stats.timeouts;
    stream_->close();
    peer_is_gone();
  }
  co_return written;
}

std::string_view Session::date() {
  const std::time_t now = std::time(nullptr);
  if (now != date_second_) {
    date_second_ = now;
    date_ = format_date(now);
  }
  return date_;
}

void Session::report(const Request* request, unsigned status, std::uint64_t bytes,
                     std::string_view note) {
  ++context_->stats.responses[status / 100 < 6 ? status / 100 : 0];
  if (!context_->options.on_response) return;
  AccessRecord record;
  record.request = request;
  record.peer = &stream_->peer();
  record.status = status;
  record.body_bytes = bytes;
  record.duration = std::chrono::steady_clock::now() - began_;
  record.note = note;
  context_->options.on_response(record);
}

}  // namespace interline::net::http

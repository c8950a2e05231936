#include "bindings/a2a/event_stream.hpp"

#include <utility>

#include "bindings/web/events.hpp"
#include "net/http/sse.hpp"

namespace interline::a2a {

EventStream::EventStream(const net::Executor& executor, net::http::Responder& responder,
                         Framing framing, net::http::Fields fields,
                         std::chrono::milliseconds keep_alive)
    : responder_(responder),
      framing_(std::move(framing)),
      fields_(std::move(fields)),
      keep_alive_(keep_alive),
      timer_(executor, boost::asio::steady_timer::time_point::max()),
      written_(executor) {}

awaitable<bool> EventStream::send(std::string stream_response) {
  if (closed_) co_return false;
  waiting_ = framing_.event(stream_response);
  timer_.cancel();
  while (waiting_ && !closed_) co_await written_.wait();
  co_return !closed_;
}

void EventStream::on_closed(std::function<void()> then) {
  on_closed_ = std::move(then);
  if (closed_ && on_closed_) std::exchange(on_closed_, nullptr)();
}

void EventStream::reader_left() {
  closed_ = true;
  waiting_.reset();
  if (auto then = std::exchange(on_closed_, nullptr)) then();
  written_.notify_all();
  timer_.cancel();
}

void EventStream::finish(std::expected<void, protocols::a2a::ErrorAnswer> outcome) {
  outcome_ = std::move(outcome);
  timer_.cancel();
}

awaitable<void> EventStream::write() {
  responder_.on_disconnect([this] { reader_left(); });
  for (;;) {
    if (waiting_) {
      co_await write_next();
    } else if (outcome_) {
      break;
    } else {
      co_await wait();
    }
  }
  if (!closed_) co_await write_end();
}

awaitable<void> EventStream::write_next() {
  const std::string data = *waiting_;
  const bool written = co_await write_data(data);
  if (!written) co_return reader_left();
  waiting_.reset();
  written_.notify_all();
}

/// On a stream that is silent for long, a comment tells that it is alive.
awaitable<void> EventStream::wait() {
  const bool told = begun_ && !closed_;
  timer_.expires_after(told ? keep_alive_ : std::chrono::hours(1));
  const auto [error] = co_await timer_.async_wait(net::use_tuple);
  if (error || waiting_ || outcome_ || !told || closed_) co_return;
  const auto written = co_await responder_.write(net::http::encode_comment(""));
  if (!written) reader_left();
}

awaitable<bool> EventStream::write_data(const std::string& data) {
  if (!begun_) {
    begun_ = true;
    const auto begun = co_await responder_.begin(web::stream_head(fields_));
    if (!begun) co_return false;
  }
  const auto written = co_await responder_.write(web::event_of(data));
  co_return written.has_value();
}

awaitable<void> EventStream::write_end() {
  if (!begun_ && !*outcome_) {
    const auto sent = co_await responder_.send(framing_.refusal(outcome_->error()));
    (void)sent;  // the peer is gone: nobody to tell
    co_return;
  }
  if (!*outcome_) {
    const bool written = co_await write_data(framing_.error(outcome_->error()));
    if (!written) co_return;
  }
  const auto ended = co_await responder_.end();
  (void)ended;
}

}  // namespace interline::a2a

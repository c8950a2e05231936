#include "bindings/mcp/response_stream.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "bindings/web/events.hpp"
#include "net/http/sse.hpp"

namespace interline::mcp {

using net::http::Response;

ResponseStream::ResponseStream(const net::Executor& executor, net::http::Responder& responder,
                               StreamOptions options)
    : executor_(executor),
      responder_(responder),
      options_(std::move(options)),
      timer_(executor, boost::asio::steady_timer::time_point::max()) {}

bool ResponseStream::tell(std::string message) {
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  if (!options_.takes_events) return true;  // it reads the answer alone
  const bool full =
      queue_.size() >= kMostQueued || queued_bytes_ + message.size() > kMostQueuedBytes;
  if (full && !queue_.empty()) return false;
  queued_bytes_ += message.size();
  queue_.push_back(std::move(message));
  if (!std::exchange(wake_posted_, true)) {
    boost::asio::post(executor_, [self = shared_from_this()] { self->wake(); });
  }
  return true;
}

bool ResponseStream::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

/// The connection is read ahead only for handlers that want to know.
void ResponseStream::on_closed(std::function<void()> then) {
  if (closed()) {
    if (then) then();
    return;
  }
  on_closed_ = std::move(then);
  if (!on_closed_ || std::exchange(watching_, true)) return;
  responder_.on_disconnect([this] { reader_left(); });
}

void ResponseStream::reader_left() {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    queue_.clear();
    queued_bytes_ = 0;
  }
  if (auto then = std::exchange(on_closed_, nullptr)) then();
  wake();
}

void ResponseStream::wake() {
  {
    const std::lock_guard lock(mutex_);
    wake_posted_ = false;
  }
  timer_.cancel();
}

void ResponseStream::finish(server::Reply reply) {
  reply_ = std::move(reply);
  timer_.cancel();
}

std::optional<std::string> ResponseStream::take() {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return std::nullopt;
  std::string message = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= message.size();
  return message;
}

awaitable<void> ResponseStream::write() {
  for (;;) {
    while (const auto message = take()) {
      const bool written = co_await write_event(*message);
      if (!written) reader_left();
    }
    if (reply_) break;
    co_await wait();
  }
  if (!closed()) co_await write_answer();
}

/// For something to write; on a stream that is silent for long, a comment tells that it is alive.
awaitable<void> ResponseStream::wait() {
  {
    const std::lock_guard lock(mutex_);
    if (!queue_.empty()) co_return;
  }
  if (begun_ && !closed()) {
    timer_.expires_after(options_.keep_alive);
  } else {
    timer_.expires_at(boost::asio::steady_timer::time_point::max());
  }
  const auto [error] = co_await timer_.async_wait(net::use_tuple);
  if (error || reply_ || !begun_ || closed()) co_return;
  const auto written = co_await responder_.write(net::http::encode_comment("alive"));
  if (!written) reader_left();
}

awaitable<bool> ResponseStream::begin() {
  if (begun_) co_return true;
  begun_ = true;
  const auto begun = co_await responder_.begin(web::stream_head(options_.fields));
  co_return begun.has_value();
}

awaitable<bool> ResponseStream::write_event(const std::string& message) {
  if (closed()) co_return true;  // left out
  const bool begun = co_await begin();
  if (!begun) co_return false;
  const auto written = co_await responder_.write(web::event_of(message));
  co_return written.has_value();
}

awaitable<void> ResponseStream::write_answer() {
  const bool as_event = begun_ || (!options_.takes_json && reply_->status == rules::kInBand);
  if (!as_event) {
    Response response(static_cast<unsigned>(reply_->status), "application/json",
                      std::move(reply_->message));
    for (std::size_t i = 0; i < options_.fields.size(); ++i) {
      response.fields.set(options_.fields[i].name, options_.fields[i].value);
    }
    const auto sent = co_await responder_.send(std::move(response));
    (void)sent;  // the peer is gone: nobody to tell
    co_return;
  }
  const bool written = co_await write_event(reply_->message);
  if (!written) co_return;
  const auto ended = co_await responder_.end();
  (void)ended;
}

}  // namespace interline::mcp

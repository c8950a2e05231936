#include "bindings/mcp/event_writer.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "bindings/web/events.hpp"
#include "net/http/sse.hpp"

namespace interline::mcp {

using net::http::Response;
using server::EventLog;
using SteadyTime = boost::asio::steady_timer::time_point;

EventWriter::EventWriter(const Place& place, std::shared_ptr<EventLog> log,
                         const net::Executor& executor)
    : place_(place), log_(std::move(log)), bell_(std::make_shared<Bell>(executor)) {
  reader_ = log_->attach(
      [bell = bell_, executor] { boost::asio::post(executor, [bell] { bell->timer.cancel(); }); });
  place_.responder.on_disconnect([bell = bell_] {
    bell->gone = true;
    bell->timer.cancel();
  });
}

EventWriter::~EventWriter() {
  log_->detach(reader_);
}

awaitable<bool> EventWriter::wait_for_lone_answer(std::chrono::milliseconds patience) {
  bell_->timer.expires_after(patience);
  for (;;) {
    if (auto answer = log_->lone_answer()) {
      co_await send(place_, json_response(rules::kInBand, *std::move(answer)));
      co_return true;
    }
    if (bell_->gone || log_->ended() || log_->after(0) || log_->wants_retry()) co_return false;
    const auto [error] = co_await bell_->timer.async_wait(net::use_tuple);
    if (!error) co_return false;
  }
}

awaitable<void> EventWriter::stream(EventLog::Sequence after) {
  if (bell_->gone) co_return;
  const bool begun = co_await begin();
  if (!begun) co_return;
  const auto retry = primed_ ? log_->take_retry() : std::nullopt;
  if (primed_) {
    std::string text = "id: " + event_id(0) + "\n";
    if (retry) text += "retry: " + std::to_string(retry->count()) + "\n";
    const bool written = co_await write(text + "data: \n\n");
    if (!written) co_return;
  }
  while (!retry && !bell_->gone && log_->reads(reader_)) {
    if (const auto event = log_->after(after)) {
      after = event->sequence;
      std::string text = "id: " + event_id(after) + "\n" + web::event_of(event->message);
      const bool written = co_await write(std::move(text));
      if (!written) co_return;
      continue;
    }
    if (log_->ended()) break;
    bell_->timer.expires_after(place_.services.options.keep_alive);
    // What came since was looked at above: it would have cancelled a wait that had begun.
    if (log_->after(after) || log_->ended()) continue;
    const auto [error] = co_await bell_->timer.async_wait(net::use_tuple);
    if (error) continue;
    const bool written = co_await write(net::http::encode_comment("alive"));
    if (!written) co_return;
  }
  if (bell_->gone) co_return;
  const auto ended = co_await place_.responder.end();
  (void)ended;
}

awaitable<bool> EventWriter::begin() {
  net::http::Fields fields;
  allow_origin(place_.services, place_.request, fields);
  const auto begun = co_await place_.responder.begin(web::stream_head(fields));
  co_return begun.has_value();
}

awaitable<bool> EventWriter::write(std::string text) {
  const auto written = co_await place_.responder.write(text);
  co_return written.has_value();
}

std::string EventWriter::event_id(EventLog::Sequence sequence) const {
  return log_->name() + "-" + std::to_string(sequence);
}

}  // namespace interline::mcp

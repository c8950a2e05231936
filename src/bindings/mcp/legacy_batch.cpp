// Several messages in one POST (2025-03-26, basic/transports, "Sending Messages to the Server"):
// what is said before the answers, questions to the client among it, goes on one stream, and the
// answers come together at its end.
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "bindings/mcp/event_writer.hpp"
#include "bindings/mcp/legacy_post.hpp"

namespace interline::mcp {
namespace {

using net::http::Response;
using protocols::jsonrpc::Kind;
using server::EventLog;
using server::Session;

/// The stream of one request, which can be cancelled by itself, handed on to that of the batch. On
/// the session's strand.
class HandedOn : public std::enable_shared_from_this<HandedOn> {
 public:
  HandedOn(std::shared_ptr<EventLog> from, std::shared_ptr<EventLog> to)
      : from_(std::move(from)), to_(std::move(to)) {}

  void begin(const net::Executor& executor) {
    reader_ = from_->attach([self = shared_from_this(), executor] {
      boost::asio::post(executor, [self] { self->pass(); });
    });
  }
  void end() {
    pass();
    from_->detach(reader_);
    from_->finish(std::string());
  }

 private:
  void pass() {
    while (auto event = from_->after(seen_)) {
      seen_ = event->sequence;
      (void)to_->tell(std::move(event->message));
    }
  }

  const std::shared_ptr<EventLog> from_;
  const std::shared_ptr<EventLog> to_;
  EventLog::Sequence seen_ = 0;
  EventLog::ReaderNumber reader_ = 0;
};

struct Batch {
  std::vector<rules::Decision> messages;
  rules::Features features;
  std::shared_ptr<EventLog> log;
  Body body;  ///< what the messages are views of

  Batch() = default;
};

/// Its answer's line; "" where there is none.
awaitable<std::string> one_of(const std::shared_ptr<Session>& session, Batch& batch,
                              rules::Decision& decision) {
  if (const auto* refusal = std::get_if<rules::Refusal>(&decision)) {
    co_return refusal->silent ? std::string() : rules::error_line(refusal->id, refusal->answer);
  }
  auto* exchange = std::get_if<rules::LegacyExchange>(&decision);
  if (exchange == nullptr) co_return std::string();
  if (exchange->message.kind != Kind::request) {
    heed(*session, *exchange);
    co_return std::string();
  }
  const auto log = session->open_stream(exchange->message.id);
  const auto handed_on = std::make_shared<HandedOn>(log, batch.log);
  handed_on->begin(session->executor());
  server::Reply reply = co_await session->handle(std::move(*exchange), batch.features, log);
  handed_on->end();
  co_return std::move(reply.message);
}

/// One after the other, on the session's strand: it goes on when its reader leaves.
awaitable<void> work(std::shared_ptr<Session> session, std::shared_ptr<Batch> batch) {
  std::string answers;
  for (rules::Decision& decision : batch->messages) {
    const std::string line = co_await one_of(session, *batch, decision);
    if (line.empty()) continue;
    answers += answers.empty() ? '[' : ',';
    answers += line;
  }
  if (!answers.empty()) answers += ']';
  batch->log->finish(std::move(answers));
}

bool is_answered(const rules::Decision& decision) {
  if (const auto* refusal = std::get_if<rules::Refusal>(&decision)) return !refusal->silent;
  const auto* exchange = std::get_if<rules::LegacyExchange>(&decision);
  return exchange != nullptr && exchange->message.kind == Kind::request;
}

}  // namespace

awaitable<void> legacy_batch(const Place& place, Body body, const rules::LegacyBatch& batch,
                             std::shared_ptr<Session> session, const rules::Served& served) {
  const auto work_of = std::make_shared<Batch>();
  bool answered = false;
  for (const json::Value& element : batch.messages.items()) {
    work_of->messages.push_back(rules::decide_in_batch(element, batch.revision, served));
    answered = answered || is_answered(work_of->messages.back());
  }
  work_of->features = served.features;
  work_of->log = session->open_stream(std::string_view());
  work_of->body = std::move(body);
  const auto log = work_of->log;
  boost::asio::co_spawn(session->executor(), work(session, work_of), boost::asio::detached);
  if (!answered) {
    Response accepted(202);
    co_return co_await send(place, std::move(accepted));
  }
  EventWriter writer(place, log, co_await boost::asio::this_coro::executor);
  const bool alone = co_await writer.wait_for_lone_answer(kPatience);
  if (!alone) co_await writer.stream(0);
}

}  // namespace interline::mcp

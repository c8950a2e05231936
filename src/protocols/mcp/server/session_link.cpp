#include "protocols/mcp/server/session_link.hpp"

#include <span>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "json/parse.hpp"

namespace interline::protocols::mcp::server {
namespace {

std::unexpected<Error> unanswered() {
  return fail(ErrorKind::unavailable, "The client did not answer what was asked.");
}

}  // namespace

/// False: nobody reads any more. What cannot be asked of this client is left out.
bool SessionLink::send(const InputQuestion& question, std::vector<Sent>& sent) {
  const std::span<const InputQuestion> one(&question, 1);
  if (!missing_for(one, session_.capabilities_).empty()) return true;
  const auto request = input_request(question, session_.revision_);
  if (!request) return true;
  Sent entry;
  entry.question = question;
  entry.waiting = std::make_shared<Session::Waiting>(session_.executor_);
  const std::string id = session_.next_request_id();
  {
    const std::lock_guard lock(session_.mutex_);
    session_.waiting_.emplace(id, entry.waiting);
  }
  sent.push_back(std::move(entry));
  return sink_->tell(jsonrpc::request(id, request->method, request->params));
}

awaitable<void> SessionLink::wait(const Sent& sent) const {
  Session::Waiting& waiting = *sent.waiting;
  waiting.timer.expires_after(session_.core_.settings.state_life);
  while (!waiting.result && !waiting.failed) {
    const auto [error] =
        co_await waiting.timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    if (!error) waiting.failed = true;
  }
}

Result<InputAnswer> SessionLink::answer_of(const Sent& sent) const {
  if (sent.waiting->failed) return unanswered();
  const std::string& text = *sent.waiting->result;
  if (text.empty()) {  // an error: the client would not
    InputAnswer declined;
    declined.key = sent.question.key;
    declined.action = tasks::AnswerAction::decline;
    return declined;
  }
  const auto parsed =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  auto answer = parsed ? read_input_response(parsed->root(), sent.question, session_.revision_)
                       : fail(ErrorKind::malformed, "");
  // Nothing is wrong with the call that it was asked for.
  if (!answer) return fail(ErrorKind::unavailable, "What the client answered is no answer.");
  return answer;
}

awaitable<Result<std::vector<InputAnswer>>> SessionLink::ask(std::vector<InputQuestion> questions) {
  std::vector<Sent> sent;
  for (const InputQuestion& question : questions) {
    if (!send(question, sent)) co_return unanswered();
  }
  if (sent.empty()) {
    co_return fail(ErrorKind::unavailable, "The client cannot be asked such a question.");
  }
  std::vector<std::shared_ptr<Session::Waiting>> all;
  for (const Sent& entry : sent) all.push_back(entry.waiting);
  const WhileReading reading(*sink_, [all] {
    for (const auto& waiting : all) {
      waiting->failed = !waiting->result;
      waiting->timer.cancel();
    }
  });
  std::vector<InputAnswer> answers;
  for (const Sent& entry : sent) {
    co_await wait(entry);
    auto answer = answer_of(entry);
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    answers.push_back(*std::move(answer));
  }
  co_return answers;
}

}  // namespace interline::protocols::mcp::server

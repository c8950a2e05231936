#include "runtimes/mcp/http_messages.hpp"

#include "protocols/mcp/notifications.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;

}  // namespace

void HttpMessages::take_request(const jsonrpc::Message& message) {
  if (modern_ || !answer_) {
    log_.warning("an agent misbehaves",
                 {{"what", "it sends a request, which its revision does not have"}});
    return;
  }
  const std::string id(message.id);
  if (message.method == words::method::kPing) return answer_(jsonrpc::result(id, "{}"));
  ServerRequest request;
  request.method = message.method;
  request.params = &message.params;
  request.answer = [answer = answer_, id](std::string_view result) {
    answer(jsonrpc::result(id, result));
  };
  request.refuse = [answer = answer_, id](std::int64_t code, std::string_view why) {
    answer(jsonrpc::error(id, code, why));
  };
  if (const auto one = hearer(true)) {
    one->asked(std::move(request));
  } else {
    request.refuse(jsonrpc::error_code::kMethodNotFound, "Nobody is there to be asked.");
  }
}

bool HttpMessages::take_notification(const jsonrpc::Message& message, std::size_t bytes) {
  const auto one = hearer();
  if (message.method == words::notification::kProgress) {
    auto progress = words::read_progress(message.params);
    if (!progress || !one) return true;
    if (!one->count(bytes)) return false;
    one->progress(*std::move(progress));
  } else if (message.method == words::notification::kMessage) {
    const auto line = words::read_log(message.params);
    if (!line || !one) return true;
    if (!one->count(bytes)) return false;
    one->log(*line);
  } else if (modern_) {
    if (one) one->told(message);
  } else {
    const json::Value* uri = message.params.find("uri");
    state_->told(message.method,
                 uri == nullptr ? std::string_view() : uri->get_string().value_or(""));
  }
  return true;
}

net::awaitable<void> HttpMessages::ready() {
  if (const auto one = hearer()) co_await one->ready();
}

}  // namespace interline::runtimes::mcp

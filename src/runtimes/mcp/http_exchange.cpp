#include "runtimes/mcp/http_exchange.hpp"

#include <exception>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>

#include "engine/suspend.hpp"
#include "json/parse.hpp"
#include "net/http/text.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace asio = boost::asio;
namespace http = net::http;
namespace jsonrpc = protocols::jsonrpc;

/// "text/event-stream" of "Text/Event-Stream; charset=utf-8".
bool is_media_type(std::string_view field, std::string_view type) {
  if (const std::size_t end = field.find(';'); end != std::string_view::npos) {
    field = field.substr(0, end);
  }
  return http::equals_without_case(http::trim(field), type);
}

std::string field_of(const http::Fields& fields, std::string_view name) {
  return std::string(fields.get(name).value_or(""));
}

Error too_large() {
  return {ErrorKind::resource_constraint, ErrorReason::too_large,
          "The MCP server's answer is longer than the gateway reads."};
}

}  // namespace

HttpExchange::HttpExchange(net::Executor strand, std::shared_ptr<http::Client> client,
                           std::string id, std::shared_ptr<StreamListener> listener,
                           HttpLimits limits)
    : strand_(std::move(strand)),
      client_(std::move(client)),
      id_(std::move(id)),
      listener_(std::move(listener)),
      limits_(limits) {}

net::awaitable<HttpAnswer> HttpExchange::run(http::FetchRequest request) {
  const auto self = shared_from_this();
  if (aborted_) {
    answer_.error = stopped_error();
    co_return std::move(answer_);
  }
  auto start = [self, &request](std::move_only_function<void(bool)> resume) {
    auto done = [self, resume = std::make_shared<std::move_only_function<void(bool)>>(
                           std::move(resume))](const std::exception_ptr& thrown) {
      // Asio throws into what was cancelled; nothing else is thrown there.
      if (thrown) self->answer_.error = stopped_error();
      (*resume)(true);
    };
    asio::co_spawn(self->strand_, talk(self, std::move(request)),
                   asio::bind_cancellation_slot(self->signal_.slot(), std::move(done)));
  };
  const auto begun = std::chrono::steady_clock::now();
  (void)co_await engine::suspend<bool>(std::move(start));
  answer_.lasted = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  if (aborted_) answer_.error = stopped_error();
  co_return std::move(answer_);
}

void HttpExchange::abort() {
  aborted_ = true;
  signal_.emit(asio::cancellation_type::terminal);
}

net::awaitable<void> HttpExchange::talk(std::shared_ptr<HttpExchange> self,
                                        http::FetchRequest request) {
  auto response = co_await self->client_->open(std::move(request));
  HttpAnswer& answer = self->answer_;
  if (!response) {
    answer.error = std::move(response.error());
    co_return;
  }
  const http::Fields& fields = (*response)->fields();
  answer.status = (*response)->status();
  answer.session = field_of(fields, "Mcp-Session-Id");
  answer.challenge = field_of(fields, "WWW-Authenticate");
  if (is_media_type(field_of(fields, "Content-Type"), "text/event-stream")) {
    co_await self->read_events(**response);
  } else {
    co_await self->read_whole(**response);
  }
}

net::awaitable<void> HttpExchange::read_whole(http::ResponseStream& response) {
  std::string body;
  for (;;) {
    auto piece = co_await response.read(limits_.silence);
    if (!piece) {
      answer_.error = std::move(piece.error());
      co_return;
    }
    if (piece->empty()) break;
    if (body.size() + piece->size() > limits_.body) {
      answer_.error = too_large();
      co_return;
    }
    body += *piece;
  }
  if (body.empty()) co_return;
  // Of a refusal the status says enough.
  const std::string type = field_of(response.fields(), "Content-Type");
  if (!type.empty() && !is_media_type(type, "application/json")) {
    if (answer_.status < 300) {
      answer_.error = Error(ErrorKind::malformed,
                            "The MCP server's answer is neither JSON nor an event stream.");
    }
    co_return;
  }
  (void)co_await take_text(std::move(body), false);
}

net::awaitable<void> HttpExchange::read_events(http::ResponseStream& response) {
  http::SseLimits sizes;
  sizes.line = sizes.data = limits_.body;
  http::SseParser parser(sizes);
  for (;;) {
    auto piece = co_await response.read(limits_.silence);
    if (!piece || piece->empty()) {
      answer_.streamed = true;
      if (!piece) answer_.error = std::move(piece.error());
      co_return;
    }
    parser.append(*piece);
    for (;;) {
      auto event = parser.next();
      answer_.last_event = parser.last_id();
      answer_.retry = parser.retry();
      if (!event) {
        answer_.error = too_large();
        co_return;
      }
      if (!*event) break;
      if (!(*event)->type.empty() && (*event)->type != "message") continue;
      if ((*event)->data.empty()) continue;  // it says where to go on, and nothing else
      ++answer_.messages;
      const bool over = co_await take_text(std::move((*event)->data), true);
      if (over) co_return;
    }
  }
}

bool HttpExchange::is_answer(const jsonrpc::Message& message) const {
  const bool answers =
      message.kind == jsonrpc::Kind::result || message.kind == jsonrpc::Kind::error;
  if (!answers || id_.empty()) return false;
  return message.id == id_ || (message.kind == jsonrpc::Kind::error && message.id.empty());
}

net::awaitable<bool> HttpExchange::take_text(std::string text, bool in_stream) {
  const std::size_t bytes = text.size();
  auto document = json::parse(std::move(text), jsonrpc::limits_for(bytes), json::Numbers::faithful);
  if (!document) {
    // Of a refusal the status says enough; of a success nothing is left.
    if (in_stream || answer_.status < 300) {
      answer_.error = Error(ErrorKind::malformed, "The MCP server's answer is no JSON: " +
                                                      json::to_string(document.error()));
    }
    co_return true;
  }
  if (document->root().is_array()) {  // of 2025-03-26
    for (const json::Value& one : document->root().items()) {
      if (!one.is_object()) continue;
      std::string part(one.source());
      (void)co_await take_text(std::move(part), in_stream);
    }
    co_return answer_.reply.has_value();
  }
  const auto message = jsonrpc::read_message(document->root());
  if (!message) {
    if (in_stream || answer_.status < 300) answer_.error = message.error();
    co_return true;
  }
  if (is_answer(*message)) {
    answer_.reply.emplace(*std::move(document), *message);
    co_return true;
  }
  bool over = false;
  if (message->kind == jsonrpc::Kind::request) {
    if (listener_) listener_->take_request(*message);
  } else if (message->kind == jsonrpc::Kind::notification) {
    over = listener_ && !listener_->take_notification(*message, bytes);
  }
  if (listener_) co_await listener_->ready();
  co_return over || aborted_;
}

}  // namespace interline::runtimes::mcp

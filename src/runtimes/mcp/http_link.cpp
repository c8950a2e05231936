#include "runtimes/mcp/http_link.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "json/parse.hpp"
#include "protocols/mcp/errors.hpp"
#include "protocols/mcp/header_value.hpp"
#include "protocols/mcp/versions.hpp"
#include "runtimes/mcp/http_messages.hpp"
#include "runtimes/mcp/listing.hpp"
#include "runtimes/mcp/reconnect.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace asio = boost::asio;
namespace http = net::http;
namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using std::chrono::milliseconds;

Error refused(unsigned status, const Authorizer& authorizer) {
  if (status == 401 || status == 403) return shut_out(authorizer, status);
  if (status >= 300 && status < 400) {
    return {ErrorKind::not_acceptable,
            "The MCP server redirects to another URL, which is not followed."};
  }
  const bool later = status >= 500 || status == 429 || status == 408;
  return {later ? ErrorKind::unavailable : ErrorKind::not_acceptable,
          "The MCP server answers with the HTTP status " + std::to_string(status) + "."};
}

std::shared_ptr<Authorizer> make_authorizer(const HttpConfiguration& configuration,
                                            const net::Executor& strand,
                                            const std::shared_ptr<http::Client>& client) {
  if (configuration.oauth) {
    return std::make_shared<OAuthAuthorizer>(strand, client, *configuration.oauth);
  }
  if (configuration.authorizer) return configuration.authorizer;
  return std::make_shared<NoAuthorizer>();
}

/// "90 s", "50 ms".
std::string shown(milliseconds span) {
  const auto count = span.count();
  return count % 1'000 == 0 ? std::to_string(count / 1'000) + " s" : std::to_string(count) + " ms";
}

}  // namespace

/// What was sent, and what came of it.
struct HttpLink::Sent {
  HttpAnswer answer;

  explicit Sent(HttpAnswer of) : answer(std::move(of)) {}
};

HttpLink::HttpLink(net::Executor strand, HttpConfiguration configuration,
                   std::shared_ptr<ServerState> state, Logger log)
    : strand_(std::move(strand)),
      configuration_(std::move(configuration)),
      state_(std::move(state)),
      log_(std::move(log)),
      client_(std::make_shared<http::Client>(strand_, configuration_.client)),
      authorizer_(make_authorizer(configuration_, strand_, client_)),
      opening_(strand_) {}

void HttpLink::close() {
  closed_ = true;
  exchanges_.abort_all();
  for (const auto& [caller, session] : std::exchange(sessions_, {})) {
    session->be_deaf();
    if (session->id.empty()) continue;
    asio::co_spawn(strand_, end_session(shared_from_this(), client_, session->id), asio::detached);
  }
  // Connections that wait for a next request would keep the threads busy as long as this lives.
  client_.reset();
  authorizer_->close();
  opening_.notify_all();
}

net::awaitable<Result<http::FetchRequest>> HttpLink::make_request(http::Method method,
                                                                  SessionPointer session) {
  http::FetchRequest request(method, configuration_.url);
  for (const auto& [name, value] : configuration_.headers) request.fields.set(name, value);
  auto shown = co_await authorizer_->value();
  if (!shown) co_return std::unexpected(std::move(shown.error()));
  if (!shown->empty()) request.fields.set("Authorization", *shown);
  request.fields.set("Accept", method == http::Method::get ? "text/event-stream"
                                                           : "application/json, text/event-stream");
  if (method == http::Method::post) request.fields.set("Content-Type", "application/json");
  if (session && !session->id.empty()) request.fields.set("Mcp-Session-Id", session->id);
  co_return request;
}

net::awaitable<HttpAnswer> HttpLink::exchange(http::FetchRequest request, std::string id,
                                              std::shared_ptr<StreamListener> listener,
                                              std::shared_ptr<Stop> stop, milliseconds timeout) {
  request.timeout = timeout.count() > 0 ? timeout : configuration_.limits.silence;
  const auto one = std::make_shared<HttpExchange>(strand_, client_, std::move(id),
                                                  std::move(listener), configuration_.limits);
  exchanges_.add(one);
  if (closed_) one->abort();
  asio::steady_timer timer(strand_);
  const auto late = std::make_shared<bool>(false);
  if (timeout.count() > 0) {
    timer.expires_after(timeout);
    timer.async_wait([late, weak = std::weak_ptr(one)](const boost::system::error_code& error) {
      const auto exchange = weak.lock();
      if (error || !exchange) return;
      *late = true;
      exchange->abort();
    });
  }
  if (stop) {
    stop->on_stop([weak = std::weak_ptr(one)] {
      if (const auto exchange = weak.lock()) exchange->abort();
    });
  }
  HttpAnswer answer = co_await one->run(std::move(request));
  if (stop) stop->on_stop(nullptr);
  const bool expired = answer.error && answer.error->reason == ErrorReason::expired;
  const bool bounded = timeout.count() > 0 && timeout <= configuration_.limits.silence;
  if (answer.error && (*late || (expired && bounded))) {
    answer.error = Error(ErrorKind::unavailable, ErrorReason::expired,
                         "The MCP server did not answer in time.");
  } else if (expired) {
    answer.error = Error(ErrorKind::unavailable, ErrorReason::expired,
                         "Nothing has come from the MCP server for " +
                             shown(configuration_.limits.silence) + ": it is taken for gone.");
  } else if (closed_ && answer.error) {
    answer.error = Error(ErrorKind::unavailable, "The gateway is shutting down.");
  }
  co_return answer;
}

Result<void> HttpLink::add_mirrors(const Outgoing& outgoing, http::FetchRequest& request) const {
  const auto mirrors = mirrors_.find(outgoing.name);
  if (outgoing.method != words::method::kToolsCall || mirrors == mirrors_.end() ||
      outgoing.arguments == nullptr) {
    return {};
  }
  const auto document =
      json::parse_borrowed(*outgoing.arguments, jsonrpc::limits_for(outgoing.arguments->size()),
                           json::Numbers::faithful);
  if (!document) return fail(ErrorKind::malformed, "The tool's arguments are no JSON.");
  auto headers = words::mirrored_headers(mirrors->second, document->root());
  if (!headers) return std::unexpected(std::move(headers.error()));
  for (const auto& [name, value] : *headers) request.fields.set(name, value);
  return {};
}

net::awaitable<Result<HttpLink::Sent>> HttpLink::send(const Outgoing& outgoing,
                                                      SessionPointer session) {
  auto request = co_await make_request(http::Method::post, session);
  if (!request) co_return std::unexpected(std::move(request.error()));
  const std::string id = ids_.next_id();
  const words::RequestStamp stamp = stamp_of(outgoing, hello_.revision, id);
  const std::string params = words::stamped_params(stamp, outgoing.members);
  request->body = jsonrpc::request(id, outgoing.method, params);
  request->repeatable = outgoing.repeatable;
  request->fields.set("MCP-Protocol-Version", to_string(hello_.revision));
  if (hello_.modern()) {
    request->fields.set("Mcp-Method", outgoing.method);
    if (!outgoing.name.empty()) {
      const std::string name = words::encode_header_value(outgoing.name);
      request->fields.set("Mcp-Name", name);
    }
    if (auto added = add_mirrors(outgoing, *request); !added) {
      co_return std::unexpected(std::move(added.error()));
    }
  }
  const auto listener =
      std::make_shared<HttpMessages>(state_, outgoing.hearer, hello_.modern(), log_);
  if (session) {
    listener->answer_by([weak = weak_from_this(), session](std::string body) {
      const auto self = weak.lock();
      if (!self || self->closed_) return;
      asio::co_spawn(self->strand_, post_alone(self, session, std::move(body)), asio::detached);
    });
    session->used = std::chrono::steady_clock::now();
    session->unanswered.sent(id, outgoing.caller, outgoing.progress ? outgoing.hearer : nullptr);
  }
  HttpAnswer answer =
      co_await exchange(std::move(*request), id, listener, outgoing.stop, outgoing.timeout);
  if (session && answer.streamed && !answer.reply && !answer.last_event.empty()) {
    answer = co_await resume(std::move(answer), id, session, listener, outgoing);
  }
  if (session) {
    // What was refused with a status was not begun; whatever else ended without an answer may go
    // on.
    const bool refused = answer.status >= 400 && answer.status < 500;
    if (answer.reply || refused) {
      (void)session->unanswered.answered(id);
    } else {
      session->unanswered.left(id);
    }
  }
  // A legacy server is told; a modern one has seen the end of the connection.
  if (session && !answer.reply && answer.error &&
      (answer.error->kind == ErrorKind::conflict || answer.error->reason == ErrorReason::expired)) {
    std::string told =
        jsonrpc::notification("notifications/cancelled", words::cancelled_params(id, "cancelled"));
    asio::co_spawn(strand_, post_alone(shared_from_this(), session, std::move(told)),
                   asio::detached);
  }
  co_return Sent(std::move(answer));
}

/// The rest of a stream that ended before the answer (2025-11-25, "Resumability and Redelivery").
net::awaitable<HttpAnswer> HttpLink::resume(HttpAnswer answer, std::string id,
                                            SessionPointer session,
                                            std::shared_ptr<StreamListener> listener,
                                            const Outgoing& outgoing) {
  Reconnect pauses(configuration_.retry_first, configuration_.retry_longest);
  for (unsigned tries = 0; tries < configuration_.resumptions; ++tries) {
    if (closed_ || (outgoing.stop && outgoing.stop->stopped())) co_return answer;
    asio::steady_timer pause(strand_,
                             pauses.next(answer.retry, answer.messages > 0, answer.lasted));
    if (outgoing.stop) outgoing.stop->on_stop([&pause] { pause.cancel(); });
    co_await pause.async_wait(net::use_tuple);
    if (outgoing.stop) outgoing.stop->on_stop(nullptr);
    if (outgoing.stop && outgoing.stop->stopped()) {
      answer.error = stopped_error();
      co_return answer;
    }
    auto request = co_await make_request(http::Method::get, session);
    if (!request) co_return answer;
    request->fields.set("MCP-Protocol-Version", to_string(hello_.revision));
    request->fields.set("Last-Event-ID", answer.last_event);
    HttpAnswer next =
        co_await exchange(std::move(*request), id, listener, outgoing.stop, outgoing.timeout);
    if (next.reply || (next.error && next.error->kind == ErrorKind::conflict)) co_return next;
    if (next.status >= 400 && next.status < 500) co_return answer;  // it does not do that
    if (!next.last_event.empty() && next.last_event != answer.last_event) tries = 0;
    if (next.last_event.empty()) next.last_event = answer.last_event;
    if (!next.retry) next.retry = answer.retry;
    next.streamed = true;
    answer = std::move(next);
  }
  co_return answer;
}

net::awaitable<Result<Reply>> HttpLink::request(Outgoing outgoing) {
  const auto self = shared_from_this();
  bool again_by_session = false;
  bool again_by_headers = false;
  bool again_by_version = false;
  unsigned challenges = 0;
  for (auto wait = configuration_.retry_first;;) {
    if (auto ready = co_await opened(); !ready) co_return std::unexpected(std::move(ready.error()));
    if (outgoing.stop && outgoing.stop->stopped()) co_return std::unexpected(stopped_error());
    const bool call = outgoing.method == words::method::kToolsCall;
    if (call && hello_.modern() && !tools_known_) {
      if (auto known = co_await know_tools(); !known) {
        co_return std::unexpected(std::move(known.error()));
      }
    }
    SessionPointer session;
    if (!hello_.modern()) {
      auto made = co_await session_for(outgoing.caller);
      if (!made) co_return std::unexpected(std::move(made.error()));
      session = *std::move(made);
    }
    auto sent = co_await send(outgoing, session);
    if (!sent) co_return std::unexpected(std::move(sent.error()));
    HttpAnswer& answer = sent->answer;
    if (answer.status == 404 && session && !session->id.empty() && !again_by_session) {
      again_by_session = true;  // forgotten there, so nothing was done
      forget(session);
      continue;
    }
    if ((answer.status == 401 || answer.status == 403) && challenges++ < 3) {
      const bool better = co_await authorizer_->refused(answer.status, answer.challenge);
      if (better) continue;
    }
    if (answer.reply && answer.reply->is_error()) {
      const std::int64_t code = answer.reply->message.code;
      if (call && code == words::error_code::kHeaderMismatch && !again_by_headers) {
        again_by_headers = true;  // refused before it was looked at
        tools_known_ = false;
        continue;
      }
      if (code == words::error_code::kUnsupportedProtocolVersion && !again_by_version) {
        again_by_version = true;
        era_ = Era::unknown;
        continue;
      }
    }
    if (answer.reply && (answer.status < 400 || answer.reply->is_error())) {
      if (outgoing.method == words::method::kToolsList && !answer.reply->is_error()) {
        learn_tools(*answer.reply, outgoing.members.empty());
      }
      co_return *std::move(answer.reply);
    }
    if (answer.error && answer.error->kind != ErrorKind::unavailable) {
      co_return std::unexpected(*std::move(answer.error));
    }
    Error error = answer.error ? *std::move(answer.error)
                  : answer.status >= 300
                      ? refused(answer.status, *authorizer_)
                      : Error(ErrorKind::unavailable, "The MCP server ended its answer too soon.");
    const bool lost =
        error.kind == ErrorKind::unavailable && answer.status != 401 && answer.status != 403;
    if (!lost || !outgoing.repeatable || wait > configuration_.retry_first * 4 || closed_ ||
        error.reason == ErrorReason::expired || outgoing.method == words::method::kListen) {
      co_return std::unexpected(std::move(error));
    }
    asio::steady_timer pause(strand_, wait);
    co_await pause.async_wait(net::use_tuple);
    wait *= 2;
  }
}

/// An answer to a server's request, or a notification: whatever comes of it.
net::awaitable<void> HttpLink::post(SessionPointer session, std::string body) {
  auto request = co_await make_request(http::Method::post, session);
  if (!request) co_return;
  request->fields.set("MCP-Protocol-Version", to_string(hello_.revision));
  request->body = std::move(body);
  (void)co_await exchange(std::move(*request), "", nullptr, nullptr, configuration_.limits.connect);
}

net::awaitable<void> HttpLink::post_alone(std::shared_ptr<HttpLink> self, SessionPointer session,
                                          std::string body) {
  co_await self->post(std::move(session), std::move(body));
}

void HttpLink::learn_tools(const Reply& reply, bool first_page) {
  if (first_page) mirrors_.clear();
  const auto page = words::read_list_page(reply.message.result, "tools");
  if (!page) return;
  for (const json::Value& tool : page->items) {
    const json::Value* name = tool.find("name");
    const json::Value* schema = tool.find("inputSchema");
    if (name == nullptr || !name->is_string() || schema == nullptr) continue;
    auto headers = words::read_param_headers(*schema);
    if (headers.headers.empty() || !headers.faults.empty()) continue;
    mirrors_.insert_or_assign(std::string(name->as_string()), std::move(headers));
  }
  if (!page->next_cursor) tools_known_ = true;
}

net::awaitable<Result<void>> HttpLink::know_tools() {
  tools_known_ = true;  // for the list's own requests
  const ListLimits limits;
  ListRequest list(words::method::kToolsList, "tools");
  auto tools = co_await list_all(shared_from_this(), std::move(list), limits);
  tools_known_ = tools.has_value();
  if (tools || tools.error().kind == ErrorKind::not_acceptable) co_return Result<void>();
  co_return std::unexpected(std::move(tools.error()));
}

}  // namespace interline::runtimes::mcp

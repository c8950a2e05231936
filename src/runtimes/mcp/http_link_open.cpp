// How a server at a URL is opened, and the sessions of legacy ones.
#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/probe.hpp"
#include "protocols/mcp/versions.hpp"
#include "runtimes/mcp/http_link.hpp"
#include "runtimes/mcp/http_messages.hpp"
#include "runtimes/mcp/reconnect.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace asio = boost::asio;
namespace http = net::http;
namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using words::ClientCapability;
using words::ProbeAnswer;
using words::ProbeStep;
using words::Revision;

/// For a server to hear that a session has ended; it is not waited for.
constexpr std::chrono::seconds kFarewell{3};

constexpr std::array<Revision, 2> kSpoken = {Revision::v2026_07_28, Revision::v2025_11_25};

ProbeAnswer probe_answer(const HttpAnswer& answer) {
  ProbeAnswer probe;
  probe.transport = words::Transport::http;
  probe.status = static_cast<int>(answer.status);
  if (answer.reply) {
    probe.message = &answer.reply->message;
  } else if (answer.error && answer.error->kind == ErrorKind::unavailable) {
    probe.kind = answer.error->reason == ErrorReason::expired ? ProbeAnswer::Kind::timeout
                                                              : ProbeAnswer::Kind::failed;
  }
  return probe;
}

/// A call has its own stream here, so whatever is asked in it is asked of its caller.
words::ClientCapabilities declared_for_ever() {
  words::ClientCapabilities declared;
  declared.add(ClientCapability::elicitation_form);
  declared.add(ClientCapability::elicitation_url);
  declared.add(ClientCapability::sampling);
  declared.add(ClientCapability::roots);
  return declared;
}

Error why_not(const HttpAnswer& answer) {
  if (answer.error) return *answer.error;
  return {ErrorKind::unavailable,
          "The MCP server cannot be opened: HTTP status " + std::to_string(answer.status) + "."};
}

}  // namespace

net::awaitable<Result<void>> HttpLink::opened() {
  const auto self = shared_from_this();
  const bool waited = era_ == Era::opening;
  while (era_ == Era::opening && !closed_) co_await opening_.wait();
  if (closed_) co_return fail(ErrorKind::unavailable, "The gateway is shutting down.");
  if (waited && !opened_) co_return opened_;  // what it waited for has failed, and with it this
  if (era_ == Era::modern || era_ == Era::legacy) co_return Result<void>();
  era_ = Era::opening;
  auto done = co_await open_up();
  if (!done) era_ = Era::unknown;
  opened_ = done;
  opening_.notify_all();
  co_return done;
}

net::awaitable<HttpAnswer> HttpLink::knock(std::string_view method, std::string params,
                                           std::string_view version) {
  for (unsigned challenges = 0;;) {
    auto request = co_await make_request(http::Method::post, nullptr);
    if (!request) {
      HttpAnswer failed;
      failed.error = std::move(request.error());
      co_return failed;
    }
    const std::string id = ids_.next_id();
    request->body = jsonrpc::request(id, method, params);
    request->repeatable = true;
    if (!version.empty()) {
      request->fields.set("MCP-Protocol-Version", version);
      request->fields.set("Mcp-Method", method);
    }
    HttpAnswer answer =
        co_await exchange(std::move(*request), id, nullptr, nullptr, configuration_.probe_timeout);
    const bool shut = answer.status == 401 || answer.status == 403;
    if (!shut || challenges++ >= 3) co_return answer;
    const bool better = co_await authorizer_->refused(answer.status, answer.challenge);
    if (!better) co_return answer;
  }
}

net::awaitable<Result<void>> HttpLink::open_up() {
  words::RequestStamp stamp;
  stamp.client_version = INTERLINE_VERSION;
  for (bool retried = false;;) {
    std::string params = words::stamped_params(stamp, "");
    const HttpAnswer answer =
        co_await knock(words::method::kDiscover, std::move(params), to_string(stamp.revision));
    const auto conclusion = words::conclude_probe(probe_answer(answer), kSpoken, retried);
    switch (conclusion.step) {
      case ProbeStep::modern: {
        auto hello =
            words::read_discover_result(answer.reply->message.result, *conclusion.revision);
        if (!hello) co_return std::unexpected(std::move(hello.error()));
        era_ = Era::modern;
        use(*std::move(hello));
        co_return Result<void>();
      }
      case ProbeStep::retry:
        retried = true;
        stamp.revision = *conclusion.revision;
        continue;
      case ProbeStep::initialize:
      case ProbeStep::restart: {
        auto session = co_await initialize();
        if (!session) co_return std::unexpected(std::move(session.error()));
        era_ = Era::legacy;
        sessions_[""] = *std::move(session);
        use(hello_);
        co_return Result<void>();
      }
      case ProbeStep::authorize:
        co_return std::unexpected(shut_out(*authorizer_, answer.status));
      case ProbeStep::not_evidence:
        co_return std::unexpected(why_not(answer));
      case ProbeStep::report:
      case ProbeStep::no_common:
        co_return fail(ErrorKind::not_acceptable,
                       "The MCP server speaks no revision that this gateway does, or none of its "
                       "requests.");
    }
  }
}

void HttpLink::use(words::ServerHello hello) {
  hello_ = std::move(hello);
  tools_known_ = false;
  state_->learned(hello_);
  log_.debug("an MCP server was opened", {{"revision", to_string(hello_.revision)}});
  if (on_open_) on_open_();
}

net::awaitable<Result<HttpLink::SessionPointer>> HttpLink::initialize() {
  std::string params = words::initialize_params(INTERLINE_VERSION, declared_for_ever());
  const HttpAnswer answer = co_await knock(words::method::kInitialize, std::move(params), "");
  if (!answer.reply) co_return std::unexpected(why_not(answer));
  if (answer.reply->is_error()) {
    co_return fail(ErrorKind::not_acceptable, "The MCP server refuses to initialize.");
  }
  auto hello = words::read_initialize_result(answer.reply->message.result);
  if (!hello) co_return std::unexpected(std::move(hello.error()));
  hello_ = *std::move(hello);
  auto session = std::make_shared<Session>();
  session->id = answer.session;
  session->used = std::chrono::steady_clock::now();
  std::string initialized = jsonrpc::notification(words::method::kInitialized, "");
  co_await post(session, std::move(initialized));
  asio::co_spawn(strand_, hear(shared_from_this(), session), asio::detached);
  co_return session;
}

/// The one that was opened first serves those without a caller, and all where the server has no
/// sessions. One is made at a time for a caller.
net::awaitable<Result<HttpLink::SessionPointer>> HttpLink::session_for(std::string caller) {
  const auto first = sessions_.find("");
  const bool shared = first != sessions_.end() && first->second->id.empty();
  if (shared) caller.clear();
  while (making_.contains(caller) && !closed_) co_await opening_.wait();
  if (closed_) co_return fail(ErrorKind::unavailable, "The gateway is shutting down.");
  if (const auto found = sessions_.find(caller); found != sessions_.end()) {
    const SessionPointer known = found->second;
    // Another one, with nothing behind it, can be asked in again; where there are none, none can.
    const bool left = known->doubtful && known->unanswered.count_left() > 0;
    if (!left || known->id.empty() || caller.empty() || !known->unanswered.idle()) co_return known;
    forget(known);
    asio::co_spawn(strand_, end_session(shared_from_this(), client_, known->id), asio::detached);
  }
  making_[caller] = true;
  auto session = co_await initialize();
  making_.erase(caller);
  opening_.notify_all();
  if (!session) co_return session;
  sessions_[caller] = *session;
  make_room();
  co_return session;
}

void HttpLink::Session::be_deaf() {
  if (ear) ear->abort();
  if (pause) pause->cancel();
}

void HttpLink::forget(const SessionPointer& session) {
  session->be_deaf();
  std::erase_if(sessions_, [&session](const auto& one) { return one.second == session; });
}

void HttpLink::make_room() {
  while (sessions_.size() > std::max<std::size_t>(configuration_.sessions, 2)) {
    auto oldest = sessions_.end();
    for (auto one = sessions_.begin(); one != sessions_.end(); ++one) {
      if (one->first.empty()) continue;
      if (oldest == sessions_.end() || one->second->used < oldest->second->used) oldest = one;
    }
    if (oldest == sessions_.end()) return;
    const SessionPointer session = oldest->second;
    forget(session);
    asio::co_spawn(strand_, end_session(shared_from_this(), client_, session->id), asio::detached);
  }
}

net::awaitable<void> HttpLink::end_session(std::shared_ptr<HttpLink> self,
                                           std::shared_ptr<http::Client> client, std::string id) {
  if (!client) co_return;
  auto session = std::make_shared<Session>();
  session->id = std::move(id);
  auto request = co_await self->make_request(http::Method::delete_, session);
  if (!request) co_return;
  request->fields.set("MCP-Protocol-Version", to_string(self->hello_.revision));
  request->timeout = kFarewell;
  (void)co_await client->fetch(std::move(*request));
}

/// What a legacy server tells by itself; whoever answers 405 tells nothing.
net::awaitable<void> HttpLink::hear(std::shared_ptr<HttpLink> self, SessionPointer session) {
  const auto messages = std::make_shared<HttpMessages>(self->state_, nullptr, false, self->log_);
  messages->answer_by([weak = std::weak_ptr(self), session](std::string body) {
    const auto link = weak.lock();
    if (!link || link->closed_) return;
    asio::co_spawn(link->strand_, post_alone(link, session, std::move(body)), asio::detached);
  });
  messages->find_hearer([weak = std::weak_ptr(session)](bool asks) -> std::shared_ptr<Hearer> {
    const auto one = weak.lock();
    if (!one) return nullptr;
    if (!asks) return one->unanswered.only_call_of_one_caller();
    auto call = one->unanswered.only();
    one->doubtful = one->doubtful || !call;
    return call;
  });
  const auto wanted = [&self, &session] {
    if (self->closed_) return false;
    return self->era_ == Era::opening ||
           std::ranges::any_of(self->sessions_,
                               [&](const auto& one) { return one.second == session; }) ||
           !self->making_.empty();
  };
  Reconnect pauses(self->configuration_.retry_first, self->configuration_.retry_longest);
  std::string last_event;
  while (wanted()) {
    auto request = co_await self->make_request(http::Method::get, session);
    if (!request) co_return;
    request->fields.set("MCP-Protocol-Version", to_string(self->hello_.revision));
    if (!last_event.empty()) request->fields.set("Last-Event-ID", last_event);
    request->timeout = self->configuration_.limits.silence;
    session->ear = std::make_shared<HttpExchange>(self->strand_, self->client_, "", messages,
                                                  self->configuration_.limits);
    self->exchanges_.add(session->ear);
    const auto ear = session->ear;
    const HttpAnswer answer = co_await ear->run(std::move(*request));
    session->ear = nullptr;
    if (answer.status >= 400 && answer.status < 500) co_return;
    if (answer.status == 200 && !answer.streamed && !answer.error) co_return;
    if (!answer.last_event.empty()) last_event = answer.last_event;
    const auto rest = pauses.next(answer.retry, answer.messages > 0, answer.lasted);
    if (!wanted()) co_return;
    session->pause.emplace(self->strand_, rest);
    co_await session->pause->async_wait(net::use_tuple);
  }
}

}  // namespace interline::runtimes::mcp

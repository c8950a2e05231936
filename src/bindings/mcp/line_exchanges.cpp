#include "bindings/mcp/line_exchanges.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "json/line_head.hpp"
#include "protocols/mcp/notifications.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/opening.hpp"

namespace interline::mcp {

namespace jsonrpc = protocols::jsonrpc;
using jsonrpc::Kind;

namespace {

constexpr std::string_view kListen = "subscriptions/listen";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// As JSON text; "" where it cannot be found.
std::string id_of_cut(const net::Line& line) {
  auto id = json::member_of_head(line.text, "id");
  if (!id) id = json::member_of_tail(line.tail, "id");
  // What it finds is a view of the line: a string has its quote before it.
  if (id && id->data()[-1] == '"') return '"' + std::string(*id) + '"';
  const bool integer = id && id->find_first_of(".eE") == std::string_view::npos;
  return integer ? std::string(*id) : std::string();
}

rules::ErrorAnswer too_many() {
  const Error error(ErrorKind::resource_constraint, ErrorReason::too_many,
                    "Too many requests of this connection wait for their answers.");
  return rules::to_answer(error);
}

/// What ends a subscription, beside its answer: clients take either (basic/patterns/cancellation).
std::string ended_line(std::string_view id) {
  std::string params = R"({"requestId":)";
  params.append(id).append(R"(,"reason":"The gateway ends this subscription."})");
  return jsonrpc::notification(rules::notification::kCancelled, params);
}

}  // namespace

LineExchanges::LineExchanges(server::Server& mcp, bool legacy, std::shared_ptr<LineOutbox> outbox,
                             net::Executor executor, policy::Principal who, std::string endpoint)
    : mcp_(mcp),
      legacy_(legacy),
      outbox_(std::move(outbox)),
      executor_(std::move(executor)),
      who_(std::move(who)),
      endpoint_(std::move(endpoint)) {}

LineExchanges::~LineExchanges() {
  if (!session_) return;
  session_->general()->detach(hearing_);
  session_->end();
}

// --- what comes in ------------------------------------------------------------------------------

awaitable<void> LineExchanges::take(net::Line line) {
  if (line.too_long) {
    refuse_long(line);
    co_return;
  }
  if (is_blank(line.text)) co_return;
  const json::Limits limits = jsonrpc::limits_for(line.text.size());
  auto document = json::parse(std::move(line.text), limits, json::Numbers::faithful);
  if (!document) {
    outbox_->put(LineOutbox::kNobody,
                 rules::error_line(std::string_view(), rules::parse_error(document.error())));
    co_return;
  }
  const auto text = std::make_shared<const json::Document>(*std::move(document));
  const auto features = co_await mcp_.offered(who_, endpoint_);
  rules::Served served;
  if (features) served.features = *features;
  served.legacy = legacy_;
  rules::LegacyState state;
  if (session_) state.negotiated = session_->revision();
  const rules::RequestHeaders none;
  const rules::Decision decision =
      rules::decide(text->root(), rules::Transport::stdio, none, state, served);
  if (!features) {
    const auto message = jsonrpc::read_message(text->root());
    const bool request = message && message->kind == Kind::request;
    const rules::Refusal gone{request ? message->id : std::string_view(),
                              rules::to_answer(features.error()), !request};
    refuse(gone);
  } else if (const auto* refusal = std::get_if<rules::Refusal>(&decision)) {
    refuse(*refusal);
  } else if (const auto* batch = std::get_if<rules::LegacyBatch>(&decision)) {
    take_batch(text, *batch, served);
  } else if (const auto* modern = std::get_if<rules::ModernExchange>(&decision)) {
    take_modern(text, *modern, *features);
  } else if (const auto* legacy = std::get_if<rules::LegacyExchange>(&decision)) {
    if (legacy->opens()) co_return co_await take_opening(*legacy, *features);
    take_legacy(text, *legacy, *features);
  }
}

/// Whoever waits for its answer must not wait for ever.
void LineExchanges::refuse_long(const net::Line& line) {
  const std::string id = id_of_cut(line);
  const rules::Refusal refusal{
      id, rules::invalid_request("A message is at most " + std::to_string(line.text.size()) +
                                 " bytes long.")};
  refuse(refusal);
}

void LineExchanges::refuse(const rules::Refusal& refusal, const Batch& batch) {
  if (refusal.silent) return;
  std::string line = rules::error_line(refusal.id, refusal.answer);
  if (batch) return batch->add(line);
  outbox_->put(LineOutbox::kNobody, std::move(line));
}

void LineExchanges::take_modern(const Text& text, const rules::ModernExchange& exchange,
                                const rules::Features& features) {
  if (exchange.message.kind != Kind::request) return heed(exchange.message);
  const Request request = begin(text, exchange.message.id);
  if (!request) return;
  if (exchange.message.method == kListen) listens_.emplace(request->id(), request);
  boost::asio::co_spawn(executor_, answer_modern(shared_from_this(), request, exchange, features),
                        boost::asio::detached);
}

awaitable<void> LineExchanges::take_opening(const rules::LegacyExchange& exchange,
                                            rules::Features features) {
  const std::string_view id = exchange.message.id;
  const auto refused = [this, id](const rules::ErrorAnswer& answer) {
    outbox_->put(LineOutbox::kNobody, rules::error_line(id, answer));
  };
  if (session_) co_return refused(rules::invalid_request("initialize comes once."));
  server::Core& core = mcp_.core();
  auto agreed = server::agree(exchange, who_, endpoint_);
  if (!agreed) co_return refused(agreed.error());
  const Result<void> charged = core.engine.charge(who_, policy::RateClass::metadata);
  if (!charged) co_return refused(rules::to_answer(charged.error()));
  auto session =
      std::make_shared<server::Session>(core, std::string(), *std::move(agreed), executor_);
  co_await session->begin(features);
  session_ = std::move(session);
  outbox_->put(LineOutbox::kNobody,
               jsonrpc::result(id, server::opened_result(core, exchange.revision, features)));
}

void LineExchanges::take_legacy(const Text& text, const rules::LegacyExchange& exchange,
                                const rules::Features& features, const Batch& batch) {
  if (exchange.message.kind != Kind::request) return heed(exchange.message);
  const Request request = begin(text, exchange.message.id, batch);
  if (!request) return;
  boost::asio::co_spawn(executor_, answer_legacy(shared_from_this(), request, exchange, features),
                        boost::asio::detached);
}

/// 2025-03-26, basic, "Batching": the answers are one array, in any order. What is no request is
/// heeded first, since a request beside it may wait for it.
void LineExchanges::take_batch(const Text& text, const rules::LegacyBatch& messages,
                               const rules::Served& served) {
  const auto batch = std::make_shared<LineBatch>();
  for (const bool requests : {false, true}) {
    for (const json::Value& element : messages.messages.items()) {
      const rules::Decision decision = rules::decide_in_batch(element, messages.revision, served);
      const auto* refusal = std::get_if<rules::Refusal>(&decision);
      const auto* exchange = std::get_if<rules::LegacyExchange>(&decision);
      const bool request = exchange == nullptr || exchange->message.kind == Kind::request;
      if (request != requests) continue;
      if (refusal != nullptr) refuse(*refusal, batch);
      if (exchange != nullptr) take_legacy(text, *exchange, served.features, batch);
    }
  }
  finish_batch(*batch);
}

/// Notifications, and answers to what we asked.
void LineExchanges::heed(const jsonrpc::Message& message) {
  if (message.kind != Kind::notification) {
    if (session_) session_->answered(message);
  } else if (message.method == rules::notification::kCancelled) {
    const auto params = rules::read_cancelled_params(message.params);
    const auto found = params ? requests_.find(params->request) : requests_.end();
    if (found == requests_.end()) return;  // unknown, or answered meanwhile
    const Request request = found->second;
    requests_.erase(found);
    listens_.erase(request->id());
    request->cancel();
  } else if (message.method == "notifications/initialized") {
    hear_session();
  }
}

// --- requests -----------------------------------------------------------------------------------

LineExchanges::Request LineExchanges::begin(const Text& text, std::string_view id,
                                            const Batch& batch) {
  const bool known = requests_.contains(id);
  if (known || working_ >= kMostOpen) {
    const rules::Refusal refusal{
        id, known ? rules::invalid_request("A request with this id waits for its answer.")
                  : too_many()};
    refuse(refusal, batch);
    return nullptr;
  }
  auto request = std::make_shared<LineRequest>(outbox_, ++owners_, text, std::string(id), batch);
  requests_.emplace(request->id(), request);
  ++working_;
  if (batch) ++batch->open;
  return request;
}

template <class Exchange>
server::Asked LineExchanges::asked_of(const Exchange& exchange,
                                      const rules::Features& features) const {
  server::Asked asked;
  asked.who = who_;
  asked.endpoint = endpoint_;
  asked.features = features;
  asked.revision = exchange.revision;
  asked.message = exchange.message;
  asked.method = exchange.method;
  asked.meta = exchange.meta;
  return asked;
}

awaitable<void> LineExchanges::answer_modern(std::shared_ptr<LineExchanges> self, Request request,
                                             rules::ModernExchange exchange,
                                             rules::Features features) {
  server::Asked asked = self->asked_of(exchange, features);
  asked.sink = request.get();
  server::Reply reply = co_await self->mcp_.handle(std::move(asked));
  const bool listened = exchange.message.method == kListen && request->told();
  self->finish(request, std::move(reply.message));
  if (listened && !request->closed()) {
    self->outbox_->put(LineOutbox::kNobody, ended_line(request->id()));
  }
}

awaitable<void> LineExchanges::answer_legacy(std::shared_ptr<LineExchanges> self, Request request,
                                             rules::LegacyExchange exchange,
                                             rules::Features features) {
  server::Reply reply;
  if (const auto session = self->session_) {
    reply = co_await session->handle(std::move(exchange), features, request);
  } else {  // a ping before initialize
    server::Asked asked = self->asked_of(exchange, features);
    asked.sink = request.get();
    reply = co_await self->mcp_.handle(std::move(asked));
  }
  self->finish(request, std::move(reply.message));
}

void LineExchanges::finish(const Request& request, std::string answer) {
  const auto found = requests_.find(request->id());
  if (found != requests_.end() && found->second == request) requests_.erase(found);
  const auto listen = listens_.find(request->id());
  if (listen != listens_.end() && listen->second == request) listens_.erase(listen);
  --working_;
  if (const Batch& batch = request->batch()) {
    if (request->finish(std::string())) batch->add(answer);
    finish_batch(*batch);
  } else {
    request->finish(std::move(answer));
  }
  outbox_->changed().notify_all();
}

void LineExchanges::finish_batch(LineBatch& batch) {
  if (--batch.open > 0 || batch.answers.empty()) return;
  outbox_->put(LineOutbox::kNobody, '[' + batch.answers + ']');
}

void LineExchanges::leave_subscriptions() {
  const auto listens = std::exchange(listens_, {});
  for (const auto& [id, request] : listens) {
    requests_.erase(id);
    request->cancel();
  }
}

void LineExchanges::cancel_all() {
  listens_.clear();
  const auto requests = std::exchange(requests_, {});
  for (const auto& [id, request] : requests) request->cancel();
}

// --- what belongs to no request of a session ----------------------------------------------------

/// Nothing of the kind before the client says that it is ready (2025-11-25, basic/lifecycle).
void LineExchanges::hear_session() {
  if (!session_ || hearing_ != 0) return;
  hearing_ = session_->general()->attach([executor = executor_, weak = weak_from_this()] {
    boost::asio::post(executor, [weak] {
      if (const auto self = weak.lock()) self->tell_of_session();
    });
  });
  tell_of_session();
}

void LineExchanges::tell_of_session() {
  while (auto event = session_->general()->after(heard_)) {
    // One that does not fit is left out: it says no more than the next of its kind.
    heard_ = event->sequence;
    (void)outbox_->offer(LineOutbox::kNobody, std::move(event->message));
  }
}

}  // namespace interline::mcp

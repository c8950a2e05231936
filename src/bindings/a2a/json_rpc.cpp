#include "bindings/a2a/json_rpc.hpp"

#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "bindings/a2a/exchange.hpp"
#include "json/parse.hpp"
#include "protocols/jsonrpc/message.hpp"

namespace interline::a2a {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;
using rules::Refusal;

constexpr std::string_view kJson = "application/json";

struct Call {
  std::string id;  ///< JSON text, as it was written
  rules::Operation operation = rules::Operation::get_task;
  json::Value params;
};

struct Refused {
  std::string id;
  rules::ErrorAnswer answer;
};

std::unexpected<Refused> refuse(std::string id, Refusal which, std::string message) {
  return std::unexpected(Refused{std::move(id), rules::refusal(which, std::move(message))});
}

/// A string, an integer or null; "" where it is none of them, or absent.
std::string id_of(const json::Value& root) {
  const json::Value* id = root.find("id");
  if (id == nullptr) return {};
  const bool good = id->is_string() || id->is_null() || (id->is_number() && id->get_int64());
  return good ? std::string(id->source()) : std::string();
}

std::expected<Call, Refused> read_call(const json::Value& root) {
  if (!root.is_object()) {
    return refuse({}, Refusal::invalid_request, "The body has to be one JSON-RPC request object.");
  }
  const json::Value* version = root.find("jsonrpc");
  const json::Value* method = root.find("method");
  Call call;
  call.id = id_of(root);
  const bool known = version != nullptr && version->get_string() == "2.0";
  if (!known || call.id.empty() || method == nullptr || !method->is_string()) {
    return refuse(
        call.id, Refusal::invalid_request,
        "A request has jsonrpc \"2.0\", an id (a string, an integer or null) and a method.");
  }
  const auto operation = rules::operation_named(method->as_string());
  if (!operation) {
    return refuse(call.id, Refusal::unknown_method,
                  "There is no such method; those of A2A 1.0 are called like SendMessage.");
  }
  call.operation = *operation;
  const json::Value* params = root.find("params");
  if (params != nullptr) call.params = *params;
  return call;
}

Framing framing_of(std::shared_ptr<Services> services, const Request& request, std::string id) {
  Framing framing;
  framing.event = [id](std::string_view event) { return protocols::jsonrpc::result(id, event); };
  framing.error = [id](const rules::ErrorAnswer& answer) {
    return rules::json_rpc_error(id, answer);
  };
  framing.refusal = [services, &request, id](const rules::ErrorAnswer& answer) {
    return error_response(*services, Door::json_rpc, request, answer, id);
  };
  return framing;
}

awaitable<void> answer(std::shared_ptr<Services> services, Request& request, Responder& responder,
                       std::shared_ptr<const json::Document> body) {
  auto call = read_call(body->root());
  if (!call) {
    const Refused& why = call.error();
    co_return co_await send(*services, request, responder,
                            error_response(*services, Door::json_rpc, request, why.answer, why.id));
  }
  server::Asked asked = asked_of(request);
  asked.operation = call->operation;
  asked.params = call->params;
  if (rules::row_of(call->operation).streams) {
    co_return co_await stream_events(services, request, responder, std::move(asked),
                                     framing_of(services, request, call->id), std::move(body));
  }
  const server::Answer answered = co_await services->a2a.handle(std::move(asked));
  Response response =
      answered ? Response(200, kJson, protocols::jsonrpc::result(call->id, *answered))
               : error_response(*services, Door::json_rpc, request, answered.error(), call->id);
  co_await send(*services, request, responder, std::move(response));
}

}  // namespace

awaitable<void> json_rpc(std::shared_ptr<Services> services, Request& request,
                         Responder& responder) {
  auto parsed = json::parse(std::move(request.body),
                            protocols::jsonrpc::limits_for(services->options.body_limit),
                            json::Numbers::faithful);
  if (!parsed) {
    const auto wrong = rules::not_json(parsed.error());
    co_return co_await send(*services, request, responder,
                            error_response(*services, Door::json_rpc, request, wrong));
  }
  auto body = std::make_shared<const json::Document>(*std::move(parsed));
  co_await answer(services, request, responder, std::move(body));
}

}  // namespace interline::a2a

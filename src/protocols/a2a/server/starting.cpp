#include "protocols/a2a/server/starting.hpp"

#include <utility>

#include "engine/length_prefixed.hpp"
#include "json/writer.hpp"
#include "protocols/a2a/message_arguments.hpp"
#include "protocols/a2a/server/agent.hpp"
#include "protocols/a2a/server/answering.hpp"
#include "protocols/a2a/server/kept_messages.hpp"

namespace interline::protocols::a2a::server {
namespace {

using tasks::QuestionKind;

constexpr std::string_view kKeyLabel = "interline:a2a:1";
/// A person or a program that reads the status message: forms, addresses, and what else must be
/// brought.
constexpr tasks::QuestionKinds kAnswerable = tasks::bit(QuestionKind::form) |
                                             tasks::bit(QuestionKind::url) |
                                             tasks::bit(QuestionKind::credential);

/// What the caller says beside the message; data for the worker, authority for nobody.
std::string metadata_of(const SendRequest& request) {
  constexpr std::size_t kMost = 16'384;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("a2a");
  writer.begin_object();
  writer.member("messageId", request.message.message_id);
  if (request.message.metadata != nullptr) writer.member("metadata", *request.message.metadata);
  writer.end_object();
  if (request.metadata != nullptr) writer.member("metadata", *request.metadata);
  writer.end_object();
  return text.size() > kMost ? std::string() : text;
}

engine::Invocation invocation_of(Core& core, const Asked& asked, const Agent& agent,
                                 const SendRequest& request, std::string arguments) {
  const Message& message = request.message;
  engine::Invocation invocation;
  invocation.endpoint = agent.view.name;
  invocation.tool = agent.tool->name;
  invocation.arguments = std::move(arguments);
  invocation.network = kNetwork;
  invocation.context = message.context_id.empty() ? core.new_id() : std::string(message.context_id);
  invocation.metadata = metadata_of(request);
  invocation.answerable = kAnswerable;
  if (core.settings.once) {
    invocation.request_key = std::string(message.message_id);
    invocation.replay_label = kKeyLabel;
    engine::append_length_prefixed(invocation.fingerprint_head, kKeyLabel);
    engine::append_length_prefixed(invocation.fingerprint_head, agent.tool->name);
    engine::append_length_prefixed(invocation.fingerprint_head, message.context_id);
  }
  invocation.records.push_back(
      first_message(core, asked.who, message_text(message, {}, invocation.context)));
  return invocation;
}

awaitable<std::expected<Started, ErrorAnswer>> begin(Core& core, const Asked& asked,
                                                     const SendRequest& request) {
  const auto agent = co_await find_agent(core, asked, request.tenant);
  if (!agent) co_return refuse(agent.error());
  auto arguments = arguments_of(core.settings.edition, agent->input, request.message);
  if (!arguments) co_return refuse(std::move(arguments.error()));
  const auto admission = co_await core.engine.admit(
      asked.who, invocation_of(core, asked, *agent, request, *std::move(arguments)));
  if (admission) co_return Started{admission->task, true};
  const Error& error = admission.error();
  if (error.reason == ErrorReason::different_request) {
    co_return refuse(invalid_params("message.messageId", "was used for another message already"));
  }
  if (error.kind == ErrorKind::not_acceptable || error.kind == ErrorKind::malformed) {
    co_return refuse(invalid_params("message.parts", error.message));
  }
  co_return refuse(core, error);
}

awaitable<std::expected<Started, ErrorAnswer>> go_on(Core& core, const Asked& asked,
                                                     const SendRequest& request) {
  const Message& message = request.message;
  const std::string id(message.task_id);
  const auto task = co_await find_task(core, asked, id);
  if (!task) co_return refuse(task.error());
  if (!message.context_id.empty() && message.context_id != task->admission->context) {
    co_return refuse(invalid_params("message.contextId", "is not the context of this task"));
  }
  const bool repeated = co_await was_taken(core, id, message.message_id);
  if (repeated) co_return Started{id, false};
  if (!task->pending) {
    co_return refuse(core, Fault::unsupported_operation,
                     tasks::is_terminal(task->state)
                         ? "This task has ended; send a message without its id."
                         : "This task waits for no message; it goes on by itself.");
  }
  auto input = input_of(*task, message);
  if (!input) co_return refuse(std::move(input.error()));
  input->records.push_back(next_message(core, asked.who, id, message.message_id,
                                        message_text(message, id, task->admission->context)));
  const auto accepted = co_await core.engine.provide_input(asked.who, *std::move(input));
  if (accepted) co_return Started{id, false};
  const Error& error = accepted.error();
  if (error.kind == ErrorKind::not_acceptable || error.kind == ErrorKind::malformed) {
    co_return refuse(invalid_params("message.parts", error.message));
  }
  if (error.kind == ErrorKind::conflict || error.kind == ErrorKind::not_found) {
    // The task has moved on, and its question is gone. Somebody else's answer, or the same one, was
    // first.
    const bool same = co_await was_taken(core, id, message.message_id);
    if (same) co_return Started{id, false};
    co_return refuse(core, Fault::unsupported_operation, error.message);
  }
  co_return refuse(core, error);
}

}  // namespace

awaitable<std::expected<Started, ErrorAnswer>> start(Core& core, const Asked& asked,
                                                     const SendRequest& request) {
  if (!request.message.task_id.empty()) co_return co_await go_on(core, asked, request);
  co_return co_await begin(core, asked, request);
}

}  // namespace interline::protocols::a2a::server

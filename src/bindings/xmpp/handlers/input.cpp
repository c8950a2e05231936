// Answers to what a task asks. Brief sections 4.21 and 6.2.
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/handlers/task_syntax.hpp"
#include "bindings/xmpp/json_payload.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kRequired[] = {attribute::kTaskId, attribute::kRequestId,
                                          attribute::kExpectedRevision};
constexpr ChildShape kChildren[] = {{ns::kAgentTask, element::kInput, true}};
constexpr ElementShape kShape{kRequired, {}, kChildren};
constexpr std::string_view kMediaTypeOnly[] = {attribute::kMediaType};
constexpr ElementShape kInputShape{kMediaTypeOnly, {}, {}, ElementShape::Content::text};

Result<engine::Input> read_input(const Services& services, const Call& call) {
  const Element payload = call.payload();
  if (auto shape = check_shape(payload, kShape); !shape) return std::unexpected(shape.error());
  engine::Input input;
  input.task = std::string(*payload.attribute(attribute::kTaskId));
  input.request = std::string(*payload.attribute(attribute::kRequestId));
  input.expected = read_revision(*payload.attribute(attribute::kExpectedRevision));
  if (!is_identifier(input.task) || !is_identifier(input.request) || !input.expected) {
    return fail(ErrorKind::malformed, "task-id, request-id or expected-revision is none");
  }
  const Element holder = *payload.child(ns::kAgentTask, element::kInput);
  if (auto shape = check_shape(holder, kInputShape); !shape) {
    return std::unexpected(shape.error());
  }
  auto text = read_json_text(holder);
  if (!text) return std::unexpected(std::move(text.error()));
  input.value = *std::move(text);
  std::string head = fingerprint_prefix(services, call, "interline:input:1");
  engine::append_length_prefixed(head, input.task);
  engine::append_length_prefixed(head, input.request);
  engine::append_u64(head, *input.expected);
  engine::append_length_prefixed(head, media_type::kJson);
  input.fingerprint_head = std::move(head);
  return input;
}

}  // namespace

awaitable<Answer> provide_input(Services& services, const Call& call) {
  auto input = read_input(services, call);
  if (!input) co_return std::unexpected(std::move(input.error()));
  const std::string task = input->task;
  auto view = co_await read_own_task(services, call, task);
  if (!view) co_return std::unexpected(std::move(view.error()));
  // An id that this task never asked under is absent, whatever the answer says.
  if (!was_asked(view->task, input->request)) co_return absent();
  auto accepted = co_await services.engine.provide_input(call.who, *std::move(input));
  if (!accepted) co_return std::unexpected(std::move(accepted.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kInputAccepted, ns::kAgentTask);
  w.attribute(attribute::kTaskId, task);
  w.attribute(attribute::kRevision, std::to_string(accepted->revision));
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp

// Cancellation. Brief sections 4.22 and 6.3.
#include "base/utf8.hpp"
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/handlers/task_syntax.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kRequired[] = {attribute::kTaskId, attribute::kExpectedRevision};
constexpr ChildShape kChildren[] = {{ns::kAgentTask, element::kReason, false}};
constexpr ElementShape kShape{kRequired, {}, kChildren};
constexpr ElementShape kTextShape{{}, {}, {}, ElementShape::Content::text};
constexpr std::size_t kReasonCodePoints = 4'096;

Result<engine::Cancellation> read_cancel(const Services& services, const Call& call) {
  const Element payload = call.payload();
  if (auto shape = check_shape(payload, kShape); !shape) return std::unexpected(shape.error());
  engine::Cancellation request;
  request.task = std::string(*payload.attribute(attribute::kTaskId));
  request.expected = read_revision(*payload.attribute(attribute::kExpectedRevision));
  if (!is_identifier(request.task) || !request.expected) {
    return fail(ErrorKind::malformed, "task-id or expected-revision is none");
  }
  std::string bytes = fingerprint_prefix(services, call, "interline:cancel:1");
  engine::append_length_prefixed(bytes, request.task);
  engine::append_u64(bytes, *request.expected);
  bytes.push_back('\0');
  if (const auto reason = payload.child(ns::kAgentTask, element::kReason)) {
    if (auto shape = check_shape(*reason, kTextShape); !shape) {
      return std::unexpected(shape.error());
    }
    request.reason = reason->text();
    if (count_code_points(*request.reason) > kReasonCodePoints) {
      return fail(ErrorKind::malformed, "the reason is longer than 4096 characters");
    }
    bytes.back() = '\1';
    engine::append_length_prefixed(bytes, *request.reason);
  }
  request.fingerprint = sha256(bytes);
  return request;
}

}  // namespace

awaitable<Answer> cancel_task(Services& services, const Call& call) {
  auto request = read_cancel(services, call);
  if (!request) co_return std::unexpected(std::move(request.error()));
  const std::string task = request->task;
  auto view = co_await read_own_task(services, call, task);
  if (!view) co_return std::unexpected(std::move(view.error()));
  // A tool without the feature has no cancellation to conflict with, whatever its task's state.
  if (!view->task.admission->cancellable) co_return not_served();
  auto accepted = co_await services.engine.cancel(call.who, *std::move(request));
  if (!accepted) co_return std::unexpected(std::move(accepted.error()));
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kCancelAccepted, ns::kAgentTask);
  w.attribute(attribute::kTaskId, task);
  w.attribute(attribute::kRevision, std::to_string(accepted->revision));
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp

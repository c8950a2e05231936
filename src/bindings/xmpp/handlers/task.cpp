// Recovery: what a task is now, and how it ended. Brief sections 4.19 and 4.20.
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/event_projection.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/handlers/task_syntax.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kTaskIdOnly[] = {attribute::kTaskId};
constexpr ElementShape kShape{kTaskIdOnly, {}, {}};

/// The caller's task at this endpoint; every other one is not there.
awaitable<Result<engine::TaskView>> read_task(Services& services, const Call& call) {
  if (auto shape = check_shape(call.payload(), kShape); !shape) {
    co_return std::unexpected(std::move(shape.error()));
  }
  std::string id(*call.payload().attribute(attribute::kTaskId));
  if (!is_identifier(id)) co_return fail(ErrorKind::malformed, "task-id is no identifier");
  co_return co_await read_own_task(services, call, std::move(id));
}

}  // namespace

awaitable<Answer> task_state(Services& services, const Call& call) {
  auto view = co_await read_task(services, call);
  if (!view) co_return std::unexpected(std::move(view.error()));
  const tasks::Task& task = view->task;
  const tasks::Admission& admission = *task.admission;
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kTaskState, ns::kAgentTask);
  w.attribute(attribute::kTaskId, task.id());
  w.attribute(attribute::kEndpoint, jid_of(services, admission.endpoint));
  w.attribute(attribute::kState, tasks::to_string(task.state));
  w.attribute(attribute::kRevision, std::to_string(task.revision));
  w.attribute(attribute::kApiVersion, admission.version);
  w.attribute(attribute::kCreated, Instant(admission.created).to_string(0));
  w.attribute(attribute::kUpdated, Instant(task.updated).to_string(3));
  if (admission.deadline) w.attribute(attribute::kDeadline, admission.deadline->at.text());
  w.attribute(attribute::kRetainUntil, Instant(task.retain_until).to_string(0));
  w.attribute(attribute::kResultAvailable, tasks::is_terminal(task.state) ? "true" : "false");
  w.begin(element::kManifestHash);
  write_hash(w, admission.manifest_hash);
  w.end();
  if (!view->pending_body.empty()) {
    w.begin(element::kPendingInput);
    w.attribute(attribute::kMediaType, media_type::kJson);
    w.text(project_body(false, view->pending_body));
    w.end();
  }
  w.end();
  co_return stanza;
}

awaitable<Answer> task_result(Services& services, const Call& call) {
  auto view = co_await read_task(services, call);
  if (!view) co_return std::unexpected(std::move(view.error()));
  const tasks::Task& task = view->task;
  if (!tasks::is_terminal(task.state)) {
    co_return fail(ErrorKind::too_early, "the task has not settled yet");
  }
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kTaskResult, ns::kAgentTask);
  w.attribute(attribute::kTaskId, task.id());
  w.attribute(attribute::kState, tasks::to_string(task.state));
  w.attribute(attribute::kRevision, std::to_string(task.revision));
  w.attribute(attribute::kMediaType, media_type::kJson);
  w.text(project_body(task.state == tasks::State::completed, task.outcome));
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp

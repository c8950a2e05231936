#include "bindings/control/views.hpp"

#include "base/instant.hpp"
#include "tasks/event_body.hpp"

namespace interline::control {
namespace {

void optional_member(json::Writer& writer, std::string_view name, std::string_view text) {
  if (!text.empty()) writer.member(name, text);
}

void write_question(json::Writer& writer, const tasks::Question& question) {
  writer.begin_object();
  writer.member("id", std::string_view(question.id));
  optional_member(writer, "key", question.key);
  writer.member("kind", tasks::to_string(question.kind));
  writer.member("text", std::string_view(question.text));
  writer.raw_member("schema", question.schema.empty() ? "{}" : question.schema);
  optional_member(writer, "url", question.url);
  if (question.expires_at) writer.member("expires", time_text(*question.expires_at));
  writer.end_object();
}

/// The request in the words of its event (requestId, question, inputSchema, ...), and its questions
/// one by one.
void write_pending(json::Writer& writer, const tasks::InputRequest& request, bool may_answer) {
  writer.begin_object();
  writer.raw_member("body", tasks::input_required_body(request));
  writer.name("questions");
  writer.begin_array();
  for (const tasks::Question& question : request.questions) write_question(writer, question);
  writer.end_array();
  writer.member("mayAnswer", may_answer);
  writer.end_object();
}

void write_members(json::Writer& writer, const tasks::Task& task) {
  const tasks::Admission& admission = *task.admission;
  writer.member("id", std::string_view(admission.id));
  writer.member("endpoint", std::string_view(admission.endpoint));
  writer.member("version", std::string_view(admission.version));
  writer.member("tool", std::string_view(admission.tool));
  writer.member("owner", std::string_view(admission.owner));
  writer.member("network", std::string_view(admission.network));
  writer.member("state", tasks::to_string(task.state));
  writer.member("revision", task.revision);
  writer.member("created", time_text(admission.created));
  writer.member("updated", time_text(task.updated));
  if (task.held) writer.member("held", true);
}

}  // namespace

std::string time_text(SystemTime time) {
  return Instant(time).to_string(3);
}

void write_summary(json::Writer& writer, const tasks::Task& task) {
  writer.begin_object();
  write_members(writer, task);
  writer.end_object();
}

std::string task_json(const tasks::Task& task, const std::vector<engine::Artifact>& artifacts,
                      bool may_answer, const std::optional<Load>& load) {
  const tasks::Admission& admission = *task.admission;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  write_members(writer, task);
  writer.member("tenant", std::string_view(admission.tenant));
  optional_member(writer, "requestKey", admission.request_key);
  optional_member(writer, "context", admission.context);
  writer.raw_member("arguments", admission.arguments);
  writer.member("sequence", task.sequence);
  writer.member("retainUntil", time_text(task.retain_until));
  if (admission.deadline) writer.member("deadline", admission.deadline->at.text());
  writer.member("cancellable", admission.cancellable);
  if (task.cancel) {
    writer.name("cancellation");
    writer.begin_object();
    if (task.cancel->reason) writer.member("reason", std::string_view(*task.cancel->reason));
    writer.member("revision", task.cancel->revision);
    writer.end_object();
  }
  if (load) {
    writer.name("line");
    writer.begin_object();
    writer.member("working", load->working);
    writer.member("waiting", load->waiting);
    writer.end_object();
  }
  if (task.pending) {
    writer.name("pending");
    write_pending(writer, *task.pending, may_answer);
  }
  if (!artifacts.empty()) {
    writer.name("artifacts");
    writer.begin_array();
    for (const engine::Artifact& artifact : artifacts) {
      writer.begin_object();
      writer.member("id", std::string_view(artifact.id));
      writer.raw_member("parts", artifact.parts);
      writer.member("complete", artifact.complete);
      writer.end_object();
    }
    writer.end_array();
  }
  if (!task.outcome.empty()) writer.raw_member("outcome", task.outcome);
  writer.end_object();
  return text;
}

std::string entry_json(const tasks::LogEntry& entry) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("sequence", entry.sequence);
  if (entry.revision) writer.member("revision", *entry.revision);
  writer.member("type", tasks::to_string(entry.type));
  writer.member("state", tasks::to_string(entry.state));
  writer.member("time", time_text(entry.time));
  optional_member(writer, "eventId", entry.event_id);
  writer.raw_member("body", entry.body);
  writer.end_object();
  return text;
}

std::string admission_json(const engine::Admission& admission) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("task", std::string_view(admission.task));
  writer.member("created", time_text(admission.created));
  writer.member("retainUntil", time_text(admission.retain_until));
  writer.member("replayed", admission.replayed);
  writer.end_object();
  return text;
}

std::string accepted_json(const engine::Accepted& accepted) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("revision", accepted.revision);
  writer.member("replayed", accepted.replayed);
  writer.end_object();
  return text;
}

void write_hold(json::Writer& writer, const std::optional<engine::RetentionHold>& hold) {
  const auto seconds = [](std::chrono::nanoseconds time) {
    return static_cast<std::int64_t>(std::chrono::ceil<std::chrono::seconds>(time).count());
  };
  writer.begin_object();
  writer.member("held", hold.has_value());
  if (hold) {
    writer.member("since", time_text(hold->since));
    writer.member("behindSeconds", seconds(hold->behind));
    writer.member("overInSeconds", seconds(hold->left));
  }
  writer.end_object();
}

std::string status_json(const GatewayStatus& status, std::string_view who, bool is_operator) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("principal", who);
  writer.member("operator", is_operator);
  writer.member("title", std::string_view(status.title));
  writer.member("version", std::string_view(status.version));
  writer.member("started", time_text(status.started));
  writer.member("ready", status.ready);
  if (is_operator) {
    writer.name("parts");
    writer.begin_array();
    for (const PartStatus& part : status.parts) {
      writer.begin_object();
      writer.member("name", std::string_view(part.name));
      writer.member("working", part.working);
      writer.member("detail", std::string_view(part.detail));
      writer.end_object();
    }
    writer.end_array();
    writer.name("retention");
    write_hold(writer, status.retention_hold);
  }
  writer.end_object();
  return text;
}

}  // namespace interline::control

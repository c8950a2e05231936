#include "protocols/a2a/task_view.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/result_check.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/a2a/part_writer.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "tasks/event_body.hpp"

namespace interline::protocols::a2a {
namespace {

using tasks::EntryType;
using tasks::QuestionKind;

/// A committed body; reads as null where there is none.
class Body {
 public:
  explicit Body(std::string_view text)
      : parsed_(json::parse_borrowed(text, jsonrpc::limits_for(text.size()),
                                     json::Numbers::faithful)) {}
  [[nodiscard]] const json::Value& root() const { return parsed_ ? parsed_->root() : none_; }
  [[nodiscard]] const json::Value& at(std::string_view name) const { return of(root(), name); }
  [[nodiscard]] const json::Value& of(const json::Value& object, std::string_view name) const {
    const json::Value* found = object.find(name);
    return found == nullptr ? none_ : *found;
  }
  [[nodiscard]] std::string_view text(const json::Value& object, std::string_view name) const {
    return of(object, name).get_string().value_or(std::string_view());
  }

 private:
  std::expected<json::Document, json::ParseError> parsed_;
  json::Value none_;
};

/// OpenWOP's words for what is asked, by QuestionKind (core/interop.md, "A2A fields": the named key
/// metadata.openwop.interrupt).
constexpr std::array<std::string_view, tasks::kQuestionKindCount> kInterruptKinds = {
    "clarification", "custom", "credential", "custom", "custom"};

/// A Message of the agent; `parts` is an array's text.
std::string agent_message(const tasks::Task& task, std::string_view id, std::string_view parts,
                          const json::Value& metadata = {}) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("messageId", id);
  if (!task.admission->context.empty()) writer.member("contextId", task.admission->context);
  writer.member("taskId", task.id());
  writer.member("role", kRoles[static_cast<std::size_t>(Role::agent)]);
  writer.raw_member("parts", parts);
  if (metadata.is_object()) writer.member("metadata", metadata);
  writer.end_object();
  return text;
}

std::string text_parts(std::string_view words) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  write_text_part(writer, words);
  writer.end_array();
  return text;
}

std::string spoken(const tasks::Task& task, std::string_view id, std::string_view words) {
  return words.empty() ? std::string() : agent_message(task, id, text_parts(words));
}

/// The one message that goes with the end of a task.
std::string final_id(const tasks::Task& task) {
  return task.id() + "-end";
}

/// Each question in its own words, its address beside it (OpenWOP, forward state map: an
/// authorization names its provider and where to go).
std::string question_parts(const tasks::InputRequest& request) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  for (const tasks::Question& question : request.questions) {
    std::string words = question.text;
    if (!question.url.empty()) words.append(words.empty() ? "" : "\n").append(question.url);
    write_text_part(writer, words.empty() ? "Input is needed." : words);
  }
  writer.end_array();
  return text;
}

std::string interrupt_metadata(const tasks::Question& question) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("openwop");
  writer.begin_object();
  writer.name("interrupt");
  writer.begin_object();
  writer.member("kind", kInterruptKinds[static_cast<std::size_t>(question.kind)]);
  writer.member("nodeId", question.id);
  if (!question.schema.empty()) writer.raw_member("schema", question.schema);
  writer.end_object();
  writer.end_object();
  writer.end_object();
  return text;
}

Status asking(const tasks::Task& task, const tasks::InputRequest& request) {
  const bool credential = std::ranges::any_of(
      request.questions,
      [](const tasks::Question& question) { return question.kind == QuestionKind::credential; });
  Status status;
  status.state = credential ? TaskState::auth_required : TaskState::input_required;
  status.message = agent_message(task, request.id, question_parts(request));
  status.metadata = interrupt_metadata(request.questions.front());
  return status;
}

constexpr std::string_view kCancelling = R"({"urn:interline:cancelling":true})";

void completed(const tasks::Task& task, std::string_view outcome, Status& status) {
  const Body body(outcome);
  const json::Value& result = body.at("result");
  if (body.of(result, "isError").get_bool().value_or(false)) status.state = TaskState::failed;
  const json::Value& said = body.of(body.of(body.of(result, "_meta"), kResultMeta), "status");
  if (body.of(said, "parts").is_array()) {
    status.message =
        agent_message(task, final_id(task), parts_of_chunk(body.of(said, "parts").source()),
                      body.of(said, "metadata"));
  }
}

void failed(const tasks::Task& task, std::string_view outcome, Status& status) {
  const Body body(outcome);
  const json::Value& error = body.at("error");
  if (body.text(error, "code") == engine::kRejectedCode) status.state = TaskState::rejected;
  status.message = spoken(task, final_id(task), body.text(error, "message"));
}

void cancelled(const tasks::Task& task, std::string_view outcome, Status& status) {
  const Body body(outcome);
  status.message = spoken(task, final_id(task), body.text(body.root(), "reason"));
}

/// Of a terminal state and the body that it was committed with.
Status ended(const tasks::Task& task, tasks::State state, std::string_view outcome) {
  Status status;
  status.state = kPlainStates[static_cast<std::size_t>(state)];
  if (state == tasks::State::completed) completed(task, outcome, status);
  if (state == tasks::State::failed) failed(task, outcome, status);
  if (state == tasks::State::cancelled) cancelled(task, outcome, status);
  return status;
}

Status of_state(tasks::State state) {
  Status status;
  status.state = kPlainStates[static_cast<std::size_t>(state)];
  if (state == tasks::State::cancelling) status.metadata = kCancelling;
  return status;
}

Status progress(const tasks::Task& task, const tasks::LogEntry& entry) {
  const Body body(entry.body);
  std::string_view words = body.text(body.root(), "message");
  if (words.empty()) words = body.text(body.root(), "stage");
  Status status = of_state(entry.state);
  status.message = spoken(task, entry.event_id, words);
  return status;
}

/// The questions of an entry, where they are open still; else what its body says.
Status asked(const tasks::Task& now, const tasks::LogEntry& entry) {
  const Body body(entry.body);
  const auto request = body.text(body.root(), "requestId");
  if (now.pending && now.pending->id == request) return asking(now, *now.pending);
  Status status;
  status.state = TaskState::input_required;
  status.message = spoken(now, request, body.text(body.root(), "question"));
  return status;
}

void write_status(json::Writer& writer, const Status& status) {
  writer.name("status");
  writer.begin_object();
  writer.member("state", to_string(status.state));
  if (!status.message.empty()) writer.raw_member("message", status.message);
  writer.member("timestamp", tasks::body_time(status.time));
  writer.end_object();
}

void write_artifact(json::Writer& writer, std::string_view id, std::string_view parts) {
  writer.begin_object();
  writer.member("artifactId", id);
  writer.raw_member("parts", parts);
  writer.end_object();
}

constexpr std::string_view kNoParts = "[]";

std::string artifacts_text(const tasks::Task& task, std::span<const ShownArtifact> artifacts) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  for (const ShownArtifact& artifact : artifacts) {
    const std::string parts = parts_of_chunk(artifact.elements);
    if (parts != kNoParts) write_artifact(writer, artifact.id, parts);
  }
  if (task.state == tasks::State::completed) {
    const Body body(task.outcome);
    const std::string parts = parts_of_result(body.at("result"));
    if (!parts.empty()) write_artifact(writer, kResultArtifact, parts);
  }
  writer.end_array();
  return text;
}

void write_artifacts(json::Writer& writer, const tasks::Task& task, Artifacts which,
                     std::span<const ShownArtifact> artifacts) {
  if (which == Artifacts::left_out) return;
  const std::string text = artifacts_text(task, artifacts);
  // A repeated field that is empty is left out (ProtoJSON), but where it was asked for.
  if (which == Artifacts::listed || text != kNoParts) writer.raw_member("artifacts", text);
}

void write_history(json::Writer& writer, std::span<const KeptMessage> history,
                   std::optional<std::int32_t> length) {
  const std::size_t most = length ? static_cast<std::size_t>(*length) : history.size();
  const auto shown = history.last(std::min(most, history.size()));
  if (shown.empty()) return;
  writer.name("history");
  writer.begin_array();
  for (const KeptMessage& message : shown) writer.raw(message.text);
  writer.end_array();
}

std::string artifact_event(const tasks::Task& task, std::string_view id, std::string_view parts,
                           bool append, bool last) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("artifactUpdate");
  writer.begin_object();
  writer.member("taskId", task.id());
  writer.member("contextId", task.admission->context);
  writer.name("artifact");
  write_artifact(writer, id, parts);
  if (append) writer.member("append", true);
  if (last) writer.member("lastChunk", true);
  writer.end_object();
  writer.end_object();
  return text;
}

}  // namespace

Status status_of(const tasks::Task& task) {
  Status status;
  if (task.pending) {
    status = asking(task, *task.pending);
  } else if (tasks::is_terminal(task.state)) {
    status = ended(task, task.state, task.outcome);
  } else {
    status = of_state(task.state);
  }
  status.time = task.updated;
  return status;
}

std::optional<Status> status_of(const tasks::Task& now, const tasks::LogEntry& entry) {
  if (!has_revision(entry.type)) return std::nullopt;
  Status status;
  switch (entry.type) {
    case EntryType::progress:
      status = progress(now, entry);
      break;
    case EntryType::input_required:
      status = asked(now, entry);
      break;
    default:
      status = tasks::is_terminal(entry.state) ? ended(now, entry.state, entry.body)
                                               : of_state(entry.state);
  }
  status.time = entry.time;
  return status;
}

std::string task_text(const tasks::Task& task, Artifacts which,
                      std::span<const ShownArtifact> artifacts, std::vector<KeptMessage> history,
                      std::optional<std::int32_t> length) {
  std::ranges::sort(history, {}, [](const KeptMessage& message) {
    return std::pair<SystemTime, std::string_view>(message.time, message.text);
  });
  const Status status = status_of(task);
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("id", task.id());
  if (!task.admission->context.empty()) writer.member("contextId", task.admission->context);
  write_status(writer, status);
  write_artifacts(writer, task, which, artifacts);
  write_history(writer, history, length);
  if (!status.metadata.empty()) writer.raw_member("metadata", status.metadata);
  writer.end_object();
  return text;
}

std::string lone_message(const tasks::Task& task) {
  if (task.state != tasks::State::completed) return {};
  const Body body(task.outcome);
  const json::Value& said =
      body.of(body.of(body.of(body.at("result"), "_meta"), kResultMeta), "message");
  if (!body.of(said, "parts").is_array()) return {};
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("messageId", final_id(task));
  if (!task.admission->context.empty()) writer.member("contextId", task.admission->context);
  writer.member("role", kRoles[static_cast<std::size_t>(Role::agent)]);
  writer.raw_member("parts", parts_of_chunk(body.of(said, "parts").source()));
  if (body.of(said, "metadata").is_object()) writer.member("metadata", body.of(said, "metadata"));
  writer.end_object();
  return text;
}

std::optional<KeptMessage> asked_message(const tasks::Task& task, const tasks::LogEntry& entry) {
  if (entry.type != EntryType::input_required) return std::nullopt;
  KeptMessage kept;
  kept.time = entry.time;
  kept.text = asked(task, entry).message;
  return kept;
}

std::string status_update(const tasks::Task& task, const Status& status) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("statusUpdate");
  writer.begin_object();
  writer.member("taskId", task.id());
  writer.member("contextId", task.admission->context);
  write_status(writer, status);
  if (!status.metadata.empty()) writer.raw_member("metadata", status.metadata);
  writer.end_object();
  writer.end_object();
  return text;
}

std::string artifact_update(const tasks::Task& task, const tasks::LogEntry& entry) {
  const Body body(entry.body);
  const json::Value& chunk = body.root();
  return artifact_event(task, body.text(chunk, "artifact"),
                        parts_of_chunk(body.of(chunk, "parts").source()),
                        body.of(chunk, "append").get_bool().value_or(false),
                        body.of(chunk, "last").get_bool().value_or(false));
}

std::string result_update(const tasks::Task& task, const tasks::LogEntry& entry) {
  const Body body(entry.body);
  const std::string parts = parts_of_result(body.at("result"));
  return parts.empty() ? parts : artifact_event(task, kResultArtifact, parts, false, true);
}

std::string enveloped(std::string_view member, std::string_view text) {
  std::string made;
  json::Writer writer(made);
  writer.begin_object();
  writer.raw_member(member, text);
  writer.end_object();
  return made;
}

}  // namespace interline::protocols::a2a

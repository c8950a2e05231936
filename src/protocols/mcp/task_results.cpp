#include "protocols/mcp/task_results.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/call_result.hpp"
#include "protocols/mcp/input_requests.hpp"
#include "protocols/mcp/request_meta.hpp"
#include "protocols/mcp/task_ids.hpp"

namespace interline::protocols::mcp {
namespace {

using tasks::State;

/// By State; a failure is completed unless it is an error of the peer's.
constexpr std::array<std::string_view, tasks::kStateCount> kStatus = {
    "working", "working", "input_required", "working", "completed", "completed", "cancelled"};

constexpr std::string_view kCancelling = "Cancellation was requested.";
constexpr std::string_view kCancelled = "The task was cancelled.";

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

/// The body of a terminal event, which we wrote ourselves.
class Outcome {
 public:
  explicit Outcome(const tasks::Task& task)
      : document_(json::parse_borrowed(task.outcome, jsonrpc::limits_for(task.outcome.size()),
                                       json::Numbers::faithful)) {}

  [[nodiscard]] const json::Value* result() const { return member("result"); }
  [[nodiscard]] const json::Value* error() const { return member("error"); }
  [[nodiscard]] std::string_view reason() const {
    return document_ ? text_of(document_->root(), "reason") : std::string_view();
  }
  /// The code of the peer's JSON-RPC error, if that is what the task failed with.
  [[nodiscard]] std::optional<std::int64_t> peer_code() const {
    if (error() == nullptr) return std::nullopt;
    std::string_view code = text_of(*error(), "code");
    if (!code.starts_with(kPeerErrorPrefix)) return std::nullopt;
    code.remove_prefix(kPeerErrorPrefix.size());
    std::int64_t number = 0;
    const auto read = std::from_chars(code.data(), code.data() + code.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == code.data() + code.size();
    return whole ? std::optional(number) : std::nullopt;
  }

 private:
  [[nodiscard]] const json::Value* member(std::string_view name) const {
    const json::Value* value = document_ ? document_->root().find(name) : nullptr;
    return value != nullptr && value->is_object() ? value : nullptr;
  }
  std::expected<json::Document, json::ParseError> document_;
};

ErrorAnswer peer_error(const Outcome& outcome, std::int64_t code, Revision revision) {
  ErrorAnswer answer(relayed_code(code, revision), kInBand,
                     std::string(text_of(*outcome.error(), "message")));
  const json::Value* details = outcome.error()->find("details");
  if (details != nullptr) answer.data = details->source();
  return answer;
}

/// What a failure of ours tells the model.
std::string failure_text(const Outcome& outcome) {
  if (outcome.error() == nullptr) return "The task failed.";
  return std::string(text_of(*outcome.error(), "message")) + " (" +
         std::string(text_of(*outcome.error(), "code")) + ")";
}

std::string result_text(const Envelope& envelope, const Outcome& outcome) {
  if (const json::Value* result = outcome.result()) return call_result(envelope, *result);
  return text_result(envelope, failure_text(outcome), true);
}

void write_error(json::Writer& writer, const ErrorAnswer& answer) {
  writer.name("error");
  writer.begin_object();
  writer.member("code", answer.code);
  writer.member("message", answer.message);
  if (!answer.data.empty()) writer.raw_member("data", answer.data);
  writer.end_object();
}

std::string_view status_message(const tasks::Task& task, const TaskTelling& telling,
                                const Outcome& outcome) {
  if (task.state == State::cancelling) return kCancelling;
  if (task.state == State::cancelled) return outcome.reason();
  if (task.state == State::failed && outcome.error() != nullptr) {
    return text_of(*outcome.error(), "message");
  }
  return telling.status_message;
}

std::string_view status_of(const tasks::Task& task, const Outcome& outcome) {
  if (task.state == State::failed && outcome.peer_code()) return "failed";
  return kStatus.at(static_cast<std::size_t>(task.state));
}

std::int64_t kept_for(const tasks::Task& task) {
  const auto kept = task.retain_until - task.admission->created;
  return std::chrono::duration_cast<std::chrono::milliseconds>(kept).count();
}

/// The members that every shape of a task has.
void write_handle(json::Writer& writer, const tasks::Task& task, const TaskTelling& telling,
                  const Outcome& outcome) {
  // Milliseconds, so that two updates within a second are told apart.
  constexpr unsigned kDigits = 3;
  writer.member("taskId", write_task_id(telling.tenant, task.id()));
  writer.member("status", status_of(task, outcome));
  if (const auto message = status_message(task, telling, outcome); !message.empty()) {
    writer.member("statusMessage", message);
  }
  writer.member("createdAt", Instant(task.admission->created).to_string(kDigits));
  writer.member("lastUpdatedAt", Instant(task.updated).to_string(kDigits));
  writer.member("ttlMs", std::max<std::int64_t>(kept_for(task), 0));
  writer.member("pollIntervalMs", static_cast<std::int64_t>(telling.poll_interval.count()));
}

std::string open_requests(const tasks::Task& task, const TaskTelling& telling) {
  std::vector<InputQuestion> questions;
  if (task.pending) {
    for (const tasks::Question& question : task.pending->questions) {
      questions.push_back(input_question(question, telling.tenant));
    }
  }
  return input_requests(questions, telling.capabilities, kFirstModern);
}

/// What there is besides the handle: exactly what the status has.
void write_payload(json::Writer& writer, const tasks::Task& task, const TaskTelling& telling,
                   const Outcome& outcome) {
  if (task.state == State::input_required) {
    writer.raw_member("inputRequests", open_requests(task, telling));
    return;
  }
  if (task.state != State::completed && task.state != State::failed) return;
  if (const auto code = outcome.peer_code()) {
    return write_error(writer, peer_error(outcome, *code, kFirstModern));
  }
  writer.raw_member("result", result_text(Envelope{kFirstModern, ""}, outcome));
}

/// Members of an object, without its braces.
template <class Write>
std::string members(Write write) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  write(writer);
  writer.end_object();
  return text.substr(1, text.size() - 2);
}

std::string whole_task(const tasks::Task& task, const TaskTelling& telling) {
  const Outcome outcome(task);
  return members([&](json::Writer& writer) {
    write_handle(writer, task, telling, outcome);
    write_payload(writer, task, telling, outcome);
  });
}

}  // namespace

std::string_view task_status(const tasks::Task& task) {
  return status_of(task, Outcome(task));
}

std::string create_task_result(const Envelope& envelope, const tasks::Task& task,
                               const TaskTelling& telling) {
  const Outcome outcome(task);
  const std::string handle =
      members([&](json::Writer& writer) { write_handle(writer, task, telling, outcome); });
  return own_result(envelope, handle, "task");
}

std::string get_task_result(const Envelope& envelope, const tasks::Task& task,
                            const TaskTelling& telling) {
  return own_result(envelope, whole_task(task, telling));
}

std::string task_notification_params(const tasks::Task& task, const TaskTelling& telling,
                                     std::string_view subscription) {
  std::string text = "{" + whole_task(task, telling) + ",\"_meta\":{\"";
  text.append(meta_key::kSubscriptionId).append("\":").append(subscription).append("}}");
  return text;
}

std::variant<std::string, ErrorAnswer> settled_answer(const Envelope& envelope,
                                                      const tasks::Task& task) {
  const Outcome outcome(task);
  if (task.state == State::cancelled) return text_result(envelope, kCancelled, true);
  if (const auto code = outcome.peer_code()) return peer_error(outcome, *code, envelope.revision);
  return result_text(envelope, outcome);
}

}  // namespace interline::protocols::mcp

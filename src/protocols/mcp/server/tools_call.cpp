// tools/call: from the params to a result, to a task, or to questions.
//
// The order is that of the checks in the specification: params, the tool, its headers, the state of
// a retry, the arguments; then what the tool asks before it is called; then the call.
#include <utility>

#include "engine/length_prefixed.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/call_result.hpp"
#include "protocols/mcp/param_headers.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/call.hpp"
#include "protocols/mcp/server/rounds.hpp"
#include "protocols/mcp/server/running.hpp"
#include "protocols/mcp/server/used_states.hpp"

namespace interline::protocols::mcp::server {
namespace {

constexpr std::string_view kNetwork = "mcp";
constexpr std::string_view kOwnKeyLabel = "interline:mcp:1";
constexpr std::string_view kStateKeyLabel = "interline:mcp:state:1";

ErrorAnswer unknown_tool() {
  return invalid_params("Unknown tool.");
}

/// What a model can mend is a result that it sees; the rest is an error.
Answer told(Core& core, const Asked& asked, const Error& error) {
  if (error.kind == ErrorKind::not_found) return refuse(unknown_tool());
  if (is_repairable(error)) return text_result(core.envelope(asked), error.message, true);
  return refuse(error);
}

std::optional<ErrorAnswer> check_headers(const Asked& asked, const catalog::Tool& tool,
                                         const json::Value& arguments) {
  // Nearly no tool has one: looked for before anything is parsed.
  if (!asked.header || tool.input_schema_text.find("x-mcp-header") == std::string::npos) {
    return std::nullopt;
  }
  const auto schema = json::parse_borrowed(tool.input_schema_text);
  if (!schema) return std::nullopt;
  auto wrong = param_header_mismatch(read_param_headers(schema->root()), arguments, asked.header);
  if (!wrong) return std::nullopt;
  return header_mismatch(*std::move(wrong));
}

/// `execution.taskSupport` of 2025-11-25. Only what is said binds: who said nothing leaves it to
/// the server, as the extension does.
enum class TaskSupport : std::uint8_t { optional, required, never };
TaskSupport task_support(const catalog::Tool& tool) {
  if (tool.definition.find("\"taskSupport\"") == std::string::npos) return TaskSupport::optional;
  const auto definition = json::parse_borrowed(tool.definition);
  const json::Value* execution = definition ? definition->root().find("execution") : nullptr;
  const json::Value* support = execution == nullptr ? nullptr : execution->find("taskSupport");
  const auto said = support == nullptr ? std::nullopt : support->get_string();
  if (said == "required") return TaskSupport::required;
  return said == "forbidden" || said == "never" ? TaskSupport::never : TaskSupport::optional;
}

/// A tool may say that its callers' streams can be let go of while it works.
void heed_hint(const Asked& asked, const catalog::Tool& tool) {
  constexpr std::string_view kHint = "interline/cutStream";
  if (is_modern(asked.revision) || tool.definition.find(kHint) == std::string::npos) return;
  const auto definition = json::parse_borrowed(tool.definition);
  const json::Value* meta = definition ? definition->root().find("_meta") : nullptr;
  const json::Value* hint = meta == nullptr ? nullptr : meta->find(kHint);
  const json::Value* retry = hint == nullptr ? nullptr : hint->find("retryMs");
  if (retry == nullptr || !retry->get_int64()) return;
  asked.sink->let_go(std::chrono::milliseconds(*retry->get_int64()));
}

/// What the caller says beside the call: trace context, and keys of its own.
std::string metadata_of(const RequestMeta& meta) {
  if (!meta.whole.is_object()) return {};
  constexpr std::size_t kMost = 16'384;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const json::Member& member : meta.whole.members()) {
    const std::string_view name = member.name();
    const bool ours = name.starts_with("io.modelcontextprotocol/") ||
                      name == meta_key::kProgressToken || name == meta_key::kRequestId;
    if (!ours) writer.member(name, member.value);
  }
  writer.end_object();
  return text == "{}" || text.size() > kMost ? std::string() : text;
}

engine::Invocation invocation_of(const Asked& asked, const FoundTool& found,
                                 const CallParams& params) {
  engine::Invocation invocation;
  invocation.endpoint = found.view.name;
  invocation.tool = found.tool->name;
  invocation.arguments = std::string(params.arguments_text());
  invocation.network = kNetwork;
  invocation.request_key = std::string(asked.meta.request_key);
  invocation.replay_label = kOwnKeyLabel;
  engine::append_length_prefixed(invocation.fingerprint_head, kOwnKeyLabel);
  engine::append_length_prefixed(invocation.fingerprint_head, found.tool->name);
  invocation.metadata = metadata_of(asked.meta);
  invocation.answerable = answerable(asked.meta.capabilities);
  invocation.attached = invocation.request_key.empty();
  return invocation;
}

/// What the tool was told before: part of what is called. The state is the call's identity, so that
/// it is used once, unless the caller has one of its own.
void begin_with(engine::Invocation& invocation, const Prepared& prepared) {
  invocation.prepared = prepared.said.state;
  invocation.answers = prepared.round.answers;
  if (prepared.round.token.empty()) return;
  if (invocation.request_key.empty()) {
    invocation.request_key = prepared.round.token;
    invocation.replay_label = kStateKeyLabel;
  }
  std::string& tail = invocation.fingerprint_tail;
  for (const tasks::Answer& answer : prepared.round.answers) {
    engine::append_length_prefixed(tail, answer.key);
    engine::append_length_prefixed(tail, tasks::to_string(answer.action));
    engine::append_length_prefixed(tail, answer.value);
  }
}

/// Gives a task the answers that a state of its brings, once.
awaitable<std::optional<ErrorAnswer>> take_up(Core& core, const Asked& asked, const Round& round,
                                              const tasks::Task& task,
                                              const json::Value& responses) {
  const Digest use = use_of(asked, responses);
  const auto before = co_await was_used(core, round.token, use);
  if (!before) co_return to_answer(before.error());
  if (*before) co_return std::nullopt;
  auto answers = read_input_responses(responses, task_questions(task), asked.revision);
  if (!answers) co_return invalid_params(answers.error().message);
  std::vector<engine::RecordChange> records;
  records.push_back(first_use(core, asked, round.token, use));
  auto wrong = co_await give_answers(core, asked, task, *std::move(answers), std::move(records));
  if (wrong) co_return wrong;
  // Another retry may have been quicker.
  const auto now = co_await was_used(core, round.token, use);
  if (!now) co_return to_answer(now.error());
  co_return std::nullopt;
}

/// A retry that brings answers to a task that asked.
awaitable<Answer> go_on(Core& core, const Asked& asked, const Round& round,
                        const RetryParams& retry, bool as_task) {
  const auto now = co_await shown_task(core, asked, round.task);
  if (!now) co_return refuse(invalid_params("The task of this requestState is gone."));
  if (retry.responses != nullptr) {
    auto wrong = co_await take_up(core, asked, round, *now, *retry.responses);
    if (wrong) co_return refuse(*std::move(wrong));
  }
  Following following;
  following.task = round.task;
  following.from_start = false;
  following.as_task = as_task;
  if (as_task) following.grace = core.settings.task_grace;
  co_return co_await await_task(core, asked, std::move(following), false);
}

awaitable<Answer> begin(Core& core, const Asked& asked, engine::Invocation invocation,
                        TaskSupport support) {
  const bool own_key = !asked.meta.request_key.empty();
  const auto admission = co_await core.engine.admit(asked.who, std::move(invocation));
  if (!admission) co_return told(core, asked, admission.error());
  Following following;
  following.task = admission->task;
  following.as_task = support != TaskSupport::never && takes_tasks(asked);
  if (following.as_task) {
    const bool at_once = support == TaskSupport::required;
    following.grace = at_once ? std::chrono::milliseconds(0) : core.settings.task_grace;
  }
  co_return co_await await_task(core, asked, std::move(following), !own_key);
}

}  // namespace

awaitable<Answer> call_tool(Core& core, const Asked& asked) {
  const auto params = read_call_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  const auto found = co_await find_tool(core, asked, std::string(params->name));
  if (!found) co_return told(core, asked, found.error());
  if (auto wrong = check_headers(asked, *found->tool, params->arguments)) {
    co_return refuse(*std::move(wrong));
  }
  const TaskSupport support = task_support(*found->tool);
  const bool as_task = support != TaskSupport::never && takes_tasks(asked);
  if (params->retry.state) {
    const auto round = open_round(core, asked, params->retry);
    if (!round) co_return refuse(round.error());
    if (!round->task.empty()) {
      co_return co_await go_on(core, asked, *round, params->retry, as_task);
    }
  }
  if (support == TaskSupport::required && is_modern(asked.revision) && !as_task) {
    ClientCapabilities needed;
    needed.add(ClientCapability::tasks);
    co_return refuse(missing_capability(needed));
  }
  heed_hint(asked, *found->tool);
  engine::Invocation invocation = invocation_of(asked, *found, *params);
  if (found->view.offers.has(engine::ConsultationKind::prepare)) {
    if (auto wrong = check_arguments(*found->tool, params->arguments)) {
      co_return told(core, asked, *wrong);
    }
    engine::Consultation consultation;
    consultation.kind = engine::ConsultationKind::prepare;
    consultation.subject = found->tool->name;
    consultation.params = invocation.arguments;
    consultation.metadata = invocation.metadata;
    const Prepared prepared =
        co_await consult(core, asked, found->view.name, std::move(consultation), params->retry);
    if (prepared.answer) co_return *prepared.answer;
    if (prepared.error) co_return told(core, asked, *prepared.error);
    begin_with(invocation, prepared);
  }
  const bool transient =
      !found->view.durable && invocation.request_key.empty() && !invocation.prepared && !as_task;
  if (transient) co_return co_await run_transient(core, asked, std::move(invocation));
  co_return co_await begin(core, asked, std::move(invocation), support);
}

}  // namespace interline::protocols::mcp::server

#include "runtimes/builtin/tools.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::builtin {
namespace {

using std::chrono::milliseconds;
using WorkPointer = std::shared_ptr<Work>;

std::string text_of(const json::Value& arguments, std::string_view name,
                    std::string_view otherwise) {
  const json::Value* value = arguments.find(name);
  return std::string(value == nullptr ? otherwise : value->as_string());
}

double number_of(const json::Value& arguments, std::string_view name, double otherwise) {
  const json::Value* value = arguments.find(name);
  return value == nullptr ? otherwise : value->as_double();
}

bool flag_of(const json::Value& arguments, std::string_view name) {
  const json::Value* value = arguments.find(name);
  return value != nullptr && value->as_bool();
}

/// A result of one text and a structured object.
std::string result_of(std::string_view text, std::string_view structured) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  writer.name("content");
  writer.begin_array();
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", text);
  writer.end_object();
  writer.end_array();
  writer.raw_member("structuredContent", structured);
  writer.end_object();
  return out;
}

/// The usual way of taking a cancellation: stop and confirm.
void confirm_cancellation(const WorkPointer& work) {
  engine::JobCallbacks callbacks;
  callbacks.on_cancel = [work](const std::optional<std::string>& reason) {
    work->on_strand([work, reason] {
      work->stop();
      work->job->cancelled(reason);
    });
  };
  callbacks.on_stop = [work] { work->on_strand([work] { work->stop(); }); };
  callbacks.on_input = [work](const tasks::Answer& answer) {
    work->on_strand([work, answer] {
      work->answers.push_back(answer.action == tasks::AnswerAction::accept ? answer.value
                                                                           : std::string("null"));
      if (--work->step > 0) return;
      std::string structured;
      json::Writer writer(structured);
      writer.begin_object();
      writer.name("answers");
      writer.begin_array();
      for (const std::string& value : work->answers) writer.raw(value);
      writer.end_array();
      writer.end_object();
      work->stop();
      work->job->complete(result_of("Thank you.", structured));
    });
  };
  work->job->listen(std::move(callbacks));
}

void echo(const WorkPointer& work, const json::Value& arguments) {
  work->job->complete(result_of(arguments.source(), arguments.source()));
}

/// One percent report each step, then the end.
void sleep_step(const WorkPointer& work, int steps, milliseconds pause) {
  if (work->step == steps) {
    work->job->complete(result_of("Slept.", "{}"));
    return;
  }
  work->after(pause, [work, steps, pause] {
    ++work->step;
    engine::ProgressReport report;
    report.percent = 100.0 * work->step / steps;
    report.stage = "step " + std::to_string(work->step) + " of " + std::to_string(steps);
    if (work->step < steps) work->job->progress(std::move(report));
    sleep_step(work, steps, pause);
  });
}

void sleep(const WorkPointer& work, const json::Value& arguments) {
  confirm_cancellation(work);
  const int steps = static_cast<int>(number_of(arguments, "steps", 1));
  const double total = number_of(arguments, "milliseconds", 1'000);
  sleep_step(work, steps, milliseconds(static_cast<std::int64_t>(total / steps)));
}

engine::AskedQuestion question_of(const json::Value& arguments, std::string key) {
  engine::AskedQuestion question;
  question.key = std::move(key);
  question.text = text_of(arguments, "question", "What is your name?");
  const json::Value* schema = arguments.find("schema");
  question.schema = std::string(schema == nullptr ? R"({"type":"string"})" : schema->source());
  question.kind = *tasks::question_kind_named(text_of(arguments, "kind", "form"));
  question.url = text_of(arguments, "url", "");
  question.expires_in =
      milliseconds(static_cast<std::int64_t>(number_of(arguments, "expiresInMilliseconds", 0)));
  question.reasks = static_cast<std::uint32_t>(number_of(arguments, "reasks", 0));
  return question;
}

void refused(const WorkPointer& work, const Error& error) {
  work->job->fail(tasks::Failure("ask-refused", error.message, false));
}

/// The work comes again, with what it left and the answers it waited for.
void come_back(const WorkPointer& work) {
  const engine::JobInput& input = work->job->input();
  std::string structured;
  json::Writer writer(structured);
  writer.begin_object();
  writer.raw_member("state", input.state->empty() ? "null" : *input.state);
  writer.name("answers");
  writer.begin_array();
  for (const tasks::Answer& answer : input.answers) {
    writer.raw(answer.action == tasks::AnswerAction::accept ? answer.value : "null");
  }
  writer.end_array();
  writer.end_object();
  work->job->complete(result_of("Welcome back.", structured));
}

void ask(const WorkPointer& work, const json::Value& arguments) {
  if (work->job->input().state) return come_back(work);
  confirm_cancellation(work);
  std::vector<engine::AskedQuestion> questions;
  const int count = static_cast<int>(number_of(arguments, "count", 1));
  for (int i = 1; i <= count; ++i) {
    questions.push_back(question_of(arguments, "question-" + std::to_string(i)));
  }
  work->step = count;
  std::optional<std::string> state;
  if (flag_of(arguments, "suspend")) state = R"({"left":"here"})";
  work->job->ask(std::move(questions), std::move(state),
                 [work](const Error& error) { refused(work, error); });
}

void fail(const WorkPointer& work, const json::Value& arguments) {
  if (flag_of(arguments, "isError")) {
    work->job->complete(
        R"({"content":[{"type":"text","text":"It did not work."}],"isError":true})");
    return;
  }
  work->job->fail(tasks::Failure(text_of(arguments, "code", "builtin-failure"),
                                 text_of(arguments, "message", "Failed as it was told to."),
                                 flag_of(arguments, "retryable")));
}

void output(const WorkPointer& work, const json::Value& arguments) {
  const int chunks = static_cast<int>(number_of(arguments, "chunks", 3));
  for (int i = 1; i <= chunks; ++i) {
    tasks::ArtifactChunk chunk;
    chunk.artifact = "story";
    chunk.parts = R"([{"type":"text","text":"part )" + std::to_string(i) + R"( "}])";
    chunk.append = i > 1;
    chunk.last = i == chunks;
    work->job->output(std::move(chunk));
    work->job->log("info", R"("part )" + std::to_string(i) + R"( is written")");
  }
  work->job->complete(result_of("Written.", "{}"));
}

void never(const WorkPointer& work, const json::Value& arguments) {
  if (flag_of(arguments, "deaf")) {  // takes no cancellation: only time or an operator ends it
    engine::JobCallbacks callbacks;
    callbacks.on_stop = [work] { work->on_strand([work] { work->stop(); }); };
    work->job->listen(std::move(callbacks));
    return;
  }
  confirm_cancellation(work);
}

/// Called with what was prepared, or without: then it never was.
void prepare_then(const WorkPointer& work, const json::Value&) {
  if (work->job->input().state) return come_back(work);
  work->job->fail(tasks::Failure("not-prepared", "It was called without being prepared.", false));
}

void change(const WorkPointer& work, const json::Value& arguments) {
  constexpr std::array<std::string_view, 4> kKinds = {"tools", "prompts", "resources", "resource"};
  const auto* const kind = std::ranges::find(kKinds, text_of(arguments, "what", "tools"));
  work->agent->change(static_cast<engine::ChangeKind>(kind - kKinds.begin()),
                      text_of(arguments, "uri", "builtin://count"));
  work->job->complete(result_of("Changed.", "{}"));
}

// clang-format off
constexpr std::array<ToolRow, 10> kTools = {{
    {"ask", R"json({"name":"ask","title":"Ask","description":"Asks one or more questions and returns the answers.","inputSchema":{"type":"object","properties":{"question":{"type":"string","minLength":1},"schema":{"type":"object"},"kind":{"enum":["form","url","credential","sampling","roots"]},"url":{"type":"string"},"count":{"type":"integer","minimum":1,"maximum":8},"expiresInMilliseconds":{"type":"integer","minimum":1},"reasks":{"type":"integer","minimum":0},"suspend":{"type":"boolean"}},"additionalProperties":false},"urn:xmpp:agent-api:0":{"supportsInput":true,"supportsCancellation":true,"supportsProgress":true}})json", ask},
    {"change", R"json({"name":"change","title":"Change","description":"Makes the agent different, and says so to who listens.","inputSchema":{"type":"object","properties":{"what":{"enum":["tools","prompts","resources","resource"]},"uri":{"type":"string"}},"additionalProperties":false}})json", change, true},
    {"echo", R"json({"name":"echo","title":"Echo","description":"Returns its arguments.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"idempotentHint":true},"urn:xmpp:agent-api:0":{"supportsProgress":true}})json", echo},
    {"fail", R"json({"name":"fail","title":"Fail","description":"Fails, with a code and a message, or with an error result.","inputSchema":{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"},"retryable":{"type":"boolean"},"isError":{"type":"boolean"}},"additionalProperties":false}})json", fail},
    {"late", R"json({"name":"late","title":"Late","description":"Is there after the tools were changed, and gone after the next time.","inputSchema":{"type":"object"}})json", echo, true},
    {"never", R"json({"name":"never","title":"Never","description":"Never ends by itself.","inputSchema":{"type":"object","properties":{"deaf":{"type":"boolean"}},"additionalProperties":false},"urn:xmpp:agent-api:0":{"supportsCancellation":true,"supportsProgress":true}})json", never},
    {"output", R"json({"name":"output","title":"Output","description":"Publishes an artifact in chunks.","inputSchema":{"type":"object","properties":{"chunks":{"type":"integer","minimum":1,"maximum":100}},"additionalProperties":false},"urn:xmpp:agent-api:0":{"supportsProgress":true}})json", output},
    {"prepare_then", R"json({"name":"prepare_then","title":"Prepare, then","description":"Asks for a colour before it is called, where its caller can be asked then.","inputSchema":{"type":"object","properties":{}},"urn:xmpp:agent-api:0":{"supportsProgress":true}})json", prepare_then, true},
    {"sleep", R"json({"name":"sleep","title":"Sleep","description":"Waits, and reports progress at each step.","inputSchema":{"type":"object","properties":{"milliseconds":{"type":"integer","minimum":0,"maximum":86400000},"steps":{"type":"integer","minimum":1,"maximum":1000}},"additionalProperties":false},"urn:xmpp:agent-api:0":{"supportsProgress":true,"supportsCancellation":true}})json", sleep},
    {"wait", R"json({"name":"wait","title":"Wait","description":"Waits without a word.","inputSchema":{"type":"object","properties":{"milliseconds":{"type":"integer","minimum":0,"maximum":86400000}},"additionalProperties":false},"urn:xmpp:agent-api:0":{"supportsCancellation":true}})json", sleep},
}};
// clang-format on

}  // namespace

std::span<const ToolRow> tools() {
  return kTools;
}

}  // namespace interline::runtimes::builtin

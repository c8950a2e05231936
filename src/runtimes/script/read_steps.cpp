#include "runtimes/script/read_steps.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "runtimes/script/durations.hpp"
#include "runtimes/script/read_content.hpp"
#include "schema/schema.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::size_t kMostSteps = 1'000;
constexpr std::size_t kMostQuestions = 32;
constexpr std::size_t kLongestKey = 128;
constexpr std::int64_t kDefaultMaxTokens = 1'000;
constexpr std::string_view kAnyForm = R"({"type":"object","properties":{}})";

// --- questions -----------------------------------------------------------------------------------

JsonTemplate read_form_schema(Fields& fields) {
  std::string schema = fields.object("schema");
  if (schema.empty()) return JsonTemplate::verbatim(std::string(kAnyForm));
  const auto parsed = json::parse_borrowed(schema);
  if (!parsed) {
    fields.wrong("schema", "I-JSON; it has, " + json::to_string(parsed.error()));
  } else if (const auto compiled = schema::Schema::compile(parsed->root()); !compiled) {
    fields.wrong("schema", "a JSON Schema: " + schema::to_string(compiled.error()));
  }
  return JsonTemplate::verbatim(std::move(schema));
}

/// The params of sampling/createMessage, from a prompt or as they are.
JsonTemplate read_sampling(Fields& fields, TextTemplate& text) {
  const json::Value* value = fields.get("sampling");
  if (!value->is_string()) {
    if (!value->is_object() || value->find("messages") == nullptr ||
        value->find("maxTokens") == nullptr) {
      fields.wrong("sampling", "a prompt, or a table with messages and maxTokens");
    }
    return fields.json_template("sampling", Whole::text);
  }
  text = fields.text_template("sampling");
  std::string params;
  json::Writer writer(params);
  writer.begin_object();
  writer.name("messages");
  writer.begin_array();
  writer.begin_object();
  writer.member("role", "user");
  writer.name("content");
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", value->as_string());
  writer.end_object();
  writer.end_object();
  writer.end_array();
  writer.member("maxTokens", fields.integer("max_tokens").value_or(kDefaultMaxTokens));
  writer.end_object();
  const auto parsed = json::parse_borrowed(params);
  if (!parsed) return {};
  return JsonTemplate::read(parsed->root(), Whole::text).value_or(JsonTemplate());
}

Question read_question(Reading& reading, const json::Member& member, const std::string& path) {
  Question question;
  question.key = std::string(member.name());
  Fields fields(reading, member.value, path + " question \"" + question.key + "\"");
  if (question.key.empty() || question.key.size() > kLongestKey) {
    fields.mistake("a key has 1 to " + std::to_string(kLongestKey) + " bytes");
  }
  const std::string_view kind = fields.one_of({"form", "url", "sampling", "roots"});
  if (kind == "form") {
    question.text = fields.text_template("form");
    question.schema = read_form_schema(fields);
  } else if (kind == "url") {
    question.kind = tasks::QuestionKind::url;
    question.text = fields.text_template("message");
    question.url = fields.text_template("url");
  } else if (kind == "sampling") {
    question.kind = tasks::QuestionKind::sampling;
    question.schema = read_sampling(fields, question.text);
  } else if (kind == "roots") {
    question.kind = tasks::QuestionKind::roots;
    question.text = fields.text_template("roots");
  }
  question.expires_in = fields.duration("expires");
  question.optional = fields.flag("optional");
  fields.finish();
  return question;
}

Step::Action read_ask(Fields& fields) {
  Ask ask;
  const json::Value* table = fields.get("ask");
  if (!table->is_object() || table->size() == 0 || table->size() > kMostQuestions) {
    fields.wrong("ask",
                 "a table of questions, each under its key, for example: { name = { form = "
                 "\"What is your name?\" } }");
    return ask;
  }
  for (const json::Member& member : table->members()) {
    ask.questions.push_back(read_question(fields.reading(), member, fields.path()));
  }
  return ask;
}

// --- the other steps -----------------------------------------------------------------------------

Step::Action read_structured(Fields& fields) {
  return Structured{fields.json_template("structured", Whole::value)};
}

Step::Action read_wait(Fields& fields) {
  Wait wait{fields.text_template("wait")};
  const bool fixed = !wait.duration.has_placeholders();
  if (fixed && !read_duration(wait.duration.fill(Known(Known::Parts())))) {
    fields.wrong("wait", R"(a duration up to "24h", in ms, s, m or h, for example "50ms")");
  }
  return wait;
}

Step::Action read_progress(Fields& fields) {
  ReportProgress progress;
  progress.percent = fields.number("progress", 0, 100).value_or(0);
  progress.message = fields.text_template("message");
  return progress;
}

Step::Action read_log(Fields& fields) {
  Log log;
  log.level = fields.choice(
      "level", {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"});
  if (log.level.empty()) log.level = "info";
  log.data = fields.json_template("log", Whole::text);
  return log;
}

Step::Action read_change(Fields& fields) {
  using engine::ChangeKind;
  Change change;
  const json::Value* value = fields.get("change");
  if (value->is_object()) {
    Fields inner(fields.reading(), *value, fields.path() + " change");
    change.change.kind = ChangeKind::resource;
    change.change.uri = inner.required_text("resource");
    inner.finish();
    return change;
  }
  const std::string word = fields.choice("change", {"tools", "prompts", "resources"});
  if (word.empty())
    fields.wrong("change", R"("tools", "prompts", "resources", or { resource = URI })");
  change.change.kind = word == "prompts"     ? ChangeKind::prompts
                       : word == "resources" ? ChangeKind::resources
                                             : ChangeKind::tools;
  return change;
}

Step::Action read_tool_error(Fields& fields) {
  return ToolError{fields.text_template("tool_error")};
}

Step::Action read_protocol_error(Fields& fields) {
  ProtocolError error;
  Fields inner(fields.reading(), *fields.get("protocol_error"), fields.path() + " protocol_error");
  const auto code = inner.integer("code");
  if (!code && !inner.has("code")) inner.mistake("needs code, for example: code = -32603");
  error.code = code.value_or(0);
  error.message = inner.text_template("message");
  error.data = inner.json_template("data", Whole::value);
  if (const json::Value* data = inner.get("data"); data != nullptr && !data->is_object()) {
    inner.wrong("data", "a table");
  }
  inner.finish();
  return error;
}

Step::Action read_say(Fields& fields, std::string_view kind) {
  return Say{read_block(fields, kind)};
}

struct StepRow {
  std::string_view key;
  Step::Action (*read)(Fields&);
};
constexpr std::array<StepRow, 8> kSteps = {{{"ask", read_ask},
                                            {"structured", read_structured},
                                            {"wait", read_wait},
                                            {"progress", read_progress},
                                            {"log", read_log},
                                            {"change", read_change},
                                            {"tool_error", read_tool_error},
                                            {"protocol_error", read_protocol_error}}};

constexpr auto kStepKeys = [] {
  std::array<std::string_view, kBlockKeys.size() + kSteps.size()> keys{};
  const auto after = std::ranges::copy(kBlockKeys, keys.begin()).out;
  std::ranges::transform(kSteps, after, &StepRow::key);
  return keys;
}();

std::optional<Condition> read_condition(Fields& fields) {
  const bool negated = fields.has("unless");
  const json::Value* table = fields.get("when");
  if (const json::Value* unless = fields.get("unless"); unless != nullptr) {
    if (table != nullptr) fields.mistake("unless", "has both when and unless; remove one");
    table = unless;
  }
  if (table == nullptr) return std::nullopt;
  Condition condition;
  condition.negated = negated;
  Fields inner(fields.reading(), *table, fields.path() + (negated ? " unless" : " when"));
  const std::string_view key = inner.one_of({"answerable", "accepted"});
  if (key == "answerable") {
    const std::string kind = inner.choice("answerable", {"form", "url", "sampling", "roots"});
    condition.answerable = tasks::question_kind_named(kind);
  } else if (key == "accepted") {
    condition.accepted = inner.required_text("accepted");
  }
  inner.finish();
  return condition;
}

Step read_step(Reading& reading, const json::Value& value, std::string path, StepsOf of) {
  Step step;
  Fields fields(reading, value, std::move(path));
  if (of == StepsOf::prepare) {
    if (!fields.one_of({"ask"}).empty()) step.action = read_ask(fields);
  } else {
    const std::string_view kind = fields.one_of(kStepKeys);
    const auto row = std::ranges::find(kSteps, kind, &StepRow::key);
    if (row != kSteps.end()) {
      step.action = row->read(fields);
    } else if (!kind.empty()) {
      step.action = read_say(fields, kind);
    }
  }
  step.condition = read_condition(fields);
  fields.finish();
  return step;
}

}  // namespace

std::vector<Step> read_steps(Fields& fields, std::string_view key, StepsOf of) {
  std::vector<Step> steps;
  for (const json::Value* value : fields.list(key, kMostSteps)) {
    std::string path =
        fields.path() + " " + std::string(key) + "[" + std::to_string(steps.size() + 1) + "]";
    steps.push_back(read_step(fields.reading(), *value, std::move(path), of));
  }
  return steps;
}

}  // namespace interline::runtimes::script

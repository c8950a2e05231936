#include "runtimes/exec/protocol.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::exec {
namespace {

std::string line_of(std::string_view type, std::string_view handle) {
  std::string line;
  json::Writer writer(line);
  writer.begin_object();
  writer.member("type", type);
  writer.member("task", handle);
  writer.end_object();
  return line;
}

void write_answer(json::Writer& writer, std::string_view key, tasks::AnswerAction action,
                  std::string_view value) {
  writer.member("requestId", key);
  if (action != tasks::AnswerAction::accept) writer.member("action", tasks::to_string(action));
  if (!value.empty()) writer.raw_member("value", value);
}

}  // namespace

std::string list_line() {
  return R"({"type":"list"})";
}

std::string call_line(const engine::JobInput& input) {
  std::string line;
  json::Writer writer(line);
  writer.begin_object();
  writer.member("type", "call");
  writer.member("task", input.handle);
  writer.member("tool", input.tool);
  writer.raw_member("arguments", input.arguments);
  if (input.deadline) writer.member("deadline", input.deadline->canonical());
  if (!input.metadata.empty()) writer.raw_member("metadata", input.metadata);
  if (input.state) {
    writer.raw_member("state", *input.state);
    writer.name("answers");
    writer.begin_array();
    for (const tasks::Answer& answer : input.answers) {
      writer.begin_object();
      write_answer(writer, answer.key, answer.action, answer.value);
      writer.end_object();
    }
    writer.end_array();
  }
  writer.end_object();
  return line;
}

std::string input_line(std::string_view handle, const tasks::Answer& answer) {
  std::string line;
  json::Writer writer(line);
  writer.begin_object();
  writer.member("type", "input");
  writer.member("task", handle);
  write_answer(writer, answer.key, answer.action, answer.value);
  writer.end_object();
  return line;
}

std::string refused_line(std::string_view handle, std::string_view key, std::string_view reason) {
  std::string line;
  json::Writer writer(line);
  writer.begin_object();
  writer.member("type", "input");
  writer.member("task", handle);
  writer.member("requestId", key);
  writer.member("action", "cancel");
  writer.member("reason", reason);
  writer.end_object();
  return line;
}

std::string cancel_line(std::string_view handle) {
  return line_of("cancel", handle);
}

// --- reading
// ----------------------------------------------------------------------------------------

namespace {

std::unexpected<Error> wrong(std::string what) {
  return fail(ErrorKind::malformed, "A line of the agent is refused: " + std::move(what));
}

/// An optional member of a type: false if it is there with another one.
bool read_text(const json::Value& root, std::string_view name, std::optional<std::string>& out) {
  const json::Value* value = root.find(name);
  if (value == nullptr || value->is_null()) return true;
  if (!value->is_string()) return false;
  out = value->as_string();
  return true;
}

bool read_number(const json::Value& root, std::string_view name, std::optional<double>& out) {
  const json::Value* value = root.find(name);
  if (value == nullptr || value->is_null()) return true;
  if (!value->is_number()) return false;
  out = value->as_double();
  return true;
}

bool read_flag(const json::Value& root, std::string_view name, bool& out) {
  const json::Value* value = root.find(name);
  if (value == nullptr || value->is_null()) return true;
  if (!value->is_boolean()) return false;
  out = value->as_bool();
  return true;
}

Result<Body> read_tools(const json::Value& root) {
  const json::Value* tools = root.find("tools");
  if (tools == nullptr || !tools->is_array()) return wrong("\"tools\" is an array");
  ToolsMessage message;
  for (const json::Value& tool : tools->items()) {
    if (!tool.is_object()) return wrong("\"tools\" is an array of objects");
    message.definitions.emplace_back(tool.source());
  }
  return message;
}

Result<Body> read_progress(const json::Value& root) {
  ProgressMessage message;
  const bool read = read_number(root, "percent", message.report.percent) &&
                    read_text(root, "stage", message.report.stage) &&
                    read_text(root, "message", message.report.message);
  if (!read) return wrong("progress has a number and two strings");
  return message;
}

// RFC 5424's severities, in the words of MCP's logging levels.
constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

Result<Body> read_log(const json::Value& root) {
  std::optional<std::string> level;
  if (!read_text(root, "level", level)) return wrong("\"level\" is a string");
  const json::Value* data = root.find("data");
  LogMessage message;
  const bool known = level && std::ranges::find(kLevels, *level) != kLevels.end();
  message.level = known ? *level : std::string("info");
  message.data = data == nullptr ? std::string("null") : std::string(data->source());
  return message;
}

Result<Body> read_output(const json::Value& root) {
  OutputMessage message;
  std::optional<std::string> artifact;
  const json::Value* parts = root.find("parts");
  const bool read = read_text(root, "artifact", artifact) &&
                    read_flag(root, "append", message.chunk.append) &&
                    read_flag(root, "last", message.chunk.last);
  if (!read || !artifact || artifact->empty() || artifact->size() > 256) {
    return wrong("output names its artifact in at most 256 bytes");
  }
  if (parts == nullptr || !parts->is_array()) return wrong("\"parts\" is an array");
  message.chunk.artifact = *std::move(artifact);
  message.chunk.parts = parts->source();
  return message;
}

Result<Body> read_ask(const json::Value& root) {
  AskMessage message;
  std::optional<std::string> id;
  std::optional<std::string> kind;
  std::optional<std::string> text;
  std::optional<std::string> url;
  std::optional<double> seconds;
  const bool read = read_text(root, "id", id) && read_text(root, "kind", kind) &&
                    read_text(root, "question", text) && read_text(root, "url", url) &&
                    read_number(root, "expiresIn", seconds);
  if (!read || !text || text->empty()) return wrong("an ask has a \"question\"");
  const auto known = tasks::question_kind_named(kind.value_or("form"));
  if (!known || *known > tasks::QuestionKind::credential) {
    return wrong("\"kind\" is form, url or credential");
  }
  constexpr double kLongest = 366.0 * 24 * 3600;
  if (seconds && !(*seconds > 0 && *seconds <= kLongest)) {
    return wrong("\"expiresIn\" is a positive number of seconds, at most a year");
  }
  engine::AskedQuestion& question = message.question;
  question.key = id.value_or("");
  question.kind = *known;
  question.text = *std::move(text);
  question.url = url.value_or("");
  if (const json::Value* schema = root.find("schema")) question.schema = schema->source();
  if (seconds) {
    question.expires_in = std::chrono::nanoseconds(std::llround(*seconds * 1e9));
  }
  if (const json::Value* state = root.find("state")) message.state = state->source();
  return message;
}

Result<Body> read_result(const json::Value& root) {
  ResultMessage message;
  const json::Value* result = root.find("result");
  const json::Value* text = root.find("text");
  if (result != nullptr && result->is_object()) {
    message.result = result->source();
    return message;
  }
  if (result != nullptr || text == nullptr || !text->is_string()) {
    return wrong("a result has \"result\", an object, or \"text\", a string");
  }
  json::Writer writer(message.result);
  writer.begin_object();
  writer.name("content");
  writer.begin_array();
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", *text);
  writer.end_object();
  writer.end_array();
  writer.end_object();
  return message;
}

Result<Body> read_error(const json::Value& root) {
  ErrorMessage message;
  std::optional<std::string> code;
  std::optional<std::string> text;
  const bool read = read_text(root, "code", code) && read_text(root, "message", text) &&
                    read_flag(root, "retryable", message.failure.retryable);
  if (!read || !text) return wrong("an error has a \"message\"");
  message.failure.code = code.value_or(std::string(tasks::failure_code::kInternalError));
  if (message.failure.code == tasks::failure_code::kResultTooLarge) {  // ours alone to say
    message.failure.code = tasks::failure_code::kInternalError;
  }
  message.failure.message = *std::move(text);
  return message;
}

Result<Body> read_cancelled(const json::Value&) {
  return CancelledMessage{};
}

struct Row {
  std::string_view type;
  Result<Body> (*read)(const json::Value&);
};

constexpr std::array<Row, 8> kRows = {{
    {"tools", read_tools},
    {"progress", read_progress},
    {"log", read_log},
    {"output", read_output},
    {"ask", read_ask},
    {"result", read_result},
    {"error", read_error},
    {"cancelled", read_cancelled},
}};

}  // namespace

// A result may be as deep as the engine keeps; a few levels more for what is around it.
constexpr std::size_t kDepth = 80;

Result<Message> read_line(std::string_view line) {
  json::Limits limits;
  limits.bytes = line.size();
  limits.string_bytes = line.size();
  limits.depth = kDepth;
  const auto document = json::parse_borrowed(line, limits, json::Numbers::faithful);
  if (!document) return wrong(json::to_string(document.error()));
  const json::Value& root = document->root();
  const json::Value* type = root.find("type");
  if (type == nullptr || !type->is_string()) return wrong("it is no object with a \"type\"");
  const auto row = std::ranges::find(kRows, type->as_string(), &Row::type);
  if (row == kRows.end()) return wrong("its \"type\" is none of this protocol");
  Message message;
  const json::Value* task = root.find("task");
  if (task != nullptr && task->is_string()) message.task = task->as_string();
  if (message.task.empty() && row->type != "tools") return wrong("it names no \"task\"");
  auto body = row->read(root);
  if (!body) return std::unexpected(std::move(body.error()));
  message.body = *std::move(body);
  return message;
}

}  // namespace interline::runtimes::exec

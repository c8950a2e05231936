#include "protocols/mcp/client.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "json/writer.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {
namespace {

std::unexpected<Error> wrong(std::string what) {
  return fail(ErrorKind::malformed, "The MCP server's message is refused: " + std::move(what));
}

const json::Value* text_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_string() ? value : nullptr;
}

const json::Value* object_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_object() ? value : nullptr;
}

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

}  // namespace

std::string initialize_params(std::string_view client_version, bool answers_forms) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("protocolVersion", kInitializedVersions.front());
  writer.name("capabilities");
  writer.begin_object();
  // An empty object is form mode alone, in every revision that has elicitation.
  if (answers_forms) writer.raw_member("elicitation", "{}");
  writer.end_object();
  writer.name("clientInfo");
  writer.begin_object();
  writer.member("name", "interline");
  writer.member("title", "Interline");
  writer.member("version", client_version);
  writer.end_object();
  writer.end_object();
  return text;
}

std::string list_params(std::string_view cursor) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  if (!cursor.empty()) writer.member("cursor", cursor);
  writer.end_object();
  return text;
}

std::string call_params(std::string_view tool, std::string_view arguments, std::string_view token) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", tool);
  writer.raw_member("arguments", arguments);
  writer.name("_meta");
  writer.begin_object();
  writer.raw_member("progressToken", token);
  writer.end_object();
  writer.end_object();
  return text;
}

std::string cancelled_params(std::string_view id, std::string_view reason) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.raw_member("requestId", id);
  if (!reason.empty()) writer.member("reason", reason);
  writer.end_object();
  return text;
}

std::string elicit_result(std::string_view action, std::string_view content) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("action", action);
  if (!content.empty()) writer.raw_member("content", content);
  writer.end_object();
  return text;
}

Result<ServerHello> read_initialize_result(const json::Value& result) {
  const json::Value* version = text_member(result, "protocolVersion");
  const json::Value* capabilities = object_member(result, "capabilities");
  const json::Value* info = object_member(result, "serverInfo");
  if (version == nullptr || capabilities == nullptr) {
    return wrong("initialize is answered with \"protocolVersion\" and \"capabilities\"");
  }
  if (!is_initialized_version(version->as_string())) {
    return fail(ErrorKind::not_acceptable,
                "The MCP server speaks a revision that this gateway does not.");
  }
  ServerHello hello;
  hello.version = version->as_string();
  hello.has_tools = object_member(*capabilities, "tools") != nullptr;
  if (info != nullptr) {
    if (const auto* name = text_member(*info, "name")) hello.name = name->as_string();
    if (const auto* own = text_member(*info, "version")) {
      hello.implementation_version = own->as_string();
    }
  }
  return hello;
}

Result<ToolsPage> read_tools_page(const json::Value& result) {
  const json::Value* tools = result.find("tools");
  if (tools == nullptr || !tools->is_array()) return wrong("\"tools\" is an array");
  ToolsPage page;
  for (const json::Value& tool : tools->items()) {
    if (!tool.is_object()) return wrong("\"tools\" is an array of objects");
    page.definitions.push_back(tool.source());
  }
  const json::Value* cursor = result.find("nextCursor");
  if (cursor == nullptr || cursor->is_null()) return page;
  if (!cursor->is_string()) return wrong("\"nextCursor\" is a string");
  page.next_cursor = cursor->as_string();
  return page;
}

bool needs_server_task(const json::Value& tool) {
  const json::Value* execution = object_member(tool, "execution");
  const json::Value* support =
      execution == nullptr ? nullptr : text_member(*execution, "taskSupport");
  return support != nullptr && support->as_string() == "required";
}

Result<Progress> read_progress(const json::Value& params) {
  const json::Value* token = params.find("progressToken");
  const json::Value* done = params.find("progress");
  if (token == nullptr || done == nullptr || !done->is_number()) {
    return wrong("progress has a \"progressToken\" and a number");
  }
  Progress progress;
  progress.token = token->source();
  const json::Value* total = params.find("total");
  const double whole = total != nullptr && total->is_number() ? total->as_double() : 0;
  const double percent = 100 * done->as_double() / whole;
  if (whole > 0 && std::isfinite(percent)) progress.percent = std::clamp(percent, 0.0, 100.0);
  if (const auto* message = text_member(params, "message")) {
    progress.message = message->as_string();
  } else if (!progress.percent) {
    progress.message = done->source();
  }
  return progress;
}

Result<LogLine> read_log(const json::Value& params) {
  const json::Value* level = text_member(params, "level");
  const json::Value* data = params.find("data");
  if (level == nullptr || data == nullptr) return wrong("a log message has \"level\" and \"data\"");
  LogLine line;
  const auto known = std::ranges::find(kLevels, level->as_string());
  line.level = known == kLevels.end() ? std::string_view("info") : *known;
  line.data = data->source();
  return line;
}

Result<Elicitation> read_elicitation(const json::Value& params) {
  const json::Value* mode = params.find("mode");
  if (mode != nullptr && (!mode->is_string() || mode->as_string() != "form")) {
    return fail(ErrorKind::not_acceptable, "Only forms are answered here.");
  }
  const json::Value* message = text_member(params, "message");
  const json::Value* schema = object_member(params, "requestedSchema");
  if (message == nullptr || schema == nullptr) {
    return wrong("an elicitation has a \"message\" and a \"requestedSchema\"");
  }
  return Elicitation{message->as_string(), schema->source()};
}

}  // namespace interline::protocols::mcp

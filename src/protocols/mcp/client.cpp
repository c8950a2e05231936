#include "protocols/mcp/client.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

Result<ListPage> read_list_page(const json::Value& result, std::string_view member) {
  const json::Value* items = result.find(member);
  if (items == nullptr || !items->is_array()) return wrong("a list has its array");
  ListPage page;
  for (const json::Value& item : items->items()) {
    if (!item.is_object()) return wrong("a list is an array of objects");
    page.items.push_back(item);
  }
  const json::Value* cursor = result.find("nextCursor");
  if (cursor == nullptr || cursor->is_null()) return page;
  if (!cursor->is_string()) return wrong("\"nextCursor\" is a string");
  page.next_cursor = std::string(cursor->as_string());
  return page;
}

bool needs_server_task(const json::Value& tool) {
  const json::Value* execution = object_member(tool, "execution");
  const json::Value* support =
      execution == nullptr ? nullptr : text_member(*execution, "taskSupport");
  return support != nullptr && support->as_string() == "required";
}

Result<ResultType> result_type(const json::Value& result) {
  const json::Value* type = result.find("resultType");
  if (type == nullptr) return ResultType::complete;
  const std::string_view word = type->get_string().value_or("");
  if (word == "complete") return ResultType::complete;
  if (word == "input_required") return ResultType::input_required;
  if (word == "task") return ResultType::task;
  return wrong("its \"resultType\" is not known here");
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

}  // namespace interline::protocols::mcp

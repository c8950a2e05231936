#include "protocols/mcp/client_task.hpp"

#include <algorithm>
#include <array>

namespace interline::protocols::mcp {
namespace {

constexpr std::size_t kLongestId = 1'024;

/// By TaskStatus.
constexpr std::array<std::string_view, 5> kStatuses = {"working", "input_required", "completed",
                                                       "failed", "cancelled"};

std::unexpected<Error> wrong(std::string_view what) {
  return fail(ErrorKind::malformed, "The MCP server's task is refused: " + std::string(what));
}

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

Result<void> read_payload(const json::Value& object, ServerTask& task) {
  if (task.status == TaskStatus::input_required) {
    const json::Value* requests = object.find("inputRequests");
    if (requests == nullptr || !requests->is_object()) return wrong("it asks nothing");
    task.input_requests = *requests;
  } else if (task.status == TaskStatus::completed) {
    const json::Value* result = object.find("result");
    if (result == nullptr || !result->is_object()) return wrong("it has no \"result\"");
    task.result = *result;
  } else if (task.status == TaskStatus::failed) {
    const json::Value* error = object.find("error");
    const json::Value* code = error == nullptr ? nullptr : error->find("code");
    if (code == nullptr || !code->get_int64()) return wrong("it has no \"error\"");
    task.code = *code->get_int64();
    task.error = text_of(*error, "message");
  }
  return {};
}

}  // namespace

Result<ServerTask> read_server_task(const json::Value& object, bool whole) {
  ServerTask task;
  task.id = text_of(object, "taskId");
  if (task.id.empty() || task.id.size() > kLongestId) return wrong("it has no \"taskId\"");
  const auto* const status = std::ranges::find(kStatuses, text_of(object, "status"));
  if (status == kStatuses.end()) return wrong("its \"status\" is not known here");
  task.status = static_cast<TaskStatus>(status - kStatuses.begin());
  task.message = text_of(object, "statusMessage");
  const json::Value* interval = object.find("pollIntervalMs");
  if (interval != nullptr && interval->get_double().value_or(-1) >= 0) {
    constexpr double kLongest = 24.0 * 3'600 * 1'000;
    task.poll_interval = std::chrono::milliseconds(
        static_cast<std::int64_t>(std::min(interval->as_double(), kLongest)));
  }
  if (!whole) return task;
  if (auto read = read_payload(object, task); !read) return std::unexpected(read.error());
  return task;
}

}  // namespace interline::protocols::mcp

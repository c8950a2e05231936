#include "protocols/a2a/messages.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/base64.hpp"
#include "json/writer.hpp"
#include "protocols/a2a/part_writer.hpp"
#include "protocols/a2a/proto_object.hpp"

namespace interline::protocols::a2a {
namespace {

/// By its name or its number in the proto; nothing for others.
template <std::size_t Size>
std::optional<std::size_t> enum_value(const json::Value& value,
                                      const std::string_view (&names)[Size]) {
  if (value.is_string()) {
    const auto* const at = std::ranges::find(names, value.as_string());
    return at == std::end(names) ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(at - names));
  }
  const auto number = value.get_int64();
  if (!number || *number < 0 || *number >= static_cast<std::int64_t>(Size)) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

/// bytes: both alphabets, with and without padding; kept as the standard one with it.
std::optional<std::string> standard_base64(std::string_view text) {
  std::string url_safe;
  for (const char c : text.substr(0, text.find('='))) {
    url_safe += c == '+' ? '-' : c == '/' ? '_' : c;
  }
  const auto padding = text.size() - url_safe.size();
  if (padding > 2 ||
      !std::ranges::all_of(text.substr(url_safe.size()), [](char c) { return c == '='; })) {
    return std::nullopt;
  }
  const auto bytes = decode_base64url(url_safe);
  return bytes ? std::optional(encode_base64(*bytes)) : std::nullopt;
}

struct ContentRow {
  std::string_view name;
  Part::Content content;
};
constexpr ContentRow kContents[] = {{"text", Part::Content::text},
                                    {"raw", Part::Content::raw},
                                    {"url", Part::Content::url},
                                    {"data", Part::Content::data}};

Part read_part(const json::Value& value, const std::string& path, Violations& violations) {
  Part part;
  const ProtoObject object(value, path, violations);
  if (!value.is_object()) return part;
  std::size_t found = 0;
  for (const ContentRow& row : kContents) {
    const bool any = row.content == Part::Content::data;
    if ((any ? object.find_any(row.name) : object.find(row.name)) == nullptr) continue;
    part.content = row.content;
    ++found;
  }
  if (found != 1) {
    violations.add(path, "has to have exactly one of text, raw, url and data");
    return part;
  }
  switch (part.content) {
    case Part::Content::text:
    case Part::Content::url:
      part.text = object.text(part.content == Part::Content::text ? "text" : "url");
      break;
    case Part::Content::raw: {
      auto raw = standard_base64(object.text("raw"));
      if (!raw) object.wrong("raw", "has to be base64");
      part.raw = std::move(raw).value_or(std::string());
      break;
    }
    case Part::Content::data:
      part.data = *object.find_any("data");
      break;
  }
  part.metadata = object.object("metadata");
  part.filename = object.text("filename");
  part.media_type = object.text("mediaType");
  return part;
}

Message read_message(const ProtoObject& request, Violations& violations) {
  Message message;
  const json::Value* value = request.find("message");
  if (value == nullptr) {
    request.wrong("message", "is required");
    return message;
  }
  const ProtoObject object(*value, request.path_of("message"), violations);
  if (!value->is_object()) return message;
  message.message_id = object.required_id("messageId");
  message.context_id = object.id("contextId");
  message.task_id = object.id("taskId");
  const json::Value* role = object.find("role");
  const auto known = role != nullptr ? enum_value(*role, kRoles) : std::nullopt;
  message.role = known ? static_cast<Role>(*known) : Role::unspecified;
  if (message.role == Role::unspecified) {
    object.wrong("role", role == nullptr ? "is required" : "has to be ROLE_USER or ROLE_AGENT");
  }
  object.each("parts", kMaxParts, [&](const json::Value& part, const std::string& path) {
    message.parts.push_back(read_part(part, path, violations));
  });
  if (message.parts.empty() && violations.none()) object.wrong("parts", "has to have an element");
  message.metadata = object.object("metadata");
  message.extensions = object.texts("extensions", kMaxExtensions);
  message.reference_tasks = object.texts("referenceTaskIds", kMaxReferences);
  return message;
}

std::optional<std::int32_t> history_length(const ProtoObject& object) {
  const auto length = object.int32("historyLength");
  if (length && *length < 0) object.wrong("historyLength", "must not be negative");
  return length;
}

PushConfig push_config(const ProtoObject& object, Violations& violations) {
  PushConfig config;
  config.id = object.id("id");
  config.task_id = object.id("taskId");
  config.url = object.text("url");
  if (config.url.empty()) object.wrong("url", "is required");
  config.token = object.text("token");
  if (const json::Value* value = object.object("authentication")) {
    const ProtoObject authentication(*value, object.path_of("authentication"), violations);
    config.scheme = authentication.text("scheme");
    if (config.scheme.empty()) authentication.wrong("scheme", "is required");
    config.credentials = authentication.text("credentials");
  }
  return config;
}

void read_configuration(const ProtoObject& request, SendRequest& into, Violations& violations) {
  const json::Value* value = request.object("configuration");
  if (value == nullptr) return;
  const ProtoObject object(*value, request.path_of("configuration"), violations);
  into.output_modes = object.texts("acceptedOutputModes", kMaxExtensions);
  into.history_length = history_length(object);
  into.return_immediately = object.flag("returnImmediately");
  constexpr std::string_view kPush = "taskPushNotificationConfig";
  if (const json::Value* push = object.object(kPush)) {
    const ProtoObject config(*push, object.path_of(kPush), violations);
    into.push = push_config(config, violations);
  }
}

template <class T>
Read<T> checked(T read, const Violations& violations) {
  if (!violations.none()) return std::unexpected(invalid_params(violations.all()));
  return read;
}

}  // namespace

std::optional<Part> read_part(const json::Value& value) {
  Violations violations;
  Part part = read_part(value, "", violations);
  return violations.none() ? std::optional(std::move(part)) : std::nullopt;
}

Read<SendRequest> read_send(const json::Value& params) {
  Violations violations;
  const ProtoObject object(params, "", violations);
  SendRequest request;
  request.tenant = object.text("tenant");
  request.message = read_message(object, violations);
  read_configuration(object, request, violations);
  request.metadata = object.object("metadata");
  return checked(std::move(request), violations);
}

Read<TaskRequest> read_task(const json::Value& params) {
  Violations violations;
  const ProtoObject object(params, "", violations);
  TaskRequest request;
  request.tenant = object.text("tenant");
  request.id = object.required_id("id");
  request.history_length = history_length(object);
  return checked(request, violations);
}

Read<ListRequest> read_list(const json::Value& params) {
  Violations violations;
  const ProtoObject object(params, "", violations);
  ListRequest request;
  request.tenant = object.text("tenant");
  request.context_id = object.id("contextId");
  if (const json::Value* status = object.find("status")) {
    std::optional<TaskState> state;
    if (status->is_string()) state = task_state_named(status->as_string());
    const auto number = status->get_int64();
    if (number && *number >= 0 && *number < static_cast<std::int64_t>(kTaskStates.size())) {
      state = static_cast<TaskState>(*number);
    }
    if (!state) object.wrong("status", "is no state of a task");
    if (state != TaskState::unspecified) request.status = state;
  }
  request.page_size = object.int32("pageSize").value_or(kDefaultPage);
  if (request.page_size < 1 || request.page_size > kMaxPage) {
    object.wrong("pageSize", "must be 1 to 100");
  }
  request.page_token = object.text("pageToken");
  request.history_length = history_length(object);
  request.status_after = object.timestamp("statusTimestampAfter");
  request.include_artifacts = object.flag("includeArtifacts");
  return checked(std::move(request), violations);
}

Read<PushConfig> read_push_config(const json::Value& params) {
  Violations violations;
  const ProtoObject object(params, "", violations);
  PushConfig config = push_config(object, violations);
  if (config.task_id.empty()) object.wrong("taskId", "is required");
  return checked(config, violations);
}

Read<PushConfigRequest> read_push_config_request(const json::Value& params, bool with_id) {
  Violations violations;
  const ProtoObject object(params, "", violations);
  PushConfigRequest request;
  request.tenant = object.text("tenant");
  request.task_id = object.required_id("taskId");
  if (with_id) request.id = object.required_id("id");
  return checked(request, violations);
}

std::string message_text(const Message& message, std::string_view task, std::string_view context) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("messageId", message.message_id);
  if (!context.empty()) writer.member("contextId", context);
  if (!task.empty()) writer.member("taskId", task);
  writer.member("role", kRoles[static_cast<std::size_t>(message.role)]);
  writer.name("parts");
  writer.begin_array();
  for (const Part& part : message.parts) write_part(writer, part);
  writer.end_array();
  if (message.metadata != nullptr) writer.member("metadata", *message.metadata);
  const auto list = [&writer](std::string_view name, const std::vector<std::string_view>& all) {
    if (all.empty()) return;
    writer.name(name);
    writer.begin_array();
    for (const std::string_view one : all) writer.value(one);
    writer.end_array();
  };
  list("extensions", message.extensions);
  list("referenceTaskIds", message.reference_tasks);
  writer.end_object();
  return text;
}

}  // namespace interline::protocols::a2a

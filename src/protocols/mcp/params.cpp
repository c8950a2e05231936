#include "protocols/mcp/params.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "json/canonical.hpp"
#include "protocols/mcp/request_meta.hpp"

namespace interline::protocols::mcp {
namespace {

std::unexpected<Error> wrong(std::string why) {
  return fail(ErrorKind::malformed, std::move(why));
}

/// A required text of 1 to `most` bytes.
Result<std::string_view> text(const json::Value& object, std::string_view name, std::size_t most) {
  const json::Value* value = object.find(name);
  if (value == nullptr || !value->is_string() || value->as_string().empty() ||
      value->as_string().size() > most) {
    return wrong("\"" + std::string(name) + "\" is a string of 1 to " + std::to_string(most) +
                 " bytes.");
  }
  return value->as_string();
}

bool all_strings(const json::Value& object) {
  return std::ranges::all_of(object.members(),
                             [](const json::Member& member) { return member.value.is_string(); });
}

Result<RetryParams> retry_of(const json::Value& params) {
  RetryParams retry;
  if (const json::Value* responses = params.find("inputResponses")) {
    if (!responses->is_object()) return wrong("\"inputResponses\" is an object.");
    retry.responses = responses;
  }
  if (const json::Value* state = params.find("requestState")) {
    if (!state->is_string() || state->as_string().size() > kMaxRequestState) {
      return wrong("\"requestState\" is not one that was given here.");
    }
    retry.state = state->as_string();
  }
  return retry;
}

struct FilterFlag {
  std::string_view name;
  bool ListenFilter::*member;
};
constexpr FilterFlag kFlags[] = {{"toolsListChanged", &ListenFilter::tools_changed},
                                 {"promptsListChanged", &ListenFilter::prompts_changed},
                                 {"resourcesListChanged", &ListenFilter::resources_changed}};

struct FilterList {
  std::string_view name;
  std::vector<std::string_view> ListenFilter::*member;
};
constexpr FilterList kLists[] = {{"resourceSubscriptions", &ListenFilter::resources},
                                 {"taskIds", &ListenFilter::tasks}};

Result<std::vector<std::string_view>> texts(const json::Value& array, std::string_view name) {
  const auto refused = [name] {
    return wrong("\"" + std::string(name) + "\" is an array of at most " +
                 std::to_string(kMaxListened) + " strings.");
  };
  if (!array.is_array() || array.size() > kMaxListened) return refused();
  std::vector<std::string_view> all;
  std::set<std::string_view> met;  // twice is once
  for (const json::Value& item : array.items()) {
    if (!item.is_string() || item.as_string().empty() || item.as_string().size() > kMaxUri) {
      return refused();
    }
    if (met.insert(item.as_string()).second) all.push_back(item.as_string());
  }
  return all;
}

}  // namespace

Result<ListParams> read_list_params(const json::Value& params) {
  ListParams list;
  const json::Value* cursor = params.find("cursor");
  if (cursor == nullptr) return list;
  if (!cursor->is_string() || cursor->as_string().size() > kMaxCursor) {
    return wrong("\"cursor\" is not one that was given here.");
  }
  list.cursor = cursor->as_string();
  return list;
}

Result<CallParams> read_call_params(const json::Value& params) {
  CallParams call;
  auto name = text(params, "name", kMaxName);
  if (!name) return std::unexpected(name.error());
  call.name = *name;
  if (const json::Value* arguments = params.find("arguments")) {
    if (!arguments->is_object()) return wrong("\"arguments\" is an object.");
    call.arguments = *arguments;
  }
  auto retry = retry_of(params);
  if (!retry) return std::unexpected(retry.error());
  call.retry = *retry;
  return call;
}

Result<CallParams> read_prompt_params(const json::Value& params) {
  auto call = read_call_params(params);
  if (call && call->arguments.is_object() && !all_strings(call->arguments)) {
    return wrong("The arguments of a prompt are strings.");
  }
  return call;
}

Result<ReadParams> read_resource_params(const json::Value& params) {
  ReadParams read;
  auto uri = text(params, "uri", kMaxUri);
  if (!uri) return std::unexpected(uri.error());
  read.uri = *uri;
  auto retry = retry_of(params);
  if (!retry) return std::unexpected(retry.error());
  read.retry = *retry;
  return read;
}

Result<CompletionParams> read_completion_params(const json::Value& params) {
  CompletionParams completion;
  const json::Value* ref = params.find("ref");
  const json::Value* type = ref == nullptr ? nullptr : ref->find("type");
  const auto kind = type == nullptr ? std::nullopt : type->get_string();
  if (kind != "ref/prompt" && kind != "ref/resource") {
    return wrong("\"ref\" is of the type ref/prompt or ref/resource.");
  }
  completion.of_prompt = kind == "ref/prompt";
  auto name = completion.of_prompt ? text(*ref, "name", kMaxName) : text(*ref, "uri", kMaxUri);
  if (!name) return std::unexpected(name.error());
  completion.ref = *name;
  const json::Value* argument = params.find("argument");
  if (argument == nullptr) return wrong("\"argument\" has a \"name\" and a \"value\".");
  auto argument_name = text(*argument, "name", kMaxName);
  if (!argument_name) return std::unexpected(argument_name.error());
  completion.argument = *argument_name;
  const json::Value* value = argument->find("value");
  if (value == nullptr || !value->is_string()) return wrong("\"value\" is a string.");
  completion.value = value->as_string();
  const json::Value* context = params.find("context");
  const json::Value* known = context == nullptr ? nullptr : context->find("arguments");
  if (known == nullptr) return completion;
  if (!known->is_object() || !all_strings(*known)) {
    return wrong("\"context.arguments\" is an object of strings.");
  }
  completion.context = known;
  return completion;
}

Result<ListenFilter> read_listen_params(const json::Value& params) {
  ListenFilter filter;
  const json::Value* asked = params.find("notifications");
  if (asked == nullptr || !asked->is_object()) return wrong("\"notifications\" is an object.");
  for (const FilterFlag& flag : kFlags) {
    const json::Value* value = asked->find(flag.name);
    if (value == nullptr) continue;
    if (!value->is_boolean()) return wrong("\"" + std::string(flag.name) + "\" is true or false.");
    filter.*flag.member = value->as_bool();
  }
  for (const FilterList& list : kLists) {
    const json::Value* value = asked->find(list.name);
    if (value == nullptr) continue;
    auto all = texts(*value, list.name);
    if (!all) return std::unexpected(all.error());
    filter.*list.member = *std::move(all);
  }
  return filter;
}

Result<TaskParams> read_task_params(const json::Value& params) {
  auto task = text(params, "taskId", kMaxName);
  if (!task) return std::unexpected(task.error());
  return TaskParams{*task, nullptr};
}

Result<TaskParams> read_task_update_params(const json::Value& params) {
  auto task = read_task_params(params);
  if (!task) return task;
  task->responses = params.find("inputResponses");
  if (task->responses == nullptr || !task->responses->is_object()) {
    return wrong("\"inputResponses\" is an object.");
  }
  return task;
}

Result<CancelledParams> read_cancelled_params(const json::Value& params) {
  CancelledParams cancelled;
  const json::Value* request = params.find("requestId");
  if (request == nullptr || !(request->is_string() || request->is_number())) {
    return wrong("\"requestId\" is the id of a request.");
  }
  cancelled.request = request->source();
  if (const json::Value* reason = params.find("reason"); reason != nullptr && reason->is_string()) {
    cancelled.reason = reason->as_string();
  }
  return cancelled;
}

Result<std::string_view> read_level_params(const json::Value& params) {
  const json::Value* level = params.find("level");
  if (level == nullptr || !level->is_string() || !log_level_named(level->as_string())) {
    return wrong("The log level is none of the eight.");
  }
  return level->as_string();
}

Result<InitializeParams> read_initialize_params(const json::Value& params) {
  InitializeParams read;
  auto version = text(params, "protocolVersion", kMaxName);
  if (!version) return std::unexpected(version.error());
  read.version = *version;
  read.capabilities = params.find("capabilities");
  if (read.capabilities == nullptr || !read.capabilities->is_object()) {
    return wrong("\"capabilities\" is an object.");
  }
  if (const json::Value* info = params.find("clientInfo")) {
    const json::Value* name = info->find("name");
    const json::Value* own = info->find("version");
    if (name != nullptr && name->is_string()) read.client_name = name->as_string();
    if (own != nullptr && own->is_string()) read.client_version = own->as_string();
  }
  return read;
}

Digest salient_digest(std::string_view method, const json::Value& params) {
  // Of every method that may ask; a member that is not there differs from all that are.
  constexpr std::string_view kSalient[] = {"name", "uri", "arguments"};
  std::string bytes(method);
  for (const std::string_view name : kSalient) {
    const json::Value* value = params.find(name);
    bytes += '\0';
    if (value != nullptr) json::append_canonical(bytes, *value);
  }
  return sha256(bytes);
}

}  // namespace interline::protocols::mcp

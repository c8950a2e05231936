// The params of a client's requests, read and bounded: what is wrong here is -32602 in-band. Views
// live as long as the request's document.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "json/value.hpp"

namespace interline::protocols::mcp {

/// Bytes of a requestState and of a cursor; longer ones are none of ours.
inline constexpr std::size_t kMaxRequestState = 1U << 18U;
inline constexpr std::size_t kMaxCursor = 4'096;
inline constexpr std::size_t kMaxUri = 8'192;
inline constexpr std::size_t kMaxName = 1'024;
/// URIs, and task ids, of one `subscriptions/listen`.
inline constexpr std::size_t kMaxListened = 1'000;

/// The four lists.
struct ListParams {
  std::optional<std::string_view> cursor;  ///< "" is one too
};
[[nodiscard]] Result<ListParams> read_list_params(const json::Value& params);

/// What a retry adds; absent on the first attempt.
struct RetryParams {
  const json::Value* responses = nullptr;  ///< an object; see input_requests.hpp
  std::optional<std::string_view> state;
};

/// tools/call and prompts/get. The task member of 2025-11-25 is not looked at.
struct CallParams {
  std::string_view name;
  json::Value arguments;  ///< an object, or null if there are none
  RetryParams retry;

  /// The arguments' text: `{}` if there are none.
  [[nodiscard]] std::string_view arguments_text() const {
    return arguments.is_null() ? "{}" : arguments.source();
  }
};
[[nodiscard]] Result<CallParams> read_call_params(const json::Value& params);
/// The same, with arguments that are all strings.
[[nodiscard]] Result<CallParams> read_prompt_params(const json::Value& params);

struct ReadParams {
  std::string_view uri;
  RetryParams retry;
};
/// resources/read, and resources/subscribe and unsubscribe of legacy clients.
[[nodiscard]] Result<ReadParams> read_resource_params(const json::Value& params);

struct CompletionParams {
  bool of_prompt = false;  ///< else of a resource or template
  std::string_view ref;    ///< the prompt's name, or the URI or template
  std::string_view argument;
  std::string_view value;
  const json::Value* context = nullptr;  ///< an object of strings: arguments known so far
};
[[nodiscard]] Result<CompletionParams> read_completion_params(const json::Value& params);

/// What a client wants to hear of.
struct ListenFilter {
  bool tools_changed = false;
  bool prompts_changed = false;
  bool resources_changed = false;
  std::vector<std::string_view> resources;  ///< URIs
  std::vector<std::string_view> tasks;      ///< ids, as the client writes them
};
[[nodiscard]] Result<ListenFilter> read_listen_params(const json::Value& params);

struct TaskParams {
  std::string_view task;                   ///< as the client writes it, see task_ids.hpp
  const json::Value* responses = nullptr;  ///< of tasks/update: an object
};
/// tasks/get and tasks/cancel.
[[nodiscard]] Result<TaskParams> read_task_params(const json::Value& params);
[[nodiscard]] Result<TaskParams> read_task_update_params(const json::Value& params);

/// notifications/cancelled: the id as written. malformed where there is none.
struct CancelledParams {
  std::string_view request;  ///< JSON text
  std::string_view reason;
};
[[nodiscard]] Result<CancelledParams> read_cancelled_params(const json::Value& params);

/// logging/setLevel of legacy clients: the level's word.
[[nodiscard]] Result<std::string_view> read_level_params(const json::Value& params);

/// `initialize`: what its client says of itself.
struct InitializeParams {
  std::string_view version;
  const json::Value* capabilities = nullptr;  ///< an object
  std::string_view client_name;               ///< "" if it says none
  std::string_view client_version;
};
[[nodiscard]] Result<InitializeParams> read_initialize_params(const json::Value& params);

/// What makes two attempts at one operation the same: its method and what the result depends on
/// (name and arguments, or the URI), not its `_meta` and not what a retry adds. A requestState is
/// bound to it.
[[nodiscard]] Digest salient_digest(std::string_view method, const json::Value& params);

}  // namespace interline::protocols::mcp

// What clients send: the request messages of A2A 1.0 (sections 3.1 and 4.1), read from ProtoJSON
// and checked before anything is done. Views live as long as the request's document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "json/value.hpp"
#include "protocols/a2a/errors.hpp"
#include "protocols/a2a/states.hpp"

namespace interline::protocols::a2a {

inline constexpr std::size_t kMaxParts = 256;
inline constexpr std::size_t kMaxExtensions = 64;
inline constexpr std::size_t kMaxReferences = 64;
inline constexpr std::int32_t kDefaultPage = 50;
inline constexpr std::int32_t kMaxPage = 100;

template <class T>
using Read = std::expected<T, ErrorAnswer>;

enum class Role : std::uint8_t { unspecified, user, agent };
inline constexpr std::string_view kRoles[] = {"ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT"};

struct Part {
  enum class Content : std::uint8_t { text, raw, url, data };
  Content content = Content::text;
  std::string_view text;  ///< text, url
  std::string raw;        ///< base64, standard alphabet with padding
  json::Value data;       ///< any JSON value
  const json::Value* metadata = nullptr;
  std::string_view filename;
  std::string_view media_type;

  Part() = default;
};

struct Message {
  std::string_view message_id;
  std::string_view context_id;
  std::string_view task_id;
  Role role = Role::unspecified;
  std::vector<Part> parts;  ///< never empty
  const json::Value* metadata = nullptr;
  std::vector<std::string_view> extensions;
  std::vector<std::string_view> reference_tasks;

  Message() = default;
};

/// Section 4.3.1.
struct PushConfig {
  std::string_view id;
  std::string_view task_id;
  std::string_view url;
  std::string_view token;
  std::string_view scheme;  ///< "" without authentication
  std::string_view credentials;

  PushConfig() = default;
};

struct SendRequest {
  std::string_view tenant;
  Message message;
  std::vector<std::string_view> output_modes;
  std::optional<PushConfig> push;
  std::optional<std::int32_t> history_length;
  bool return_immediately = false;
  const json::Value* metadata = nullptr;

  SendRequest() = default;
};

/// GetTask, CancelTask and SubscribeToTask.
struct TaskRequest {
  std::string_view tenant;
  std::string_view id;
  std::optional<std::int32_t> history_length;

  TaskRequest() = default;
};

struct ListRequest {
  std::string_view tenant;
  std::string_view context_id;
  std::optional<TaskState> status;
  std::int32_t page_size = kDefaultPage;
  std::string_view page_token;
  std::optional<std::int32_t> history_length;
  std::optional<Instant> status_after;
  bool include_artifacts = false;

  ListRequest() = default;
};

/// Get, List and Delete of push configurations.
struct PushConfigRequest {
  std::string_view tenant;
  std::string_view task_id;
  std::string_view id;  ///< "" in List

  PushConfigRequest() = default;
};

/// One Part alone; nothing if it is none.
[[nodiscard]] std::optional<Part> read_part(const json::Value& value);

[[nodiscard]] Read<SendRequest> read_send(const json::Value& params);
[[nodiscard]] Read<TaskRequest> read_task(const json::Value& params);
[[nodiscard]] Read<ListRequest> read_list(const json::Value& params);
[[nodiscard]] Read<PushConfig> read_push_config(const json::Value& params);
[[nodiscard]] Read<PushConfigRequest> read_push_config_request(const json::Value& params,
                                                               bool with_id);

/// A message as it is kept and shown: known members alone, in their own spelling, with the ids of
/// its task and context.
[[nodiscard]] std::string message_text(const Message& message, std::string_view task,
                                       std::string_view context);

}  // namespace interline::protocols::a2a

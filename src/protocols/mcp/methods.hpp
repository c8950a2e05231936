// Every method of every revision that a client sends to a server: one table, and what hangs on it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

/// What a server has to offer before a method exists for its clients.
enum class Capability : std::uint8_t {
  none,  ///< always there
  tools,
  resources,
  resource_subscriptions,
  prompts,
  completions,
  logging,
  notifications,  ///< any `listChanged` or `subscribe`
  tasks,          ///< the Tasks extension
};

/// What one endpoint offers: what its capabilities say, and what its methods do.
struct Features {
  bool tools = true;
  bool tools_changed = false;
  bool resources = false;
  bool resources_changed = false;
  bool resource_subscriptions = false;
  bool prompts = false;
  bool prompts_changed = false;
  bool completions = false;
  bool logging = false;
  bool tasks = false;  ///< io.modelcontextprotocol/tasks, towards modern clients alone
};
[[nodiscard]] bool offers(const Features& features, Capability capability);

enum class MethodKind : std::uint8_t { request, notification };

struct Method {
  std::string_view name;
  MethodKind kind = MethodKind::request;
  Revision since = Revision::v2024_10_07;
  Revision until = Revision::v2026_07_28;
  /// The member of `params` that `Mcp-Name` mirrors; "" if there is no such header.
  std::string_view name_member;
  bool may_ask = false;    ///< may be answered with `input_required` (modern)
  bool cacheable = false;  ///< a complete result has `ttlMs` and `cacheScope` (modern)
  Capability capability = Capability::none;

  /// Its own extension has to be declared by the request.
  [[nodiscard]] bool is_extension() const { return capability == Capability::tasks; }
};

[[nodiscard]] std::span<const Method> methods();
/// In any revision; nullptr if it is none of a client's.
[[nodiscard]] const Method* find_method(std::string_view name);
/// As a request or notification of that revision.
[[nodiscard]] const Method* find_method(std::string_view name, Revision revision);

/// The extension's identifier, in capabilities of both sides.
inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

}  // namespace interline::protocols::mcp

#include "protocols/mcp/methods.hpp"

#include <array>

namespace interline::protocols::mcp {
namespace {

using enum Capability;
using enum MethodKind;
using R = Revision;

constexpr R kOldest = R::v2024_10_07;
constexpr R kNewest = R::v2026_07_28;
constexpr R kModern = kFirstModern;
constexpr R kLegacy = kNewestLegacy;

// 2026-07-28: schema, basic/transports/streamable-http ("Standard Request Headers"),
// basic/patterns/mrtr
// ("Supported Requests"), server/utilities/caching; the Tasks extension. `completion/complete` is
// older than its capability (2025-03-26). The tasks of 2025-11-25 are another wire and not served.
constexpr Method kMethods[] = {
    // name                            kind         since    until    name member asks cache
    // capability
    {"server/discover", request, kModern, kNewest, "", false, true, none},
    {"tools/list", request, kOldest, kNewest, "", false, true, tools},
    {"tools/call", request, kOldest, kNewest, "name", true, false, tools},
    {"resources/list", request, kOldest, kNewest, "", false, true, resources},
    {"resources/templates/list", request, kOldest, kNewest, "", false, true, resources},
    {"resources/read", request, kOldest, kNewest, "uri", true, true, resources},
    {"prompts/list", request, kOldest, kNewest, "", false, true, prompts},
    {"prompts/get", request, kOldest, kNewest, "name", true, false, prompts},
    {"completion/complete", request, kOldest, kNewest, "", false, false, completions},
    {"subscriptions/listen", request, kModern, kNewest, "", false, false, notifications},
    {"tasks/get", request, kModern, kNewest, "taskId", false, false, tasks},
    {"tasks/update", request, kModern, kNewest, "taskId", false, false, tasks},
    {"tasks/cancel", request, kModern, kNewest, "taskId", false, false, tasks},
    {"initialize", request, kOldest, kLegacy, "", false, false, none},
    {"ping", request, kOldest, kLegacy, "", false, false, none},
    {"logging/setLevel", request, kOldest, kLegacy, "", false, false, logging},
    {"resources/subscribe", request, kOldest, kLegacy, "", false, false, resource_subscriptions},
    {"resources/unsubscribe", request, kOldest, kLegacy, "", false, false, resource_subscriptions},
    {"notifications/initialized", notification, kOldest, kLegacy, "", false, false, none},
    {"notifications/cancelled", notification, kOldest, kNewest, "", false, false, none},
    {"notifications/progress", notification, kOldest, kLegacy, "", false, false, none},
    {"notifications/roots/list_changed", notification, kOldest, kLegacy, "", false, false, none},
};

constexpr bool names_are_unique() {
  for (const Method& a : kMethods) {
    for (const Method& b : kMethods) {
      if (&a != &b && a.name == b.name) return false;
    }
  }
  return true;
}
static_assert(names_are_unique());

/// By Capability; none has no member and is always there.
constexpr std::array<bool Features::*, 9> kOffered = {nullptr,
                                                      &Features::tools,
                                                      &Features::resources,
                                                      &Features::resource_subscriptions,
                                                      &Features::prompts,
                                                      &Features::completions,
                                                      &Features::logging,
                                                      nullptr,
                                                      &Features::tasks};
static_assert(kOffered.size() == static_cast<std::size_t>(Capability::tasks) + 1);

constexpr bool Features::*kNotifying[] = {&Features::tools_changed, &Features::resources_changed,
                                          &Features::resource_subscriptions,
                                          &Features::prompts_changed, &Features::tasks};

}  // namespace

bool offers(const Features& features, Capability capability) {
  if (capability == none) return true;
  if (capability == notifications) {
    for (const auto member : kNotifying) {
      if (features.*member) return true;
    }
    return false;
  }
  return features.*kOffered.at(static_cast<std::size_t>(capability));
}

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

const Method* find_method(std::string_view name, Revision revision) {
  const Method* method = find_method(name);
  if (method == nullptr || revision < method->since || revision > method->until) return nullptr;
  return method;
}

}  // namespace interline::protocols::mcp

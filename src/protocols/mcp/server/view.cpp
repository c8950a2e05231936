#include "protocols/mcp/server/view.hpp"

#include <utility>

#include "base/utf8.hpp"

namespace interline::protocols::mcp::server {
namespace {

constexpr std::string_view kScheme = "interline:";
constexpr std::size_t kEndpointsAtOnce = 100;

std::unexpected<Error> unknown_tool() {
  return fail(ErrorKind::not_found, "Unknown tool.");
}

/// What the principal may not call is not there.
const catalog::Tool* find_there(const Core& core, const Asked& asked,
                                const engine::EndpointView& view, std::string_view name) {
  const catalog::Tool* tool = view.manifest->find_tool(name);
  if (tool == nullptr || !core.engine.invocable(asked.who, view.name, *tool)) return nullptr;
  return tool;
}

/// The tool that is called so; `under` is the endpoint's name in this view.
const catalog::Tool* tool_of(const Core& core, const Asked& asked, const engine::EndpointView& view,
                             std::string_view name, const ToolRef& under) {
  if (!is_marked(name)) {
    return tool_name(under) == name ? find_there(core, asked, view, under.tool) : nullptr;
  }
  for (const catalog::Tool& tool : view.manifest->tools) {
    if (tool_name({under.endpoint, tool.name}) != name) continue;
    if (core.engine.invocable(asked.who, view.name, tool)) return &tool;
  }
  return nullptr;
}

FoundTool found(engine::EndpointView view, const catalog::Tool* tool) {
  FoundTool result;
  result.view = std::move(view);
  result.tool = tool;
  return result;
}

/// Among endpoints of which no name says that it is theirs: they are looked through.
awaitable<Result<FoundTool>> find_by_looking(Core& core, const Asked& asked, std::string name) {
  const auto endpoints = co_await viewed_endpoints(core, asked);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  for (const std::string& endpoint : *endpoints) {
    if (is_readable_endpoint(endpoint)) continue;
    auto view = co_await core.engine.describe(asked.who, endpoint, std::string());
    if (!view) continue;
    const ToolRef ref{endpoint, std::string()};
    if (const catalog::Tool* tool = tool_of(core, asked, *view, name, ref)) {
      co_return found(*std::move(view), tool);
    }
  }
  co_return unknown_tool();
}

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~' || c == '@';
}

std::string escaped(std::string_view endpoint) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : endpoint) {
    if (is_unreserved(c)) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += '%';
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
  }
  return text;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Only what escaped() writes, so that a resource has one name.
std::optional<std::string> unescaped(std::string_view text) {
  std::string endpoint;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      endpoint += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit_value(text[i + 1]);
    const int low = digit_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    endpoint += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (!is_valid_utf8(endpoint) || escaped(endpoint) != text) return std::nullopt;
  return endpoint;
}

}  // namespace

awaitable<Result<FoundTool>> find_tool(Core& core, const Asked& asked, std::string name) {
  if (!asked.endpoint.empty()) {
    auto view = co_await core.engine.describe(asked.who, asked.endpoint, std::string());
    if (!view) co_return unknown_tool();
    const ToolRef ref{std::string(), name};
    const catalog::Tool* tool = tool_of(core, asked, *view, name, ref);
    if (tool == nullptr) co_return unknown_tool();
    co_return found(*std::move(view), tool);
  }
  if (name.size() > kMaxToolName) co_return unknown_tool();
  if (const auto ref = read_tool_name(name)) {
    auto view = co_await core.engine.describe(asked.who, ref->endpoint, std::string());
    if (view) {
      const catalog::Tool* tool = tool_of(core, asked, *view, name, *ref);
      if (tool != nullptr) co_return found(*std::move(view), tool);
    } else if (view.error().kind != ErrorKind::not_found) {
      co_return std::unexpected(view.error());
    }
  }
  if (!is_marked(name)) co_return unknown_tool();
  co_return co_await find_by_looking(core, asked, std::move(name));
}

std::string shown_name(const Asked& asked, std::string_view endpoint, std::string_view tool) {
  return tool_name(
      {asked.endpoint.empty() ? std::string(endpoint) : std::string(), std::string(tool)});
}

awaitable<Result<std::vector<std::string>>> viewed_endpoints(Core& core, const Asked& asked) {
  std::vector<std::string> names;
  if (!asked.endpoint.empty()) {
    names.push_back(asked.endpoint);
    co_return names;
  }
  catalog::PageRequest request;
  request.maximum = kEndpointsAtOnce;
  while (names.size() < kMaxViewed) {
    auto page = co_await core.engine.list(asked.who, request);
    if (!page) co_return std::unexpected(page.error());
    for (catalog::DirectoryEntry& entry : page->entries) names.push_back(std::move(entry.name));
    if (page->entries.size() < kEndpointsAtOnce) break;
    request.anchor = catalog::PageRequest::Anchor::after;
    request.id = names.back();
  }
  co_return names;
}

std::string shown_uri(const Asked& asked, std::string_view endpoint, std::string_view uri) {
  if (!asked.endpoint.empty()) return std::string(uri);
  std::string shown(kScheme);
  shown.append(escaped(endpoint)).append("/").append(uri);
  return shown;
}

std::optional<OwnUri> own_uri(const Asked& asked, std::string_view shown) {
  if (!asked.endpoint.empty()) return OwnUri{asked.endpoint, std::string(shown)};
  if (!shown.starts_with(kScheme)) return std::nullopt;
  shown.remove_prefix(kScheme.size());
  const auto slash = shown.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  auto endpoint = unescaped(shown.substr(0, slash));
  if (!endpoint) return std::nullopt;
  return OwnUri{*std::move(endpoint), std::string(shown.substr(slash + 1))};
}

}  // namespace interline::protocols::mcp::server

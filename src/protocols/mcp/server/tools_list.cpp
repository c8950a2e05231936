// tools/list: by keyset, so that a page costs what is on it. A list that changes between two pages
// loses or repeats nothing that was there all the time.
#include <utility>

#include "json/parse.hpp"
#include "protocols/mcp/call_result.hpp"
#include "protocols/mcp/cursors.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/view.hpp"

namespace interline::protocols::mcp::server {
namespace {

constexpr std::size_t kPageBytes = std::size_t{4} * 1024 * 1024;
constexpr char kBetween = '\n';  // in no name of an endpoint or tool

/// The page as it grows.
struct Page {
  std::vector<std::string> items;
  std::size_t bytes = 0;
  std::string last;  ///< endpoint, tool: of the last item
  bool more = false;

  [[nodiscard]] bool full(const Core& core) const {
    return items.size() >= core.settings.page || bytes >= kPageBytes;
  }
};

/// Tools of one endpoint behind that name. False: the page is full, and there are more.
bool add_tools(const Core& core, const Asked& asked, const engine::EndpointView& view,
               std::string_view after, Page& page) {
  for (const catalog::Tool& tool : view.manifest->tools) {
    if (!after.empty() && tool.name <= after) continue;
    if (!core.engine.invocable(asked.who, view.name, tool)) continue;
    if (page.full(core)) {
      page.more = true;
      return false;
    }
    const auto definition = json::parse_borrowed(
        tool.definition, jsonrpc::limits_for(tool.definition.size()), json::Numbers::faithful);
    if (!definition) continue;  // it was canonical when it was registered
    const std::string name = shown_name(asked, view.name, tool.name);
    page.items.push_back(tool_definition(definition->root(), name, asked.revision));
    page.bytes += page.items.back().size();
    page.last = view.name + kBetween + tool.name;
  }
  return true;
}

awaitable<Result<void>> add_all(Core& core, const Asked& asked, std::string from,
                                std::string after_tool, Page& page) {
  if (!from.empty()) {
    const auto view = co_await core.engine.describe(asked.who, from, std::string());
    if (view) {
      const bool room = add_tools(core, asked, *view, after_tool, page);
      if (!room) co_return Result<void>();
    }
  }
  catalog::PageRequest request;
  request.maximum = 100;
  if (!from.empty()) {
    request.anchor = catalog::PageRequest::Anchor::after;
    request.id = std::move(from);
  }
  for (;;) {
    const auto entries = co_await core.engine.list(asked.who, request);
    if (!entries) co_return std::unexpected(entries.error());
    for (const catalog::DirectoryEntry& entry : entries->entries) {
      const auto view = co_await core.engine.describe(asked.who, entry.name, std::string());
      if (!view) continue;  // it went in between
      const bool room = add_tools(core, asked, *view, std::string_view(), page);
      if (!room) co_return Result<void>();
    }
    if (entries->entries.size() < request.maximum) co_return Result<void>();
    request.anchor = catalog::PageRequest::Anchor::after;
    request.id = entries->entries.back().name;
  }
}

awaitable<Result<void>> add_own(Core& core, const Asked& asked, std::string after, Page& page) {
  const auto view = co_await core.engine.describe(asked.who, asked.endpoint, std::string());
  if (!view) co_return std::unexpected(view.error());
  const bool room = add_tools(core, asked, *view, after, page);
  (void)room;  // the page says whether there is more
  co_return Result<void>();
}

}  // namespace

awaitable<Answer> list_tools(Core& core, const Asked& asked) {
  const auto params = read_list_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  const CursorScope scope{asked.who.text(), asked.endpoint, asked.message.method};
  std::string endpoint;
  std::string tool;
  if (params->cursor) {
    const auto position = read_cursor(core.sealer, scope, *params->cursor, core.clock.now());
    if (!position) co_return bad_params(position.error());
    const auto between = std::min(position->after.find(kBetween), position->after.size());
    endpoint = position->after.substr(0, between);
    tool = position->after.substr(std::min(between + 1, position->after.size()));
  }
  Page page;
  Result<void> added;
  if (asked.endpoint.empty()) {
    added = co_await add_all(core, asked, std::move(endpoint), std::move(tool), page);
  } else {
    added = co_await add_own(core, asked, std::move(tool), page);
  }
  if (!added) {
    // An endpoint that went is no place to go on from.
    if (added.error().kind == ErrorKind::not_found) {
      co_return refuse(invalid_params("The list has changed: begin again."));
    }
    co_return refuse(added.error());
  }
  std::optional<std::string> next;
  if (page.more) {
    CursorPosition position;
    position.after = std::move(page.last);
    next = write_cursor(core.sealer, scope, position, core.clock.now());
  }
  co_return list_result(core.envelope(asked), "tools", page.items, next, core.settings.lists);
}

}  // namespace interline::protocols::mcp::server

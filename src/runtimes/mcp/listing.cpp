#include "runtimes/mcp/listing.hpp"

#include <optional>
#include <utility>

#include "catalog/losses.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/param_headers.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace words = protocols::mcp;

Error refused(const protocols::jsonrpc::Message& error) {
  if (error.code == protocols::jsonrpc::error_code::kMethodNotFound) {
    return {ErrorKind::not_acceptable, "the MCP server has nothing of this kind"};
  }
  return {ErrorKind::unavailable, "the MCP server refuses to list what it has"};
}

Error too_many() {
  return {ErrorKind::resource_constraint, ErrorReason::too_many,
          "the MCP server lists more entries or pages than the gateway reads"};
}

/// Why a tool cannot be called from here; nothing if it can.
std::optional<std::pair<std::string, std::string>> loss_of(const json::Value& tool, bool modern,
                                                           bool mirrors) {
  if (!modern && words::needs_server_task(tool)) {
    return std::pair<std::string, std::string>(
        "/execution/taskSupport", catalog::loss_text(catalog::Loss::tool_only_as_task));
  }
  const json::Value* schema = tool.find("inputSchema");
  if (!mirrors || schema == nullptr) return std::nullopt;
  const auto headers = words::read_param_headers(*schema);
  if (headers.faults.empty()) return std::nullopt;
  const auto& fault = headers.faults.front();
  return std::pair<std::string, std::string>(
      "/inputSchema" + fault.location,
      catalog::loss_text(catalog::Loss::tool_headers_wrong, fault.reason));
}

void take_tool(std::string definition, bool modern, bool mirrors, engine::ImportedTools& tools) {
  json::Limits limits;
  limits.bytes = limits.string_bytes = definition.size() + 1;
  limits.depth = 256;
  const auto document = json::parse_borrowed(definition, limits, json::Numbers::faithful);
  if (document) {
    if (auto loss = loss_of(document->root(), modern, mirrors)) {
      const json::Value* name = document->root().find("name");
      tools.losses.emplace_back(std::string(name == nullptr ? "" : name->get_string().value_or("")),
                                std::move(loss->first), std::move(loss->second));
      return;
    }
  }
  tools.definitions.push_back(std::move(definition));
}

}  // namespace

net::awaitable<Result<std::vector<std::string>>> list_all(std::shared_ptr<Link> link,
                                                          ListRequest request, ListLimits limits) {
  std::vector<std::string> items;
  std::optional<std::string> cursor;
  std::size_t bytes = 0;
  for (std::size_t pages = 0;; ++pages) {
    if (pages >= limits.pages) co_return std::unexpected(too_many());
    Outgoing outgoing(request.method);
    outgoing.members = words::list_members(cursor ? &*cursor : nullptr);
    outgoing.caller = request.caller;
    outgoing.repeatable = true;
    outgoing.timeout = limits.timeout;
    outgoing.stop = request.stop;
    const auto reply = co_await link->request(std::move(outgoing));
    if (!reply) co_return std::unexpected(reply.error());
    if (reply->is_error()) co_return std::unexpected(refused(reply->message));
    auto page = words::read_list_page(reply->message.result, request.member);
    if (!page) co_return std::unexpected(page.error());
    for (const json::Value& item : page->items) {
      bytes += item.source().size();
      items.emplace_back(item.source());
    }
    if (items.size() > limits.items || bytes > limits.bytes) co_return std::unexpected(too_many());
    if (!page->next_cursor) co_return items;
    cursor = std::move(page->next_cursor);
  }
}

void warn_of_losses(const engine::ImportedTools& tools, const Logger& log) {
  for (const engine::ImportLoss& lost : tools.losses) {
    log.warning("a tool of an MCP server is left out",
                {{"tool", lost.tool}, {"where", lost.location}, {"reason", lost.loss}});
  }
}

net::awaitable<Result<engine::ImportedTools>> import_tools(std::shared_ptr<Link> link,
                                                           ListLimits limits, bool mirrors) {
  auto opened = co_await link->opened();
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  const words::ServerHello hello = link->hello();
  if (!hello.features.tools) {
    co_return fail(ErrorKind::not_acceptable, "the MCP server has no tools");
  }
  ListRequest request(words::method::kToolsList, "tools");
  auto definitions = co_await list_all(link, std::move(request), limits);
  if (!definitions) co_return std::unexpected(std::move(definitions.error()));
  engine::ImportedTools tools;
  tools.server_name = hello.name;
  tools.server_version = hello.implementation_version;
  tools.mcp_protocol_version = to_string(hello.revision);
  for (std::string& definition : *definitions) {
    take_tool(std::move(definition), hello.modern(), mirrors && hello.modern(), tools);
  }
  co_return tools;
}

}  // namespace interline::runtimes::mcp

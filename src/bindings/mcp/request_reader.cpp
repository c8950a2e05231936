#include "bindings/mcp/request_reader.hpp"

#include <utility>

namespace interline::mcp {

std::expected<std::unique_ptr<PostedMessage>, rules::ErrorAnswer> PostedMessage::read(
    const net::http::Request& request) {
  auto document = json::parse_borrowed(
      request.body, protocols::jsonrpc::limits_for(request.body.size()), json::Numbers::faithful);
  if (!document) return std::unexpected(rules::parse_error(document.error()));
  return std::unique_ptr<PostedMessage>(new PostedMessage(request, *std::move(document)));
}

PostedMessage::PostedMessage(const net::http::Request& request, json::Document document)
    : request_(request), document_(std::move(document)) {
  headers_.protocol_version = header("MCP-Protocol-Version");
  headers_.method = header("Mcp-Method");
  headers_.name = header("Mcp-Name");
}

std::optional<std::string_view> PostedMessage::header(std::string_view name) {
  if (request_.fields.count(name) < 2) return request_.fields.get(name);
  return joined_.emplace_back(request_.fields.joined(name));
}

}  // namespace interline::mcp

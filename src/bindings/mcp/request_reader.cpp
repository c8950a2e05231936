#include "bindings/mcp/request_reader.hpp"

#include <utility>

namespace interline::mcp {

std::expected<Body, rules::ErrorAnswer> read_body(net::http::Request& request) {
  const json::Limits limits = protocols::jsonrpc::limits_for(request.body.size());
  auto document = json::parse(std::move(request.body), limits, json::Numbers::faithful);
  if (!document) return std::unexpected(rules::parse_error(document.error()));
  return std::make_shared<const json::Document>(*std::move(document));
}

Headers::Headers(const net::http::Request& request) : request_(request) {
  headers_.protocol_version = get("MCP-Protocol-Version");
  headers_.method = get("Mcp-Method");
  headers_.name = get("Mcp-Name");
}

std::optional<std::string_view> Headers::get(std::string_view name) {
  if (request_.fields.count(name) < 2) return request_.fields.get(name);
  return joined_.emplace_back(request_.fields.joined(name));
}

}  // namespace interline::mcp

#include "bindings/xmpp/tool_node.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/base64.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {
namespace {

constexpr std::size_t kMaxApiVersion = 64;

[[nodiscard]] std::unexpected<Error> unknown_node() {
  return fail(ErrorKind::not_found, "no such node");
}

}  // namespace

bool is_api_version(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '~' || c == '-';
  };
  return !text.empty() && text.size() <= kMaxApiVersion && std::ranges::all_of(text, allowed);
}

bool is_tool_name(std::string_view text) {
  return !text.empty() && is_xml_text(text);
}

std::string encode_tool_node(std::string_view version, std::string_view tool) {
  std::string node(node::kToolPrefix);
  node += version;
  node += '#';
  node += encode_base64url(tool);
  return node;
}

bool is_tool_node(std::string_view node) {
  return node.starts_with(node::kToolPrefix);
}

Result<ToolNode> decode_tool_node(std::string_view node) {
  if (!is_tool_node(node)) return unknown_node();
  node.remove_prefix(node::kToolPrefix.size());
  const std::size_t split = node.find('#');
  if (split == std::string_view::npos) return unknown_node();
  const std::string_view version = node.substr(0, split);
  auto tool = decode_base64url(node.substr(split + 1));
  if (!is_api_version(version) || !tool || !is_tool_name(*tool)) return unknown_node();
  return ToolNode{std::string(version), *std::move(tool)};
}

std::string encode_collection_node(std::string_view version) {
  return std::string(node::kToolCollectionPrefix).append(version);
}

bool is_collection_node(std::string_view node) {
  return node.starts_with(node::kToolCollectionPrefix);
}

Result<std::string> decode_collection_node(std::string_view node) {
  if (!is_collection_node(node)) return unknown_node();
  node.remove_prefix(node::kToolCollectionPrefix.size());
  if (!is_api_version(node)) return unknown_node();
  return std::string(node);
}

}  // namespace interline::xmpp

// Tool nodes: what is decoded encodes to the same node, and what can be encoded decodes to itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bindings/xmpp/tool_node.hpp"
#include "bindings/xmpp/xml_writer.hpp"

using namespace interline::xmpp;  // NOLINT

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto node = decode_tool_node(text)) {
    require(is_tool_node(text) && !is_collection_node(text));
    require(is_api_version(node->version) && is_tool_name(node->tool));
    require(encode_tool_node(node->version, node->tool) == text);
  }
  if (const auto version = decode_collection_node(text)) {
    require(is_collection_node(text) && encode_collection_node(*version) == text);
  }

  const std::size_t split = size == 0 ? 0 : data[0] % size;
  const std::string_view version = text.substr(0, split);
  const std::string_view tool = text.substr(split);
  if (is_api_version(version) && is_tool_name(tool)) {
    const auto node = decode_tool_node(encode_tool_node(version, tool));
    require(node.has_value() && node->version == version && node->tool == tool);
  }
  return 0;
}

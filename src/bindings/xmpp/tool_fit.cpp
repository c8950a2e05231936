#include "bindings/xmpp/tool_fit.hpp"

#include <algorithm>
#include <string_view>

#include "bindings/xmpp/stanza_builder.hpp"
#include "bindings/xmpp/tool_node.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {
namespace {

// Addresses, hashes and what is written around names.
constexpr std::size_t kAroundText = 12'288;
// `&#x9;` and its like, which only attributes have.
constexpr std::size_t kEscapedSpace = 5;
// What begins and ends a line of a form's field.
constexpr std::size_t kAroundLine = 15;

std::size_t attribute_wire_size(std::string_view text) {
  const auto spaces =
      std::ranges::count_if(text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return text_wire_size(text) + kEscapedSpace * static_cast<std::size_t>(spaces);
}
std::size_t description_wire_size(std::string_view text) {
  return text_wire_size(text) +
         kAroundLine * static_cast<std::size_t>(std::ranges::count(text, '\n') + 1);
}

}  // namespace

std::vector<Misfit> misnamed_tools(const catalog::Manifest& manifest, std::size_t most) {
  std::vector<Misfit> found;
  for (const catalog::Tool& tool : manifest.tools) {
    const std::size_t node = encode_tool_node(manifest.version, tool.name).size();
    const std::size_t name = attribute_wire_size(tool.name);
    const std::size_t title = attribute_wire_size(tool.title);
    const std::size_t shown = tool.title.empty() ? name : title;
    const std::size_t item = shown + 3 * node;  // with <first/> and <last/>
    const std::size_t info = node + shown + name + title + description_wire_size(tool.description);
    if (node > StanzaBounds().attribute_value) {
      found.emplace_back(tool.name, "/name",
                         "the name is longer than an XMPP request may name: over XMPP nobody can "
                         "ask for this tool");
    } else if (std::max(item, info) + kAroundText > most) {
      found.emplace_back(tool.name, "",
                         "name, title and description are larger than an XMPP stanza may be: over "
                         "XMPP nobody can list this tool or read about it");
    }
  }
  return found;
}

}  // namespace interline::xmpp

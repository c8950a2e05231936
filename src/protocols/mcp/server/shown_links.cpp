#include "protocols/mcp/server/shown_links.hpp"

#include <utility>
#include <vector>

#include "json/canonical.hpp"
#include "json/parse.hpp"

namespace interline::protocols::mcp::server {
namespace {

/// The URIs of a result's blocks, in the order in which they are written.
using Uris = std::vector<json::Value>;

void collect_uri(const json::Value* object, Uris& uris) {
  const json::Value* uri = object == nullptr ? nullptr : object->find("uri");
  if (uri != nullptr && uri->is_string() && !uri->as_string().empty()) uris.push_back(*uri);
}

void collect_block(const json::Value& block, Uris& uris) {
  const json::Value* type = block.find("type");
  if (type == nullptr) return;
  if (type->get_string() == "resource_link") collect_uri(&block, uris);
  if (type->get_string() == "resource") collect_uri(block.find("resource"), uris);
}

void collect_content(const json::Value* content, Uris& uris) {
  if (content == nullptr) return;
  if (!content->is_array()) return collect_block(*content, uris);
  for (const json::Value& block : content->items()) collect_block(block, uris);
}

Uris uris_of(const json::Value& result) {
  Uris uris;
  collect_content(result.find("content"), uris);
  const json::Value* messages = result.find("messages");
  if (messages == nullptr || !messages->is_array()) return uris;
  for (const json::Value& message : messages->items()) {
    collect_content(message.find("content"), uris);
  }
  return uris;
}

/// Most results have none: they are not parsed for it.
bool may_have_links(std::string_view text) {
  constexpr std::string_view kEscape = "\\u";
  return text.find("resource") != std::string_view::npos ||
         text.find(kEscape) != std::string_view::npos;
}

/// `whole` with those of its parts exchanged.
std::string exchanged(const Asked& asked, std::string_view endpoint, std::string_view whole,
                      const Uris& uris) {
  std::string text;
  std::size_t at = 0;
  for (const json::Value& uri : uris) {
    const std::string_view written = uri.source();
    const auto begin = static_cast<std::size_t>(written.data() - whole.data());
    text.append(whole.substr(at, begin - at));
    json::append_string(text, shown_uri(asked, endpoint, uri.as_string()));
    at = begin + written.size();
  }
  return text.append(whole.substr(at));
}

}  // namespace

std::optional<std::string> with_shown_links(const Asked& asked, std::string_view endpoint,
                                            std::string_view result) {
  if (!asked.endpoint.empty() || !may_have_links(result)) return std::nullopt;
  const auto parsed =
      json::parse_borrowed(result, jsonrpc::limits_for(result.size()), json::Numbers::faithful);
  if (!parsed) return std::nullopt;
  const Uris uris = uris_of(parsed->root());
  if (uris.empty()) return std::nullopt;
  return exchanged(asked, endpoint, result, uris);
}

void show_links(const Asked& asked, tasks::Task& task) {
  if (task.state != tasks::State::completed || !asked.endpoint.empty()) return;
  if (!may_have_links(task.outcome)) return;
  const std::string_view whole = task.outcome;
  const auto body =
      json::parse_borrowed(whole, jsonrpc::limits_for(whole.size()), json::Numbers::faithful);
  const json::Value* result = body ? body->root().find("result") : nullptr;
  if (result == nullptr) return;
  const Uris uris = uris_of(*result);
  if (!uris.empty()) task.outcome = exchanged(asked, task.admission->endpoint, whole, uris);
}

}  // namespace interline::protocols::mcp::server
